// timer.h: what is left until something happens; it shrinks by itself when time passes (passing.h).
//
// A Timer is a deadline: something becomes due when nothing is left. A Countdown only counts, and nobody
// waits for its end (what is left of a lease in a request, of the time that a caller gave). Both are never
// below zero, and `never` stays never. Each encodes as its Duration.
#pragma once

#include <compare>
#include <tuple>

#include "sim/base/fields.h"
#include "sim/base/time.h"

namespace lockstep::sim {

enum class Clock : std::uint8_t {
  steady,  // nothing but the passing of time moves it
  wall,    // it may drift, and be set
};

/// How far the clocks of an owner moved. `wall` is negative when that clock was set back: what is left until
/// its deadlines grows.
struct Passed {
  Duration steady{}, wall{};
  static constexpr Passed alike(Duration both) { return {both, both}; }
  friend constexpr bool operator==(Passed, Passed) = default;
};

template <Clock C>
struct TimerOn {
  Duration left{};

  constexpr bool due() const { return left <= Duration::zero(); }
  friend constexpr auto operator<=>(TimerOn, TimerOn) = default;
  static constexpr auto fields(auto& t) { return std::tie(t.left); }
};
using Timer = TimerOn<Clock::steady>;
using WallTimer = TimerOn<Clock::wall>;

struct Countdown {
  Duration left{};

  constexpr bool over() const { return left <= Duration::zero(); }
  friend constexpr auto operator<=>(Countdown, Countdown) = default;
  static constexpr auto fields(auto& c) { return std::tie(c.left); }
};
static_assert(State<Timer> && State<WallTimer> && State<Countdown>);

}  // namespace lockstep::sim
