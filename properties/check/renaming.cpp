#include "properties/check/renaming.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <charconv>
#include <map>
#include <numeric>

#include "model/world/faults/table.h"

namespace lockstep::properties {

namespace {

using model::NodeId;
using model::ProcessId;

/// Finds names of holders in a text, and puts the new ones.
class Texts {
 public:
  Texts(const Setup& setup, std::vector<ProcessId> processes, std::vector<ThreadId> threads)
      : setup_(setup), processes_(std::move(processes)), threads_(std::move(threads)) {
    for (const model::ProcessSetup& process : setup.processes) {
      shortest_id_ = std::min(shortest_id_, process.client_id.size());
      if (process.client_id.empty()) begins_id_.set();
      else begins_id_.set(static_cast<unsigned char>(process.client_id.front()));
    }
  }

  /// A name that were missed would make two different situations look alike, so it is looked for at every
  /// place.
  void operator()(std::string& text, sim::Named& named) const {
    for (std::size_t at = 0; at + shortest_id_ <= text.size();) {
      const bool may_be = begins_id_[static_cast<unsigned char>(text[at])];
      const std::size_t end = may_be ? rename_at(text, at, named) : at;
      at = end == at ? at + 1 : end;
    }
  }

 private:
  /// Where what was put here ends; `at` if no name begins here.
  std::size_t rename_at(std::string& text, std::size_t at, sim::Named& named) const {
    for (std::size_t p = 0; p < processes_.size(); ++p) {
      const std::size_t end = client_end(text, at, p);
      if (end == at) continue;
      named.note(sim::make_id<ProcessId>(p));
      const std::string &old = setup_.processes[p].client_id,
                        &id = setup_.processes[processes_[p].index()].client_id;
      text.replace(at, old.size(), id);
      return rename_thread(text, p, end - old.size() + id.size());
    }
    return at;
  }

  /// Where the name of a client of process p ends that begins here ("uuid", "uuid-again-1"), else `at`.
  std::size_t client_end(const std::string& text, std::size_t at, std::size_t p) const {
    const std::string& id = setup_.processes[p].client_id;
    if (text.compare(at, id.size(), id) != 0) return at;
    std::size_t end = at + id.size();
    if (end == text.size() || text[end] == ':') return end;
    if (text[end] != '-') return at;
    while (end < text.size() && text[end] != ':') ++end;
    return end;
  }

  /// The number of a thread of process p behind its client's name, which ends here; says where that ends.
  std::size_t rename_thread(std::string& text, std::size_t p, std::size_t end_of_client) const {
    if (end_of_client >= text.size()) return end_of_client;
    std::int64_t number = 0;
    const char* const first = text.data() + end_of_client + 1;
    const auto [end, error] = std::from_chars(first, text.data() + text.size(), number);
    if (error != std::errc{}) return end_of_client;
    for (const ThreadId thread : setup_.processes[p].threads) {
      if (setup_.threads[thread.index()].java_id != number) continue;
      const std::int64_t other = setup_.threads[threads_[thread.index()].index()].java_id;
      const auto length = static_cast<std::size_t>(end - first);
      if (other == number) return end_of_client + 1 + length;
      const std::string put = std::to_string(other);
      text.replace(end_of_client + 1, length, put);
      return end_of_client + 1 + put.size();
    }
    return end_of_client;
  }

