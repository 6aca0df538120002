// call.h: a call on a lock and its answer, as a sequential specification sees them.
//
// Times are nanoseconds of the history's own clock. A call takes effect at one moment between `from` and
// `until`; where a specification does not look at time, from is 0 and until is never.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace lockstep::histories {

using Time = std::int64_t;
inline constexpr Time never = std::numeric_limits<Time>::max();

/// So long after a moment; `never` stays never.
constexpr Time later(Time moment, Time span) { return span >= never - moment ? never : moment + span; }

using Thread = std::uint32_t;  // its place among the names of a history
inline constexpr Thread nobody = ~Thread{0};

enum class Verb : std::uint8_t { lock, try_lock, unlock, force_unlock, is_locked, is_held };
enum class Mode : std::uint8_t { exclusive, shared };
/// `ask`: the caller takes its place in the queue, where a lock has one; `settle`: what the answer is of.
enum class Part : std::uint8_t { settle, ask };

struct Call {
  Verb verb = Verb::lock;
  Thread thread = nobody;
  Mode mode = Mode::exclusive;
  Part part = Part::settle;
  Time from = 0, until = never;
  Time lease = never;  // what it is granted may end by itself so long after
};

constexpr bool is_acquire(Verb verb) { return verb == Verb::lock || verb == Verb::try_lock; }
constexpr bool is_question(Verb verb) { return verb == Verb::is_locked || verb == Verb::is_held; }

enum class Said : std::uint8_t {
  granted,   // of lock, trylock
  refused,   // because of somebody
  done,      // of unlock, force-unlock
  not_held,  // of unlock: it was not the caller's
  yes,       // of questions, and of force-unlock: there was somebody
  no,
  nothing,  // it surely had no effect, and nobody says why
  unknown,  // never answered: it took effect as it was meant to, if it did
};

struct Answer {
  Said said = Said::unknown;
  std::optional<std::int64_t> token;  // of a grant of a fenced lock
};

}  // namespace lockstep::histories
