// world.h: the whole simulated state as one value, and its two rules.
//
// A World is its components: nodes, processes, the links between them, the replication streams, who is in
// charge of each group, who is up, clocks, budgets, signals. None of them points to another; a move touches
// few of them, and its verb says which (footprint.h).
// `enabled` says what may happen next, `apply` makes it happen; nothing else changes a world, and nothing in
// here chooses (ARCHITECTURE.md).
//
// `now` is true time since the start. It is left out of the identity of a world, since deadlines are kept as
// remaining time; a step that reads it says so in StepReport::read_now, and the search then counts it in
// (properties/check/checked.h).
//
// Read on: verbs.cpp (the table of moves), deliver.cpp, passing.cpp, roles.cpp, watch.h, faults/, identity.h,
// lazy.h.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "lua/engine/engine.h"
#include "model/observation.h"
#include "model/client/machine.h"
#include "model/server/server.h"
#include "model/setup/setup.h"
#include "model/world/link.h"
#include "model/world/move.h"
#include "sim/base/cow.h"
#include "sim/base/time.h"

namespace lockstep::model {

class Tracer;

/// Something that happens by itself from `earliest` on, at the latest at `latest`; both count down.
struct Due {
  Duration earliest{}, latest{};
  bool may() const { return earliest <= Duration::zero(); }
  bool must() const { return latest <= Duration::zero(); }
  bool operator==(const Due&) const = default;
  static auto fields(auto& d) { return std::tie(d.earliest, d.latest); }
};

/// Nodes that replicate one master: who that is, and who does not act upon it yet.
struct Group {
  NodeId master;                      // the node that was made master last, up or down
  std::map<ProcessId, Due> learning;  // processes that will learn who is master
  std::map<NodeId, Due> demotion;     // old masters that will be told that they are replicas
  std::set<NodeId> detached;          // replicas that have to synchronise anew

  bool operator==(const Group&) const = default;
  static auto fields(auto& g) { return std::tie(g.master, g.learning, g.demotion, g.detached); }
};

/// The wall clocks of the nodes (clock.h), and where the last step of time ended.
struct Clocks {
  std::vector<Duration> offset;      // by node: how far its wall clock is ahead of true time
  std::vector<std::int64_t> gained;  // by node: millionths of the next millisecond
  bool at_deadline = false;          // the last time step ended at a deadline (ties within 1 ms)

  bool operator==(const Clocks&) const = default;
  static auto fields(auto& c) { return std::tie(c.offset, c.gained, c.at_deadline); }
  void rename(const sim::Renaming& renaming);
};

/// Where nodes judge each other (watch.h). A vector of two dimensions goes by node, then by group.
struct Watch {
  std::vector<std::vector<sim::Timer>> until_down;  // it takes the master for down then; `never`: it hears it
  std::vector<std::optional<Due>> election;         // by group: while there is one, it ends in a new master
  std::vector<std::set<NodeId>> informed;           // by group: who knows its master
  std::vector<std::optional<Due>> closing;  // of a cluster, by node: it stops serving, as it is in a minority
  std::set<NodeId> closed;                  // … and has
  enum class Slots : std::uint8_t { here, moving, moved };
  std::vector<Slots> slots;  // by group: whether they move, or have, to its spare master
  sim::Timer moving_left;    // they have at the latest then

  bool operator==(const Watch&) const = default;
  static auto fields(auto& w) {
    return std::tie(w.until_down, w.election, w.informed, w.closing, w.closed, w.slots, w.moving_left);
  }
  void rename(const sim::Renaming& renaming);
};
static_assert(sim::State<Due> && sim::State<Group> && sim::State<Clocks> && sim::State<Watch>);

struct World {
  sim::Instant now;
  std::vector<sim::Cow<Server>> nodes;
  std::vector<sim::Cow<Process>> processes;
  std::vector<sim::Cow<Link>> links;      // link of process p and node n: p * nodes.size() + n
  std::vector<sim::Cow<Stream>> streams;  // by node: what its master sends it
  std::vector<sim::Cow<Group>> groups;
  sim::Cow<std::vector<bool>> up;  // by node
  sim::Cow<std::vector<sim::Timer>> pauses;  // by node: of its pause; `never` where there is none
  sim::Cow<std::vector<sim::Timer>> isolation;  // the same of being cut off from other nodes; empty where
  sim::Cow<Watch> watch;                        // nodes do not judge each other, and so is this
  sim::Cow<Clocks> clocks;
  sim::Cow<FaultBudget> budget;               // what the adversary may still do
  sim::Cow<std::vector<bool>> signals;        // raised
  sim::Cow<std::vector<Duration>> fixed_left;  // by fixed fault: until it happens (fixed.h)