  const Setup& setup_;
  std::vector<ProcessId> processes_;
  std::vector<ThreadId> threads_;
  std::size_t shortest_id_ = ~std::size_t{0};
  std::bitset<256> begins_id_;
};

bool takes_fresh_keys(const Setup& setup, std::size_t process) {
  for (const model::ThreadSetup& thread : setup.threads)
    for (const model::Step& step : thread.program)
      if (thread.process.index() == process && step.object < setup.objects.size() &&
          setup.objects[step.object].fresh)
        return true;
  return false;
}

/// A command that an operator sends names a holder, or any other name of the process.
bool is_named(const Setup& setup, std::size_t process) {
  const std::string& id = setup.processes[process].client_id;
  for (const model::ThreadSetup& thread : setup.threads)
    for (const model::Step& step : thread.program)
      for (const std::string& word : step.words)
        if (word.find(id) != std::string::npos) return true;
  return false;
}

/// A fixed fault names one of its threads.
bool names_a_thread(const Setup& setup, std::size_t process) {
  const auto of_it = [&](const std::optional<model::FaultEvent>& event) {
    return event && event->thread && setup.threads[event->thread->index()].process.index() == process;
  };
  return std::any_of(setup.fixed.begin(), setup.fixed.end(), [&](const model::FixedFault& fault) {
    return of_it(fault.message) || of_it(fault.event) ||
           (fault.aim == model::Aim::thread && setup.threads[fault.target].process.index() == process);
  });
}

/// Another thread of its process asks about it by its number, or calls for it. Or it calls for another
/// itself, which the numbers of its calls show.
bool is_told_by_number(const Setup& setup, ThreadId id) {
  const model::ThreadSetup& named = setup.threads[id.index()];
  const auto names_it = [&](const model::Step& step) { return step.by == named.java_id; };
  const auto calls = [](const model::Step& step) { return step.async && step.by; };
  if (std::any_of(named.program.begin(), named.program.end(), calls)) return true;
  return std::any_of(setup.threads.begin(), setup.threads.end(), [&](const model::ThreadSetup& one) {
    return one.process == named.process && std::any_of(one.program.begin(), one.program.end(), names_it);
  });
}

/// The threads of a process in groups of equal programs, in the order in which those first occur. One that is
/// told by its number is a group of its own.
std::vector<sim::ActorClass> threads_in_groups(const Setup& setup, std::size_t process, bool exchanged,
                                               std::size_t most) {
  std::vector<sim::ActorClass> groups;
  for (const ThreadId thread : setup.processes[process].threads) {
    const bool apart = !exchanged || is_told_by_number(setup, thread);
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const sim::ActorClass& group) {
      return !apart && group.size() < most && !is_told_by_number(setup, ThreadId{group.front()}) &&
             setup.threads[group.front()].program == setup.threads[thread.index()].program;
    });
    if (same == groups.end()) groups.push_back({thread.value});
    else same->push_back(thread.value);
  }
  return groups;
}

/// A fixed fault befalls it, or one of its links, or waits for something that it does.
bool is_named(const Setup& setup, NodeId node) {
  const auto of_it = [&](const std::optional<model::FaultEvent>& event) {
    return event && event->node == node;
  };
  return std::any_of(setup.fixed.begin(), setup.fixed.end(), [&](const model::FixedFault& fault) {
    return of_it(fault.message) || of_it(fault.event) || fault.befalls_node(node) ||
           (fault.aim == model::Aim::link && fault.node == node.value);
  });
}

/// Where nodes judge each other they know each other by name, or come one after the other.
bool may_exchange_nodes(const Setup& setup) {
  return setup.predicates.empty() && !setup.is_watched();
}

/// Whether a replica may become master: then who it is, is a matter of the state.
bool fails_over(const Setup& setup) {
  const model::FaultId failover = model::fault_id(model::failover_fault);
  return setup.faults[failover] > 0 ||
         std::any_of(setup.fixed.begin(), setup.fixed.end(),
                     [&](const model::FixedFault& fault) { return fault.fault == failover; });
}

/// What they are called, nobody asks.
bool are_equal(const Setup& setup, NodeId a, NodeId b) {
  const auto but_for_name_and_role = [&](NodeId node) {
    model::NodeSetup its = setup.nodes[node.index()];
    its.name.clear();
    if (fails_over(setup) && its.role == model::ServerRole::replica) its.role = model::ServerRole::master;
    return its;
  };
  return but_for_name_and_role(a) == but_for_name_and_role(b);
}

