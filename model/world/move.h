// move.h: one thing that can happen next in a world.
//
// The kinds stand in the order in which `enabled` lists them, the dullest first: messages arrive, threads and
// timers go on, roles settle, time passes; then what an adversary began ends; last what the adversary pays
// for. Each move has a text of one line, which is what a trail stores:
//
//   reply R0 -> A/0          request A/0 -> R0        the command connection 0 between A and R0
//   push R0 -> A             channel A -> R0          the pub/sub connection
//   effects R0 -> R1         run A1                   renew A 0             time-out A/0 at R0
//   learn A                  demote R0                resync R1             reconnect A to R0
//   fixed 0                  pass 10000ms             resume A              heal A | R0
//   release reply R0 -> A/0  unlag R1                 pause A               crash A …
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/setup/setup.h"
#include "sim/system.h"
#include "sim/base/result.h"

namespace lockstep::model {

enum class MoveKind : std::uint8_t {
  reply,
  request,
  push,
  channel,
  effects,  // deliver
  run,
  renew,
  time_out,  // a process goes on
  learn,
  demote,
  resync,
  reconnect,
  fixed,  // roles settle; what the scenario fixes happens
  pass,   // time
  resume,
  heal,
  unlag,  // faults end
  release_reply,
  release_request,
  release_push,
  release_channel,
  crash_node,
  failover,
  restart_node,  // faults begin, each at its price
  crash_process,
  restart_process,
  pause,
  lose_reply,
  lose_request,
  lose_push,
  lose_channel,
  hold_reply,
  hold_request,
  hold_push,
  hold_channel,
  cut,
  lag,
  jump,
  interrupt,
  evict,
  flush
};

struct Move {
  MoveKind kind = MoveKind::pass;
  std::uint16_t a = 0, b = 0, c = 0;  // which process, node, thread, connection …, by kind
  std::int64_t amount = 0;            // ms: of pass and jump

  /// Threads, processes, nodes, streams; time; and whoever ends faults, so that one may outlast a wait.
  sim::Actor actor() const;
  bool is_fault() const { return kind >= MoveKind::crash_node; }
  bool ends_fault() const { return kind >= MoveKind::resume && kind < MoveKind::crash_node; }
  bool passes_time() const { return kind == MoveKind::pass; }
  friend auto operator<=>(const Move&, const Move&) = default;
};

std::string show(const Move& move, const Setup& setup);
sim::Result<Move> parse_move(std::string_view text, const Setup& setup);

}  // namespace lockstep::model