  const sim::Cow<Link>& link(ProcessId p, NodeId n) const {
    return links[p.index() * nodes.size() + n.index()];
  }
  sim::Cow<Link>& link(ProcessId p, NodeId n) { return links[p.index() * nodes.size() + n.index()]; }
  bool is_up(NodeId n) const { return (*up)[n.index()]; }
  bool is_paused(NodeId n) const { return (*pauses)[n.index()].left != sim::never; }
  /// Up and not paused.
  bool answers(NodeId n) const { return is_up(n) && !is_paused(n); }
  bool is_isolated(NodeId n) const {
    return !isolation->empty() && (*isolation)[n.index()].left != sim::never;
  }
  /// What one of two nodes sends to the other would arrive.
  bool reaches(NodeId a, NodeId b) const { return a == b || (!is_isolated(a) && !is_isolated(b)); }
  const Group& group(GroupId g) const { return *groups[g.index()]; }

  /// The same world with processes, threads and nodes called by other names; derived from its components.
  void rename(const sim::Renaming& renaming);
  // Its parts, but for the place that a node or a process has: of a process and its links, and of what is
  // neither of a process nor of one node.
  void rename(ProcessId p, const sim::Renaming& renaming);
  void rename_others(const sim::Renaming& renaming);

  friend bool operator==(const World&, const World&) = default;
};

/// What a step uses, and what it says about itself.
struct StepReport {
  const Setup& setup;
  lua::Engine& engine;
  Tracer* tracer = nullptr;       // if given, is told the whole story
  std::vector<Observation> seen;  // in order
  bool read_now = false;
};

World initial_world(const Setup& setup);

/// Fixes the digests of all components: nothing of them changes any more, copies share them.
void freeze(World& world);

/// It answers, and is about to do something by itself (ServerKind::has_due).
bool has_due(const World& world, const Setup& setup, NodeId node);

/// Replaces `moves` by what may happen now.
void enabled(const World& world, const Setup& setup, std::vector<Move>& moves);

/// The same in parts, without the passing of time: what may happen to one process and its links, and all
/// else. `enabled` has the moves of all parts in the order of their places; those of one place go by
/// processes. It is so in a setup without fixed faults.
struct PartOfMoves {
  std::vector<Move> moves;
  std::vector<std::uint32_t> places;
  Duration soonest = sim::never;  // at which the end of a fault among them is due
  auto operator<=>(const PartOfMoves&) const = default;
};
PartOfMoves moves_of(const World& world, const Setup& setup, ProcessId p);
PartOfMoves moves_of_others(const World& world, const Setup& setup);
std::uint32_t place_of_passing();

/// Makes one of the enabled moves happen.
void apply(World& world, const Move& move, StepReport& report);

/// The identity of a world, with or without `now`.
void encode_world(const World& world, bool with_now, sim::Encoder& out);
sim::Digest digest_world(const World& world, bool with_now);

// The parts of apply; each is the whole of one family of moves.
void deliver_reply(World& world, ProcessId p, NodeId n, ConnectionId c, StepReport& report);
void deliver_request(World& world, ProcessId p, NodeId n, ConnectionId c, StepReport& report);
/// A reply that nobody awaits any more is not under way.
void drop_reply(World& world, ProcessId p, NodeId n, ConnectionId c, StepReport& report);
void deliver_push(World& world, ProcessId p, NodeId n, StepReport& report);
void deliver_channel(World& world, ProcessId p, NodeId n, StepReport& report);
void deliver_effects(World& world, NodeId replica, StepReport& report);
/// What was asked on a connection is answered; `acks` as in receive_reply.
void answer(World& world, LinkId link, ConnectionId c, Reply reply, std::int64_t acks, StepReport& report);
void pass_time(World& world, Duration passed, StepReport& report);
/// Its parts: for one process and its links; for all else. `at_deadline`: this step ends at a deadline where
/// ties are tracked.
void pass_time(World& world, ProcessId p, Duration passed);
void pass_time_of_others(World& world, Duration passed, bool at_deadline, StepReport& report);
// Roles settle (roles.cpp).
void learn(World& world, ProcessId p, GroupId group, StepReport& report);
void demote(World& world, NodeId n, StepReport& report);
/// A replica follows the master of its group, from a copy of its data.
void resynchronise(World& world, NodeId replica, StepReport& report);
void time_out_link(World& world, LinkId link, StepReport& report);
void reconnect(World& world, ProcessId p, NodeId n, StepReport& report);
/// A replica becomes the master of its group.
void fail_over(World& world, NodeId replica, StepReport& report);
/// A master of a cluster that had no slots has those of its group's master.
void take_slots(World& world, NodeId spare, StepReport& report);

/// How far time may go in one step from here; nothing if it cannot pass (something must happen first, or
/// nothing will).
std::optional<Duration> time_step(const World& world, const Setup& setup);

/// What a part of a world says about that: a process with its links, or all else.
struct Pace {
  bool must = false;           // something of it must happen first
  std::size_t late = 0;        // messages that may arrive and have not
  Duration next = sim::never;  // until the next of its deadlines
  bool inside = false;         // something may happen now or later: ties within a millisecond matter
  auto operator<=>(const Pace&) const = default;

