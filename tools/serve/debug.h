// debug.h: the sub-commands of DEBUG that concern whoever runs a node, not the node: its clock, sleep, and
// whether dead keys are removed without being asked for.
//
// SLEEP and SET-ACTIVE-EXPIRE are Redis's (7.0.15, debug.c). CLOCK is this program's own and exists only
// while time is virtual; otherwise it is answered as Redis answers it, as an unknown sub-command.
//   DEBUG CLOCK              the wall clock in milliseconds since 1970
//   DEBUG CLOCK SET ms       moves it there, back too
//   DEBUG CLOCK ADVANCE ms   moves it by so much
#pragma once

#include <optional>

#include "model/wire.h"
#include "sim/base/time.h"

namespace lockstep::tools::serve {

/// A clock beyond this is refused: integers of a script are exact up to here.
inline constexpr std::int64_t clock_max_ms = 9'007'199'254'740'991;

struct Debugged {
  model::Reply reply;
  std::optional<std::int64_t> clock_ms;  // the wall clock is to be this
  std::optional<sim::Duration> sleep;    // the server does nothing for so long
  std::optional<bool> active_expire;
};

bool is_debug(const model::Command& command);

/// `virtual_ms`: the wall clock, if time is virtual.
Debugged debug(const model::Command& command, std::optional<std::int64_t> virtual_ms);

/// What a connection in subscriber mode is answered.
model::Reply debug_refused();

}  // namespace lockstep::tools::serve
