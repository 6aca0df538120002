// cursor.h: one thread of a process: where it is in its program.
//
// Between two steps of the program the thread is Ready; a step that is done in the process alone (expect,
// signal, the bookkeeping of repeat) is not a state. While it makes a call it is InCall, and the state of the
// call is the business of its lock kind's machine (model/client/machine.h).
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "model/setup/program.h"
#include "sim/base/fields.h"
#include "sim/base/time.h"

namespace lockstep::model {

struct Ready {
  bool operator==(const Ready&) const = default;
};
/// start, think, work: at least `lo` and at most `hi` are left.
struct Busy {
  sim::Timer lo, hi;
  bool operator==(const Busy&) const = default;
  static auto fields(auto& b) { return std::tie(b.lo, b.hi); }
};
struct InCall {
  bool operator==(const InCall&) const = default;
};
struct AwaitingSignal {
  std::uint16_t signal = 0;
  bool operator==(const AwaitingSignal&) const = default;
  static auto fields(auto& a) { return std::tie(a.signal); }
};
struct Ended {
  bool operator==(const Ended&) const = default;
};
using Activity = std::variant<Ready, Busy, InCall, AwaitingSignal, Ended>;

struct Cursor {
  std::uint32_t step = 0;            // of its program: the one it is at, or will begin
  std::vector<std::uint32_t> loops;  // rounds left of each repeat it is inside, outermost first
  Activity activity = Ready{};
  std::optional<Answer> answer;          // of the last call, for expect
  std::optional<std::uint32_t> refused;  // where to go on after a refused trylock, once its expects are done
  bool thrown = false;                   // an exception is on its way up; only `expect exception` catches it
  /// Of each `finally` that it is inside, outermost first: the step whose exception goes on behind it.
  std::vector<std::optional<std::uint32_t>> finals;
  std::uint32_t fresh = 0;               // how many fresh keys it has taken
  std::uint32_t unanswered = 0;          // how many of its writes were never answered

  bool operator==(const Cursor&) const = default;
  static auto fields(auto& c) {
    return std::tie(c.step, c.loops, c.activity, c.answer, c.refused, c.thrown, c.finals, c.fresh,
                    c.unanswered);
  }
};
static_assert(sim::State<Cursor>);

}  // namespace lockstep::model
