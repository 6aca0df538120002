// watch.h: nodes that judge each other and replace a master by themselves: Sentinels, nodes of a cluster, and
// the members of an ensemble.
//
// What happens, in the order in which it is told:
//   1. A watcher hears nothing of a master: it is down, paused, or one of the two is cut off from the other
//      nodes. After `down-after` the watcher takes it for down. If it is heard before, all is as it was.
//   2. So many watchers that hear each other take it for down as the quorum wants, and with them a majority
//      of all can be asked for votes: an election begins. It ends within `election` in a new master: the
//      replica with the most data that the watchers hear. Which of two equals is a choice.
//   3. The voters know the new master, and so does everybody who hears one that knows, from then on. A
//      process learns it within `learn`, if it reaches one that knows (Redisson asks Sentinels each second).
//   4. If no replica is left, or votes split (a fault), the next attempt comes after twice the time-out.
//   5. An old master that is heard again still takes itself for one, and takes writes, until somebody who
//      knows better has seen that for `conversion`: then it becomes a replica, and its writes are lost.
//
// Who watches: Sentinels their master; the nodes of a cluster the masters of all its groups, and of these the
// masters vote. In a cluster also:
//   6. A master that does not hear a majority of masters stops serving (CLUSTERDOWN) within `closing`,
//      counted like an election; until then it takes writes. It serves again when it hears a majority.
//   7. While a master is being replaced, all who take it for down serve nothing
//      (cluster-require-full-coverage).
//   8. A node that hears of the new master sends clients there (MOVED), an old master too.
//
// In an ensemble all members watch the master, and vote. A master that hears no majority stops serving within
// `closing`; where what is served is what most have (ServerKind::take_over), at once, and an old master
// serves nobody from then on.
//
// All that they say to each other while nothing is wrong is left out: a watcher that hears its master has no
// state, so a healthy deployment costs nothing. The spans (Watching) are what the machines of
// model/redis/sentinel and model/redis/cluster come to (spans.h there, with the tests that drive them);
// within a span everything is possible. Those who hear each other are one clique, since a node is cut off
// from all others or from none; so it does not matter which of them leads.
//
// Not here: the order in which gossip spreads, pauses before a node serves again, data of a replica that is
// too old (cluster-replica-validity-factor), TILT, a Sentinel that answers with an old master, priorities of
// replicas, an operator's SENTINEL FAILOVER.
#pragma once

#include <vector>

#include "model/world/world.h"

namespace lockstep::model {

void begin_to_watch(World& world, const Setup& setup);
/// Brings what watchers know up to what they hear now; called after each step.
void watch_on(World& world, StepReport& report);
/// A replica was elected: all who hear the voters know.
void tell_the_others(World& world, NodeId elected, StepReport& report);
/// The slots of the old master are the spare one's: both know.
void tell_of_slots(World& world, NodeId old, StepReport& report);

/// Replicas that an election that is under way may choose.
std::vector<NodeId> candidates(const World& world, const Setup& setup, GroupId group);
/// The process reaches somebody who knows who is master; where nobody watches, it does.
bool may_be_told(const World& world, const Setup& setup, ProcessId process, GroupId group);
/// The master of the group without slots; where its slots move to just now.
std::optional<NodeId> spare_of(const Setup& setup, GroupId group);
std::optional<NodeId> moves_to(const World& world, const Setup& setup, GroupId group);
/// The master of its group, or the one that its keys move to.
bool is_in_charge(const World& world, const Setup& setup, NodeId node);

/// A master may be replaced later on by what watchers do.
bool election_may_come(const World& world, const Setup& setup);

/// An election must end in a new master, or a node in a minority must close.
bool watchers_must_act(const World& world, const Setup& setup);
bool may_close(const World& world, NodeId node);
void close_node(World& world, NodeId node);
/// An election is under way, and it makes a difference when it ends.
bool is_electing(const World& world);
void split_votes(World& world, const Setup& setup, GroupId group);

void pass_for_watchers(World& world, Duration passed);
Duration next_deadline(const Watch& watch);

}  // namespace lockstep::model
