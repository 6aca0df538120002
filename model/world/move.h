// move.h: one thing that can happen next in a world: a verb, and what it befalls.
//
// The acts stand in the order in which `enabled` lists them: messages arrive, threads and timers go on, roles
// settle, time passes; then what an adversary began ends; last what the adversary pays for. Each verb is a
// row of one table (verbs.h). Each move has a text of one line, which is what a trail stores:
//
//   reply R0 -> A/0          request A/0 -> R0        the command connection 0 between A and R0
//   push R0 -> A             channel A -> R0          the pub/sub connection
//   effects R0 -> R1         ack R1 -> R0             wait-over A/0 at R0   run A1
//   renew A 0                time-out A/0 at R0       ask A/0 at R1
//   learn A                  demote R0                resync R1             reconnect A to R0
//   give-up A | R0           cron R0                  elect R1              close R0
//   fixed 0                  pass 10000ms             resume A
//                            pass 137ms of 10000ms: it stops sooner than it might, which only samples do
//   fixed-reply 0 R0 -> A/0  heal A | R0              release-reply R0 -> A/0
//   unlag R1                 pause A                  crash A …
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "model/setup/setup.h"
#include "model/wire.h"
#include "sim/base/result.h"
#include "sim/system.h"

namespace lockstep::model {

enum class Act : std::uint8_t {
  deliver,
  effects,
  ack,        // messages arrive
  wait_over,  // WAIT ends
  run,
  renew,
  time_out,
  ask,  // a process goes on
  learn,
  demote,
  resync,
  give_up,
  reconnect,
  cron,
  promote,
  close,
  fixed,
  fixed_message,  // roles settle; servers do what they do by themselves; what the scenario fixes happens
  pass,           // time
  end,            // of a fault
  begin           // of a fault, at its price
};
inline constexpr std::size_t acts_by_themselves = static_cast<std::size_t>(Act::end);

struct Verb {
  Act act = Act::pass;
  FaultId fault{};  // of end and begin
  friend auto operator<=>(const Verb&, const Verb&) = default;
};

struct LinkId {
  ProcessId process;
  NodeId node;
  friend auto operator<=>(const LinkId&, const LinkId&) = default;
};

/// The four kinds of message on a link.
enum class Lane : std::uint8_t { reply, request, push, channel };

/// A message on a link. Those of push and channel are the first in their queue, on the one connection there.
struct Carried {
  LinkId link;
  Lane lane = Lane::reply;
  ConnectionId connection{};
  friend auto operator<=>(const Carried&, const Carried&) = default;
};

/// What is under way from a master to a replica.
struct StreamId {
  NodeId from, to;
  friend auto operator<=>(const StreamId&, const StreamId&) = default;
};

struct TimerId {
  ProcessId process;
  std::uint16_t number = 0;
  friend auto operator<=>(const TimerId&, const TimerId&) = default;
};

/// What a server has several of: its keys, in their order.
struct PartOfNode {
  NodeId node;
  std::uint16_t number = 0;
  friend auto operator<=>(const PartOfNode&, const PartOfNode&) = default;
};

struct FixedId {
  std::uint16_t number = 0;
  friend auto operator<=>(const FixedId&, const FixedId&) = default;
};

/// A message that a fixed fault befalls.
struct FixedMessage {
  FixedId fault;
  Carried carried;
  friend auto operator<=>(const FixedMessage&, const FixedMessage&) = default;
};

/// A process as one that follows who is master of a group.
struct Follower {
  ProcessId process;
  GroupId group;
  friend auto operator<=>(const Follower&, const Follower&) = default;
};

using Subject = std::variant<std::monostate, ThreadId, ProcessId, NodeId, LinkId, Carried, StreamId, TimerId,
                             PartOfNode, FixedId, FixedMessage, Follower>;

/// Of the moves of one chain at most one can be next, and they come one after the other: what one connection
/// carries one way, one timer, one thread. PCT ranks chains (sim/run/pct.h).
/// Two numbers each, since samples compare them at every step.
struct Chain {
  std::uint64_t actor = 0;
  std::uint64_t on = 0;  // what of the actor's has an order of its own; 0 if all that it does is one chain
  friend bool operator==(const Chain&, const Chain&) = default;
};

struct Move {
  Verb verb;
  Subject on;
  std::int64_t by = 0;      // ms: of pass and of a clock's jump
  std::int64_t listed = 0;  // ms: how far time might have passed, if `by` is less (only in samples)

  template <class Id>
  const Id& of() const {
    return std::get<Id>(on);
  }
  /// Threads, processes, nodes, streams; time; and the one who ends faults, so that one may outlast a wait.
  sim::Actor actor() const;
  /// Of a choice, such as which of several nodes is asked, all that may be chosen is one chain.
  Chain chain() const;
  /// Moves of one kind are drawn with one weight (sim/run/weighted.h).
  std::uint16_t kind() const;
  bool is_fault() const { return verb.act == Act::begin; }
  bool ends_fault() const { return verb.act == Act::end; }
  bool passes_time() const { return verb.act == Act::pass; }
  // A pass that stops sooner than it might is a part of it (sim/run/policy.h).
  bool is_part() const { return listed != 0; }
  Move whole() const { return listed == 0 ? *this : Move{verb, on, listed, 0}; }
  /// As much of the part as fits into another pass.
  std::optional<Move> fitted(const Move& whole) const;
  friend auto operator<=>(const Move&, const Move&) = default;
};

std::string show(const Move& move, const Setup& setup);
sim::Result<Move> parse_move(std::string_view text, const Setup& setup);

}  // namespace lockstep::model