/// What a state is by each order of them is remembered, so there is a limit: a node that would make them
/// more is told apart.
constexpr std::size_t orders_of_nodes_max = 720;

std::vector<sim::ActorClass> equal_nodes(const Setup& setup, std::size_t most) {
  std::vector<sim::ActorClass> groups;
  if (!may_exchange_nodes(setup)) return groups;
  const std::size_t first = setup.processes.size();
  std::size_t orders = 1;
  for (std::size_t n = 0; n < setup.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    const model::ServerRole role = setup.nodes[n].role;
    const bool serves = role == model::ServerRole::master || role == model::ServerRole::replica;
    if (!serves || setup.nodes[n].kind->outside || is_named(setup, node)) continue;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const sim::ActorClass& group) {
      return group.size() < most && are_equal(setup, node, sim::make_id<NodeId>(group.front() - first));
    });
    const auto actor = static_cast<std::uint16_t>(first + n);
    if (same == groups.end()) {
      groups.push_back({actor});
    } else if (orders * (same->size() + 1) <= orders_of_nodes_max) {
      same->push_back(actor);
      orders *= same->size();
    }
  }
  std::erase_if(groups, [](const sim::ActorClass& group) { return group.size() < 2; });
  return groups;
}

}  // namespace

sim::ActorClasses interchangeable(const Setup& setup, std::size_t alike_max) {
  std::map<std::uint16_t, std::vector<sim::ActorClass>> alike;
  sim::ActorClasses classes;
  for (std::size_t p = 0; p < setup.processes.size(); ++p) {
    const bool exchanged = setup.predicates.empty() && !takes_fresh_keys(setup, p) && !is_named(setup, p);
    classes.inner.push_back(threads_in_groups(setup, p, exchanged && !names_a_thread(setup, p), alike_max));
    if (!exchanged) continue;
    auto& groups = alike[setup.processes[p].alike];
    if (groups.empty() || groups.back().size() >= alike_max) groups.emplace_back();
    groups.back().push_back(static_cast<std::uint16_t>(p));
  }
  for (auto& [program, groups] : alike)
    for (sim::ActorClass& members : groups)
      if (members.size() > 1) classes.outer.push_back(std::move(members));
  for (sim::ActorClass& members : equal_nodes(setup, alike_max)) classes.outer.push_back(std::move(members));
  return classes;
}

std::vector<std::uint16_t> kinds_of_nodes(const Setup& setup, const sim::ActorClasses& classes) {
  const std::size_t first = setup.processes.size();
  std::vector<std::uint16_t> kinds(setup.nodes.size());
  std::iota(kinds.begin(), kinds.end(), std::uint16_t{0});
  for (const sim::ActorClass& members : classes.outer)
    for (const std::uint16_t actor : members)
      if (actor >= first) kinds[actor - first] = static_cast<std::uint16_t>(members.front() - first);
  return kinds;
}

std::vector<sim::ActorClass> classes_of_processes(const Setup& setup, const sim::ActorClasses& classes) {
  std::vector<sim::ActorClass> of_processes = classes.outer;
  std::erase_if(of_processes, [&](const sim::ActorClass& members) {
    return members.front() >= setup.processes.size();
  });
  return of_processes;
}

sim::Names names_of(const Setup& setup, sim::Permutation permutation) {
  sim::Names names;
  for (std::size_t p = 0; p < setup.processes.size(); ++p)
    names.processes.push_back(
        sim::make_id<ProcessId>(p < permutation.outer.size() ? permutation.outer[p] : p));
  for (std::size_t t = 0; t < setup.threads.size(); ++t)
    names.threads.push_back(sim::make_id<ThreadId>(t < permutation.inner.size() ? permutation.inner[t] : t));
  for (const model::ProcessSetup& process : setup.processes) {
    std::vector<sim::PlaceId>& places = names.places.emplace_back();
    for (const ThreadId thread : process.threads)
      places.push_back(setup.threads[names.threads[thread.index()].index()].place);
  }
  names.text = Texts(setup, names.processes, names.threads);
  const auto nodes = permutation.outer.subspan(std::min(setup.processes.size(), permutation.outer.size()));
  for (std::size_t n = 0; n < nodes.size(); ++n)
    names.nodes.push_back(sim::make_id<NodeId>(nodes[n] - setup.processes.size()));
  if (std::is_sorted(names.nodes.begin(), names.nodes.end())) names.nodes.clear();
  return names;
}