  void add(const Pace& other);
};
Pace pace_of(const World& world, const Setup& setup, ProcessId p);
Pace pace_of_others(const World& world, const Setup& setup);
/// From the sum of all parts. `in_a_gap`: faults have begun, or something may begin or settle between two
/// deadlines. It is so in a setup without horizon, in which no script is told what time it is.
std::optional<Duration> time_step(const Pace& all, bool in_a_gap, bool at_deadline, const Setup& setup);
bool tracks_ties(const Pace& all, const Setup& setup);

/// A request leaves its process.
void send_request(World& world, ProcessId p, Outgoing outgoing, StepReport& report);

/// Carries out what a process step left behind: sends, signals, a crash that the program asked for.
void carry_out(World& world, ProcessId p, Out& out, StepReport& report);

/// What a step of a process may read; all of it must outlive that.
Context context_of(const World& world, ProcessId p, Out& out, const StepReport& report);

/// One step of a process: it says what it wants, the world carries it out.
template <class Step>
void step_process(World& world, ProcessId p, StepReport& report, Step step) {
  Out out;
  Context context = context_of(world, p, out, report);
  step(world.processes[p.index()].write(), context);
  carry_out(world, p, out, report);
}

/// Hands what a master wrote to the streams of its replicas.
void replicate(World& world, NodeId master, const Effects& effects, StepReport& report);

/// What a server tells its subscribers is under way.
void push_all(World& world, NodeId from, const std::vector<Push>& pushes, StepReport& report);

/// Carries out what a server did by itself; `before` is its state before that, if a tracer wants to know.
void carry_out(World& world, NodeId node, const Unasked& unasked, const Server& before, StepReport& report);

/// The server as it is now, if a tracer listens.
Server before_step(const World& world, NodeId node, const StepReport& report);

/// The process's side of a crash: it is gone, its connections close.
/// What is under way to a process, and what servers remember of it, goes; its requests under way arrive.
void close_connections(World& world, ProcessId p, StepReport& report);
void crash_process(World& world, ProcessId p, StepReport& report);

/// Tells the tracer, if one listens.
void tell(StepReport& report, const Observation& observation);

}  // namespace lockstep::model
