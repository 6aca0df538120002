#include "model/setup/setup.h"

#include <algorithm>

#include "sim/base/verify.h"

namespace lockstep::model {

std::string resource_name(GroupId group, const std::string& key) {
  return group.value == 0 ? key : key + " on R" + std::to_string(group.value);  // no key holds ` on R`
}

std::size_t Setup::group_count() const {
  std::size_t count = 0;
  for (const NodeSetup& node : nodes) count = std::max(count, node.group.index() + 1);
  return count;
}

std::vector<const ServerKind*> Setup::server_kinds() const {
  std::vector<const ServerKind*> kinds;
  for (const NodeSetup& node : nodes)
    if (std::find(kinds.begin(), kinds.end(), node.kind) == kinds.end()) kinds.push_back(node.kind);
  if (kinds.empty()) kinds.push_back(NodeSetup{}.kind);
  return kinds;
}

bool Setup::replicates(GroupId group) const {
  return std::count_if(nodes.begin(), nodes.end(),
                       [&](const NodeSetup& node) {
                         return node.group == group && node.role != ServerRole::sentinel;
                       }) > 1;
}

bool Setup::waits_for_replicas() const {
  const auto is_replica = [](const NodeSetup& node) { return node.role == ServerRole::replica; };
  const auto may_wait = [&] {
    if (processes.empty()) return wait.value_or(client.replica_count) > 0;
    for (std::size_t p = 0; p < processes.size(); ++p) {
      const auto id = sim::make_id<ProcessId>(p);
      if (wait_of(id).value_or(client_of(id).replica_count) > 0) return true;
    }
    return false;
  };
  return std::any_of(nodes.begin(), nodes.end(), is_replica) && may_wait();
}

const lua::ScriptSet& Setup::scripts_of(ProcessId id) const {
  const auto& own = processes[id.index()].own;
  return own ? own->scripts : scripts;
}

const redisson::Settings& Setup::client_of(ProcessId id) const {
  const auto& own = processes[id.index()].own;
  return own ? own->redisson : client;
}

std::optional<std::uint16_t> Setup::wait_of(ProcessId id) const {
  const auto& own = processes[id.index()].wait;
  return own ? own : wait;
}

const LockObject* Setup::made_of_others(const std::string& lock) const {
  for (const LockObject& object : objects)
    if (!object.members.empty() && object.name == lock) return &object;
  return nullptr;
}

bool Setup::is_part(const std::string& lock) const {
  return std::any_of(objects.begin(), objects.end(), [&](const LockObject& object) {
    return object.part && resource_name(object.group, object.name) == lock;
  });
}

std::vector<const lua::ScriptSet*> Setup::script_sets() const {
  std::vector<const lua::ScriptSet*> sets{&scripts};
  for (const ProcessSetup& process : processes)
    if (process.own) sets.push_back(&process.own->scripts);
  return sets;
}

std::vector<const redisson::Settings*> Setup::clients() const {
  std::vector<const redisson::Settings*> all{&client};
  for (const ProcessSetup& process : processes)
    if (process.own) all.push_back(&process.own->redisson);
  return all;
}

namespace {

/// Those of a release may be sent by clients of another one.
std::string told_with_client(const lua::ScriptSet& scripts, const redisson::Settings& client) {
  constexpr std::string_view mark = "redisson@";
  const std::size_t at = scripts.name.rfind(mark);
  if (at == std::string::npos) return scripts.name;
  const std::size_t begin = at + mark.size(),
                    end = std::min(scripts.name.find('+', begin), scripts.name.size());
  if (scripts.name.compare(begin, end - begin, client.version) == 0) return scripts.name;
  return scripts.name + " sent by clients of " + client.version;
}

}  // namespace

std::string Setup::scripts_told() const {
  std::string told = told_with_client(scripts, client);
  for (const ProcessSetup& process : processes)
    if (process.own && process.own->scripts.name != scripts.name)
      told += ", " + process.name + " " + told_with_client(process.own->scripts, process.own->redisson);
  return told;
}

NodeId first_master(const Setup& setup, GroupId group) {
  for (std::size_t n = 0; n < setup.nodes.size(); ++n)
    if (setup.nodes[n].role == ServerRole::master && setup.nodes[n].group == group)
      return sim::make_id<NodeId>(n);
  UNREACHABLE("a group without a master");
  return {};
}

}  // namespace lockstep::model