sim::Digest signature_of(const model::World& world, ProcessId process,
                         const std::vector<std::uint16_t>& kinds_of_nodes) {
  const model::Process& its = *world.processes[process.index()];
  sim::Encoder out;
  encode(out, its.life);
  encode(out, its.pause_left);
  for (const model::Client& client : its.clients) {
    out.number(kinds_of_nodes[client.master.index()]);
    std::vector<std::pair<std::uint16_t, sim::Timer>> awaited;  // their order may depend on names
    for (const model::Pending& pending : client.pending)
      awaited.emplace_back(pending.request.purpose.role, pending.left);
    std::sort(awaited.begin(), awaited.end());
    encode(out, awaited);
    encode(out, sim::next_deadline(client));
  }
  using Traffic = std::array<std::uint64_t, 4>;
  std::vector<Traffic> traffic;
  traffic.reserve(world.nodes.size());
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    const model::Link& link = *world.link(process, node);
    const auto replies = std::count_if(link.flights.begin(), link.flights.end(),
                                       [](const auto& flight) { return flight.reply.has_value(); });
    const auto masters = std::count_if(its.clients.begin(), its.clients.end(),
                                       [&](const auto& client) { return client.master == node; });
    traffic.push_back({kinds_of_nodes[n], static_cast<std::uint64_t>(masters),
                       link.flights.size() * 256 + static_cast<std::uint64_t>(replies),
                       link.up.size() * 16 + link.down.size()});
  }
  std::sort(traffic.begin(), traffic.end());  // which of several equal nodes it is does not show
  encode(out, traffic);
  return sim::digest_bytes(out.bytes());
}

sim::Digest signature_of(const model::World& world, const Setup& setup, NodeId node) {
  const std::size_t n = node.index();
  const model::Group& group = world.group(setup.group_of(node));
  const model::Stream& stream = *world.streams[n];
  const model::ServerKind& kind = setup.kind_of(node);
  sim::Encoder out;
  const std::array<bool, 8> facts{group.master == node,
                                  group.detached.contains(node),
                                  stream.master.has_value(),
                                  stream.master == group.master,
                                  stream.lagging,
                                  stream.cut,
                                  stream.missed_writes,
                                  world.is_up(node)};
  encode(out, facts);
  const auto demotion = group.demotion.find(node);
  if (demotion != group.demotion.end()) encode(out, demotion->second);
  encode(out, (*world.pauses)[n]);
  encode(out, std::pair{stream.lag_left, stream.cut_left});
  encode(out, std::pair{stream.batches.size(), stream.acks.size()});
  encode(out, std::pair{world.clocks->offset[n], world.clocks->gained[n]});
  encode(out, kind.next_change(*world.nodes[n]));
  return sim::digest_bytes(out.bytes());
}

sim::Digest signature_of(const model::World& world, const Monitors& monitors, const Setup& setup,
                         ThreadId thread) {
  const model::ThreadSetup& its = setup.threads[thread.index()];
  sim::Encoder out;
  encode(out, world.processes[its.process.index()]->threads[its.place]);
  for (const auto& [key, belief] : monitors.beliefs.held) {
    if (key.thread != thread) continue;
    out.text(key.lock);
    encode(out, key.mode);
    encode(out, belief);
  }
  return sim::digest_bytes(out.bytes());
}

}  // namespace lockstep::properties
