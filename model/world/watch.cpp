#include "model/world/watch.h"

#include <algorithm>

#include "model/world/faults/table.h"
#include "sim/base/passing.h"

namespace lockstep::model {

namespace {

bool is_cluster(const Setup& setup) { return setup.topology == Topology::cluster; }
bool is_ensemble(const Setup& setup) { return setup.topology == Topology::ensemble; }
bool is_outside(const Setup& setup, NodeId node) { return setup.kind_of(node).outside; }

bool stores(const Setup& setup, NodeId node) {
  return setup.nodes[node.index()].role != ServerRole::sentinel && !is_outside(setup, node);
}

bool watches(const Setup& setup, NodeId node) {
  if (is_cluster(setup) || is_ensemble(setup)) return !is_outside(setup, node);
  return setup.nodes[node.index()].role == ServerRole::sentinel;
}

/// Groups of nodes that watch each other, which resources outside of Redis do not.
std::vector<GroupId> watched_groups(const Setup& setup) {
  std::vector<GroupId> groups;
  for (std::size_t g = 0; g < setup.group_count(); ++g)
    if (const auto group = sim::make_id<GroupId>(g); !is_outside(setup, first_master(setup, group)))
      groups.push_back(group);
  return groups;
}

/// What one sends, the other answers.
bool hears(const World& world, NodeId a, NodeId b) {
  return a == b || (world.answers(a) && world.answers(b) && world.reaches(a, b));
}

bool takes_for_down(const World& world, NodeId watcher, GroupId group) {
  return world.watch->until_down[watcher.index()][group.index()].due();
}

/// Who may vote when the master of a group is to be replaced: all Sentinels, the masters of a cluster, the
/// members of an ensemble.
std::vector<NodeId> voters(const World& world, const Setup& setup) {
  std::vector<NodeId> all;
  if (is_cluster(setup)) {
    for (const GroupId group : watched_groups(setup)) all.push_back(world.group(group).master);
    return all;
  }
  for (std::size_t n = 0; n < setup.nodes.size(); ++n)
    if (const auto node = sim::make_id<NodeId>(n); watches(setup, node)) all.push_back(node);
  return all;
}

/// Voters that hear each other, and of which one takes the master of the group for down; the first of those
/// comes first. Nobody, if there is none that could ask the others.
std::vector<NodeId> party_against(const World& world, const Setup& setup, GroupId group) {
  std::vector<NodeId> party;
  for (const NodeId node : voters(world, setup))
    if (world.answers(node) && !world.is_isolated(node)) party.push_back(node);
  const auto first = std::find_if(party.begin(), party.end(),
                                  [&](NodeId node) { return takes_for_down(world, node, group); });
  if (first == party.end()) return {};
  std::iter_swap(first, party.begin());
  return party;
}

/// Enough watchers take the master for down, and enough can vote.
bool agree(const World& world, const Setup& setup, GroupId group) {
  const std::vector<NodeId> party = party_against(world, setup, group);
  const auto down = std::count_if(party.begin(), party.end(),
                                  [&](NodeId node) { return takes_for_down(world, node, group); });
  const std::size_t all = voters(world, setup).size();
  const bool by_majority = is_cluster(setup) || is_ensemble(setup);
  const std::size_t quorum = by_majority ? all / 2 + 1 : setup.watching.quorum;
  return static_cast<std::size_t>(down) >= quorum && party.size() >= quorum && 2 * party.size() > all;
}

Due due_in(const Interval& span, Duration wait = Duration::zero()) {
  return {wait + span.lo, wait + span.hi};
}

Due later(const Setup& setup) {
  return due_in(setup.watching.election, 2 * setup.watching.failover_timeout);
}

bool is_watcher_of(const Setup& setup, NodeId node, GroupId group) {
  return watches(setup, node) && (is_cluster(setup) || setup.group_of(node) == group);
}

void note_silence(const World& world, const Setup& setup, GroupId group, Watch& watch) {
  const NodeId master = world.group(group).master;
  for (std::size_t n = 0; n < setup.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    if (!is_watcher_of(setup, node, group)) continue;
    sim::Timer& until_down = watch.until_down[n][group.index()];
    if (!world.answers(node) || hears(world, node, master)) until_down = {sim::never};
    else if (until_down.left == sim::never) until_down = {setup.watching.down_after};
  }
}

std::vector<std::string> names_of(const Setup& setup, GroupId group) {
  std::vector<std::string> names;
  for (const NodeSetup& node : setup.nodes)
    if (node.group == group) names.push_back(node.name);
  return names;
}

/// It knows from now on who is master of the group.
void inform(World& world, NodeId node, GroupId group, StepReport& report) {
  const Setup& setup = report.setup;
  world.watch.write().informed[group.index()].insert(node);
  if (!is_cluster(setup)) return;
  const std::string& master = setup.nodes[world.group(group).master.index()].name;
  const std::vector<Push> told =
      setup.kind_of(node).succeed(world.nodes[node.index()].write(), master, names_of(setup, group));
  push_all(world, node, told, report);
}

void spread_news(World& world, GroupId group, StepReport& report) {
  const Setup& setup = report.setup;
  const std::set<NodeId> before = world.watch->informed[group.index()];
  for (std::size_t n = 0; n < setup.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    if (!is_watcher_of(setup, node, group) || before.contains(node)) continue;
    if (std::any_of(before.begin(), before.end(), [&](NodeId one) { return hears(world, node, one); }))
      inform(world, node, group, report);
  }
}

void note_elections(const World& world, const Setup& setup, GroupId group, Watch& watch) {
  std::optional<Due>& election = watch.election[group.index()];
  if (!agree(world, setup, group)) election.reset();
  else if (!election) election = due_in(setup.watching.election);
  else if (election->must() && candidates(world, setup, group).empty()) election = later(setup);
}

/// The master of an ensemble hears no majority of the members, itself among them.
bool is_alone(const World& world, const Setup& setup, NodeId node) {
  std::size_t all = 0, heard = 0;
  for (std::size_t n = 0; n < setup.nodes.size(); ++n) {
    const auto other = sim::make_id<NodeId>(n);
    if (!watches(setup, other)) continue;
    ++all;
    if (hears(world, node, other)) ++heard;
  }
  return 2 * heard <= all;
}

/// Masters of a cluster that do not hear a majority of all.
bool is_in_minority(const World& world, const Setup& setup, NodeId node) {
  if (is_ensemble(setup)) return is_alone(world, setup, node);
  const std::vector<GroupId> groups = watched_groups(setup);
  const auto lost = std::count_if(groups.begin(), groups.end(),
                                  [&](GroupId group) { return takes_for_down(world, node, group); });
  return 2 * static_cast<std::size_t>(lost) >= groups.size();
}

void note_minorities(const World& world, const Setup& setup, Watch& watch) {
  for (std::size_t n = 0; n < setup.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    const bool is_minority = watches(setup, node) && setup.kind_of(node).leads(*world.nodes[n]) &&
                             world.answers(node) && is_in_minority(world, setup, node);
    if (!is_minority) {
      watch.closing[n].reset();
      watch.closed.erase(node);
    } else if (setup.watching.closing.hi == Duration::zero()) {
      watch.closed.insert(node);
    } else if (!watch.closing[n] && !watch.closed.contains(node)) {
      watch.closing[n] = due_in(setup.watching.closing);
    }
  }
}

/// Whether a node serves, by what it hears of others.
void open_and_close(World& world, const Setup& setup) {
  for (std::size_t n = 0; n < setup.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    if (!watches(setup, node)) continue;
    bool serves = !world.watch->closed.contains(node);
    if (is_ensemble(setup) && setup.kind_of(node).take_over != nullptr)
      serves = serves && world.answers(node) && world.group(setup.group_of(node)).master == node;
    for (const GroupId group : watched_groups(setup)) {
      const auto& election = world.watch->election[group.index()];
      if (is_cluster(setup) && election && election->may() && takes_for_down(world, node, group))
        serves = false;
    }
    if (setup.kind_of(node).is_open(*world.nodes[n]) != serves)
      setup.kind_of(node).open(world.nodes[n].write(), serves);
  }
}

/// Each node of a cluster knows all others from the start.
void join_all(World& world, const Setup& setup) {
  ClusterPlace place;
  for (std::size_t n = 0; n < setup.nodes.size(); ++n) {
    const NodeSetup& node = setup.nodes[n];
    if (!watches(setup, sim::make_id<NodeId>(n))) continue;
    const std::string& master = setup.nodes[first_master(setup, node.group).index()].name;
    place.members.push_back({node.name, node.role == ServerRole::replica ? master : "", node.slots});
  }
  for (std::size_t n = 0; n < setup.nodes.size(); ++n) {
    if (!watches(setup, sim::make_id<NodeId>(n))) continue;
    place.myself = setup.nodes[n].name;
    setup.nodes[n].kind->join(world.nodes[n].write(), place);
  }
}

/// Old masters that somebody who knows better hears.
void note_old_masters(World& world, const Setup& setup, GroupId g) {
  std::map<NodeId, Due> demotion;
  const Group& group = world.group(g);
  const std::set<NodeId>& informed = world.watch->informed[g.index()];
  for (std::size_t n = 0; n < setup.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    const bool is_new = setup.nodes[n].role == ServerRole::spare &&
                        world.watch->slots[g.index()] != Watch::Slots::moved;
    const bool is_old = !is_new && setup.group_of(node) == g && node != group.master && stores(setup, node) &&
                        world.answers(node) && setup.kind_of(node).leads(*world.nodes[n]);
    if (!is_old || std::none_of(informed.begin(), informed.end(),
                                [&](NodeId one) { return hears(world, one, node); }))
      continue;
    const auto since = group.demotion.find(node);
    demotion[node] = since != group.demotion.end() ? since->second : due_in(setup.watching.conversion);
  }
  if (demotion != group.demotion) world.groups[g.index()].write().demotion = std::move(demotion);
}

}  // namespace

void begin_to_watch(World& world, const Setup& setup) {
  if (!setup.is_watched()) return;
  world.isolation = std::vector<sim::Timer>(setup.nodes.size(), sim::Timer{sim::never});
  const std::size_t groups = setup.group_count();
  Watch watch;
  watch.until_down.assign(setup.nodes.size(), std::vector<sim::Timer>(groups, sim::Timer{sim::never}));
  watch.election.resize(groups);
  watch.informed.resize(groups);
  watch.closing.resize(setup.nodes.size());
  watch.slots.assign(groups, Watch::Slots::here);
  watch.moving_left = {sim::never};
  for (const GroupId group : watched_groups(setup))
    for (std::size_t n = 0; n < setup.nodes.size(); ++n)
      if (const auto node = sim::make_id<NodeId>(n); is_watcher_of(setup, node, group))
        watch.informed[group.index()].insert(node);
  world.watch = std::move(watch);
  if (is_cluster(setup)) join_all(world, setup);
}

void watch_on(World& world, StepReport& report) {
  const Setup& setup = report.setup;
  for (const GroupId group : watched_groups(setup)) {
    Watch watch = *world.watch;
    note_silence(world, setup, group, watch);
    if (!(watch == *world.watch)) world.watch = watch;
    spread_news(world, group, report);
    watch = *world.watch;
    note_elections(world, setup, group, watch);
    if (!(watch == *world.watch)) world.watch = std::move(watch);
    note_old_masters(world, setup, group);
  }
  if (!is_cluster(setup) && !is_ensemble(setup)) return;
  Watch watch = *world.watch;
  note_minorities(world, setup, watch);
  if (!(watch == *world.watch)) world.watch = std::move(watch);
  open_and_close(world, setup);
}

void tell_the_others(World& world, NodeId elected, StepReport& report) {
  const Setup& setup = report.setup;
  const GroupId group = setup.group_of(elected);
  const std::vector<NodeId> party = party_against(world, setup, group);
  Watch& watch = world.watch.write();
  watch.informed[group.index()].clear();
  watch.election[group.index()].reset();
  if (watch.slots[group.index()] == Watch::Slots::moving) {  // the new master knows nothing of it
    watch.slots[group.index()] = Watch::Slots::here;
    watch.moving_left = {sim::never};
  }
  for (auto& until_down : watch.until_down) until_down[group.index()] = {sim::never};
  for (const NodeId voter : party) inform(world, voter, group, report);
  if (is_cluster(setup)) inform(world, elected, group, report);
}

void tell_of_slots(World& world, NodeId old, StepReport& report) {
  const GroupId group = report.setup.group_of(old);
  Watch& watch = world.watch.write();
  watch.slots[group.index()] = Watch::Slots::moved;
  watch.moving_left = {sim::never};
  watch.informed[group.index()].clear();
  inform(world, old, group, report);
  inform(world, world.group(group).master, group, report);
}

std::vector<NodeId> candidates(const World& world, const Setup& setup, GroupId group) {
  const std::vector<NodeId> party = party_against(world, setup, group);
  if (party.empty()) return {};
  // A replica that still follows the master lacks what is under way; of a dead master, what it had not sent.
  constexpr std::size_t lost_touch = 1'000'000;
  std::size_t least = lost_touch;
  std::vector<std::pair<std::size_t, NodeId>> heard;
  for (std::size_t n = 0; n < setup.nodes.size(); ++n) {
    const auto node = sim::make_id<NodeId>(n);
    const bool is_replica = setup.group_of(node) == group && node != world.group(group).master &&
                            stores(setup, node) && !setup.kind_of(node).leads(*world.nodes[n]);
    if (!is_replica || !hears(world, party.front(), node)) continue;
    const Stream& stream = *world.streams[n];
    const std::size_t lacks =
        !stream.master ? lost_touch : stream.batches.size() + (stream.missed_writes ? 1 : 0);
    heard.emplace_back(lacks, node);
    least = std::min(least, lacks);
  }
  std::vector<NodeId> best;
  for (const auto& [lacks, node] : heard)
    if (lacks == least) best.push_back(node);
  return best;
}

bool may_be_told(const World& world, const Setup& setup, ProcessId process, GroupId group) {
  if (!setup.is_watched()) return true;
  const std::set<NodeId>& informed = world.watch->informed[group.index()];
  return std::any_of(informed.begin(), informed.end(), [&](NodeId node) {
    return world.answers(node) && !world.link(process, node)->cut;
  });
}

std::optional<NodeId> moves_to(const World& world, const Setup& setup, GroupId group) {
  const auto& slots = world.watch->slots;
  if (group.index() >= slots.size() || slots[group.index()] != Watch::Slots::moving) return std::nullopt;
  return spare_of(setup, group);
}

std::optional<NodeId> spare_of(const Setup& setup, GroupId group) {
  for (std::size_t n = 0; n < setup.nodes.size(); ++n)
    if (setup.nodes[n].role == ServerRole::spare && setup.nodes[n].group == group)
      return sim::make_id<NodeId>(n);
  return std::nullopt;
}

bool is_in_charge(const World& world, const Setup& setup, NodeId node) {
  const GroupId group = setup.group_of(node);
  return world.group(group).master == node || moves_to(world, setup, group) == node;
}

bool election_may_come(const World& world, const Setup& setup) {
  if (!setup.is_watched()) return false;
  const auto awaited = [](const std::vector<sim::Timer>& timers) {
    return std::any_of(timers.begin(), timers.end(), [](sim::Timer one) { return one.left != sim::never; });
  };
  const auto& until_down = world.watch->until_down;
  if (std::any_of(until_down.begin(), until_down.end(), awaited)) return true;
  for (const FaultRow* fault : {&crash_node_fault, &pause_node_fault, &isolate_node_fault})
    if ((*world.budget)[fault_id(*fault)] > 0) return true;
  return std::any_of(world.fixed_left->begin(), world.fixed_left->end(),
                     [](Duration left) { return left != sim::never; });
}

bool watchers_must_act(const World& world, const Setup& setup) {
  for (std::size_t g = 0; g < world.watch->election.size(); ++g) {
    const auto& election = world.watch->election[g];
    if (election && election->must() && !candidates(world, setup, sim::make_id<GroupId>(g)).empty())
      return true;
  }
  const auto& closing = world.watch->closing;
  return std::any_of(closing.begin(), closing.end(), [](const auto& due) { return due && due->must(); });
}

bool may_close(const World& world, NodeId node) {
  const auto& closing = world.watch->closing[node.index()];
  return closing && closing->may();
}

void close_node(World& world, NodeId node) {
  Watch& watch = world.watch.write();
  watch.closing[node.index()].reset();
  watch.closed.insert(node);
}

bool is_electing(const World& world) {
  const auto may = [](const auto& due) { return due && due->may(); };
  const Watch& watch = *world.watch;
  return std::any_of(watch.election.begin(), watch.election.end(), may) ||
         std::any_of(watch.closing.begin(), watch.closing.end(), may);
}

void split_votes(World& world, const Setup& setup, GroupId group) {
  world.watch.write().election[group.index()] = later(setup);
}

void pass_for_watchers(World& world, Duration passed) {
  if (world.isolation->empty()) return;
  const auto is_counting = [](const auto& timers) {
    return std::any_of(timers.begin(), timers.end(),
                       [](sim::Timer one) { return one.left != sim::never && !one.due(); });
  };
  if (world.watch->moving_left.left != sim::never && !world.watch->moving_left.due())
    world.watch.write().moving_left.left = sim::count_down(world.watch->moving_left.left, passed);
  if (is_counting(*world.isolation))
    for (sim::Timer& left : world.isolation.write()) left.left = sim::count_down(left.left, passed);
  const Watch& watch = *world.watch;
  const auto any = [](const std::vector<std::optional<Due>>& all) {
    return std::any_of(all.begin(), all.end(), [](const auto& due) { return due.has_value(); });
  };
  if (!any(watch.election) && !any(watch.closing) &&
      std::none_of(watch.until_down.begin(), watch.until_down.end(), is_counting))
    return;
  Watch& changed = world.watch.write();
  for (auto& timers : changed.until_down)
    for (sim::Timer& left : timers) left.left = sim::count_down(left.left, passed);
  for (auto* all : {&changed.election, &changed.closing})
    for (auto& due : *all) {
      if (!due) continue;
      due->earliest = sim::count_down(due->earliest, passed);
      due->latest = sim::count_down(due->latest, passed);
    }
}

Duration next_deadline(const Watch& watch) {
  Duration next = sim::never;
  const auto consider = [&next](Duration left) {
    if (left > Duration::zero()) next = std::min(next, left);
  };
  consider(watch.moving_left.left);
  for (const auto& timers : watch.until_down)
    for (const sim::Timer& one : timers) consider(one.left);
  for (const auto* all : {&watch.election, &watch.closing})
    for (const auto& due : *all)
      if (due) consider(due->earliest), consider(due->latest);
  return next;
}

}  // namespace lockstep::model
