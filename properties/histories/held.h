// held.h: who holds a lock that one thread holds at a time, and the moments at which that may change.
//
// `now` is the earliest moment at which all that has happened so far can have happened. A hold may end by
// itself from `ends` on, and need not: who is still seen to have it afterwards was lucky, and whoever is let
// in after it does no wrong. So all that time says are lower bounds, and taking each call at its earliest
// moment explains whatever can be explained at all.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "properties/histories/call.h"
#include "sim/base/fields.h"

namespace lockstep::histories {

using Names = std::vector<std::string>;

struct Hold {
  Thread thread = nobody;
  std::uint32_t depth = 0;
  Time ends = never;

  bool operator==(const Hold&) const = default;
  static auto fields(auto& h) { return std::tie(h.thread, h.depth, h.ends); }
};
static_assert(sim::State<Hold>);

/// The earliest moment at which a call can take effect, not before `least`; none if it was over by then.
inline std::optional<Time> moment(Time now, const Call& call, Time least = 0) {
  const Time when = std::max({now, call.from, least});
  if (least == never || when > call.until) return std::nullopt;
  return when;
}

inline Hold taken(const Call& call, std::uint32_t depth, Time when) {
  return {call.thread, depth, later(when, call.lease)};
}

struct Held {
  Hold hold;
  Time now = 0;

  bool operator==(const Held&) const = default;
  static auto fields(auto& h) { return std::tie(h.hold, h.now); }
};
static_assert(sim::State<Held>);

/// What a thread that holds the lock gets when it asks again.
enum class Reentry : std::uint8_t { refused, counted };

/// All that an exclusive lock may be after a call that was answered so; nothing if no lock answers so.
std::vector<Held> next_of(const Held& held, const Call& call, const Answer& answer, Reentry reentry);

/// "A1", "A1 (2 times)", with "until 4 s at least" if it may end by itself.
std::string told(const Hold& hold, const Names& names);
/// "free", "held by A1".
std::string told(const Held& held, const Names& names);

}  // namespace lockstep::histories
