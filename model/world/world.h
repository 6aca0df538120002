// world.h: the whole simulated state as one value, and its two rules.
//
// A World is its components: nodes, processes, the links between them, the replication streams, and the
// situation (roles, budgets, signals). None of them points to another; a move touches one to three of them.
// `enabled` says what may happen next, `apply` makes it happen; nothing else changes a world, and nothing in
// here chooses (ARCHITECTURE.md).
//
// `now` is true time since the start. It is left out of the identity of a world, since deadlines are kept as
// remaining time; a step that reads it says so in StepReport::read_now, and the search then counts it in
// (properties/check/checked.h).
//
// Read on: enabled.cpp (what may happen), apply.cpp (the table of moves), deliver.cpp, passing.cpp,
// faults.cpp.
#pragma once

#include <optional>
#include <vector>

#include "lua/engine/engine.h"
#include "model/observation.h"
#include "model/redis/node.h"
#include "model/redisson/process.h"
#include "model/setup/setup.h"
#include "model/world/link.h"
#include "model/world/move.h"
#include "sim/base/cow.h"
#include "sim/base/time.h"

namespace lockstep::model {

class Tracer;

/// Something that happens by itself from `earliest` on, at the latest at `latest`; both count down.
struct Settling {
  Duration earliest{}, latest{};
  bool operator==(const Settling&) const = default;
  static auto fields(auto& s) { return std::tie(s.earliest, s.latest); }
};

/// What belongs to no single component.
struct Situation {
  NodeId master;                                  // the node that was made master last, up or down
  std::vector<bool> up;                           // by node
  std::vector<Duration> offset;                   // by node: how far its wall clock is ahead of true time
  std::vector<std::int64_t> gained;               // by node: millionths of the next millisecond (clock.h)
  std::vector<std::optional<Settling>> learning;  // by process: it will learn who is master
  std::vector<std::optional<Settling>> demotion;  // by node: it will be told that it is a replica
  std::vector<bool> detached;                     // by node: a replica that has to synchronise anew
  FaultBudget budget;
  std::vector<bool> signals;
  std::vector<Duration> fixed_left;  // by fixed fault: until it happens; `never` once it has
  bool at_deadline = false;          // the last time step ended at a deadline (ties within 1 ms)

  bool operator==(const Situation&) const = default;
  static auto fields(auto& s) {
    return std::tie(s.master, s.up, s.offset, s.gained, s.learning, s.demotion, s.detached, s.budget,
                    s.signals, s.fixed_left, s.at_deadline);
  }
};
static_assert(sim::State<Settling> && sim::State<Situation>);

struct World {
  sim::Instant now;
  std::vector<sim::Cow<redis::Node>> nodes;
  std::vector<sim::Cow<redisson::Process>> processes;
  std::vector<sim::Cow<Link>> links;      // link of process p and node n: p * nodes.size() + n
  std::vector<sim::Cow<Stream>> streams;  // by node: what its master sends it
  sim::Cow<Situation> situation;

  const sim::Cow<Link>& link(ProcessId p, NodeId n) const {
    return links[p.index() * nodes.size() + n.index()];
  }
  sim::Cow<Link>& link(ProcessId p, NodeId n) { return links[p.index() * nodes.size() + n.index()]; }
  bool up(NodeId n) const { return situation->up[n.index()]; }

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

/// Replaces `moves` by what may happen now, dullest first.
void enabled(const World& world, const Setup& setup, std::vector<Move>& moves);

/// Makes one of the enabled moves happen.
void apply(World& world, const Move& move, StepReport& report);

/// The identity of a world, with or without `now`.
void encode_world(const World& world, bool with_now, sim::Encoder& out);
sim::Digest digest_world(const World& world, bool with_now);

// The parts of apply; each is the whole of one family of moves.
void deliver_reply(World& world, ProcessId p, NodeId n, ConnectionId c, StepReport& report);
void deliver_request(World& world, ProcessId p, NodeId n, ConnectionId c, StepReport& report);
void deliver_push(World& world, ProcessId p, NodeId n, StepReport& report);
void deliver_channel(World& world, ProcessId p, NodeId n, StepReport& report);
void deliver_effects(World& world, NodeId replica, StepReport& report);
void pass_time(World& world, Duration passed, StepReport& report);
/// Faults, their ends, and roles that settle.
void apply_fault(World& world, const Move& move, StepReport& report);
void apply_fixed(World& world, std::size_t fixed, StepReport& report);
/// Whether what the move befalls is still there to be befallen.
bool applicable(const World& world, const Move& move);

/// How far time may go in one step from here; nothing if it cannot pass (something must happen first, or
/// nothing will).
std::optional<Duration> time_step(const World& world, const Setup& setup);

/// Carries out what a process step left behind: sends, signals, a crash that the program asked for.
void carry_out(World& world, ProcessId p, redisson::Out& out, StepReport& report);

/// Hands what a master wrote to the streams of its replicas.
void replicate(World& world, NodeId master, const redis::Effects& effects, StepReport& report);

/// What a command on this node may use.
redis::Environment environment(const World& world, NodeId node, StepReport& report);

/// The process's side of a crash: it is gone, its connections close.
void crash_process(World& world, ProcessId p, StepReport& report);

}  // namespace lockstep::model
