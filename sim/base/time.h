// time.h: virtual time in whole milliseconds.
//
// There is no clock to ask: "now" is a field of the world, and the deadlines that state keeps are *remaining*
// durations that shrink when time passes (ARCHITECTURE.md). A countdown never goes below zero; what happens
// at zero is its owner's business.
#pragma once

#include <chrono>
#include <cstdint>

namespace lockstep::sim {

using Duration = std::chrono::duration<std::int64_t, std::milli>;

using namespace std::chrono_literals;

/// Since the start of the run, in true time.
struct Instant {
  Duration since_start{};
  friend constexpr auto operator<=>(Instant, Instant) = default;
};

inline constexpr Duration never = Duration::max();

constexpr Instant operator+(Instant at, Duration by) { return Instant{at.since_start + by}; }
constexpr Duration operator-(Instant a, Instant b) { return a.since_start - b.since_start; }

/// What is left of `countdown` after `passed`; `never` stays, and zero is the floor.
constexpr Duration count_down(Duration countdown, Duration passed) {
  if (countdown == never) return never;
  return countdown > passed ? countdown - passed : Duration::zero();
}

}  // namespace lockstep::sim
