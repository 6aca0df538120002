#include "model/setup/setup.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/request.h"

namespace lockstep::model {

namespace {

std::vector<Role> roles_used(const Setup& setup) {
  std::vector<Role> roles{Role::lock, Role::unlock, Role::renew};
  for (const ThreadSetup& thread : setup.threads)
    for (const Step& step : thread.program)
      if (step.kind == StepKind::force_unlock) {
        roles.push_back(Role::force_unlock);
        return roles;
      }
  return roles;
}

std::optional<sim::Problem> unfillable(const lua::Script& script) {
  const auto refuse = [&](const char* what, const std::string& name, const char* known) {
    return sim::Problem{fmt::format("{}: a {} of this script is called `{}`, and the client can fill only {}",
                                    script.file, what, name, known)};
  };
  for (const std::string& key : script.keys)
    if (key != "lock" && key != "channel") return refuse("key", key, "lock and channel");
  for (const std::string& arg : script.args)
    if (arg != "lease" && arg != "holder" && arg != "message")
      return refuse("argument", arg, "lease, holder and message");
  return std::nullopt;
}

}  // namespace

std::size_t Setup::group_count() const {
  std::size_t count = 0;
  for (const NodeSetup& node : nodes) count = std::max(count, node.group.index() + 1);
  return count;
}

GroupId Setup::group_of_lock(const std::string& key) const {
  for (const LockObject& object : objects)
    if (key == object.name || (object.fresh && key.starts_with(object.name + "#"))) return object.group;
  return {};
}

GroupId Setup::group_of_channel(const std::string& channel) const {
  for (const LockObject& object : objects) {
    if (channel == channel_of(object.name)) return object.group;
    const std::string fresh = channel_of(object.name + "#");
    if (object.fresh && channel.starts_with(fresh.substr(0, fresh.find('#') + 1))) return object.group;
  }
  return {};
}

bool Setup::replicates(GroupId group) const {
  return std::count_if(nodes.begin(), nodes.end(),
                       [&](const NodeSetup& node) { return node.group == group; }) > 1;
}

sim::Result<Setup> complete(Setup setup) {
  for (const Role role : roles_used(setup)) {
    const lua::Script* script = setup.scripts.find(role_name(role));
    if (script == nullptr)
      return sim::Problem{fmt::format("the script set {} has no script for the role `{}`", setup.scripts.name,
                                      role_name(role))};
    if (auto problem = unfillable(*script)) return *std::move(problem);
  }
  for (ProcessSetup& process : setup.processes) process.threads.clear();
  for (std::size_t t = 0; t < setup.threads.size(); ++t) {
    auto& siblings = setup.processes[setup.threads[t].process.index()].threads;
    setup.threads[t].index_in_process = static_cast<std::uint16_t>(siblings.size());
    siblings.push_back(sim::make_id<ThreadId>(t));
  }
  return setup;
}

}  // namespace lockstep::model
