// thread.h: one thread of a process: where it is in its program, and in the call it is making.
//
// lock(), as a thread lives it (Redisson 3.10.5, RedissonLock.lock):
//   1. Asking: the acquire script is under way.
//   2. Answered: the reply handler has seen the answer (it arms the watchdog); the thread has not gone on
//      yet.
//   3. Granted: the call returns. Refused: the thread subscribes to the release channel and waits for the
//      confirmation.
//   4. Confirmed: it asks again.
//   5. Refused again: it takes a stored permit and asks again, or parks until a permit comes or the holder's
//      lease, as the answer told it, has run out; then it asks again.
//   6. However the call ends, it drops its subscription.
// tryLock() stops after 3. tryLock(wait) is the same with what is left of the wait looked at after every
// step: at zero the call returns false, even if a permit was just taken (§4.6). unlock() is one script and
// its answer (§4.8).
//
// The states below stand in that order. Between two steps of the program the thread is Ready; a step that is
// done in the process alone (expect, signal, the bookkeeping of repeat) is not a state.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/redisson/machine.h"

namespace lockstep::redisson {

struct Ready {
  bool operator==(const Ready&) const = default;
};
/// start, think, work: at least `lo` and at most `hi` are left.
struct Busy {
  Duration lo{}, hi{};
  bool operator==(const Busy&) const = default;
  static auto fields(auto& b) { return std::tie(b.lo, b.hi); }
};
struct Asking {  // 1., 4.
  bool operator==(const Asking&) const = default;
};
enum class Verdict : std::uint8_t { granted, refused, failed };
struct Answered {  // 2.
  Verdict verdict = Verdict::granted;
  std::int64_t ttl_ms = 0;  // refused: what the script returned
  bool operator==(const Answered&) const = default;
  static auto fields(auto& a) { return std::tie(a.verdict, a.ttl_ms); }
};
struct Subscribing {  // 3.
  Duration left{};    // until the thread gives up
  bool operator==(const Subscribing&) const = default;
  static auto fields(auto& s) { return std::tie(s.left); }
};
struct Subscribed {  // 4.
  bool operator==(const Subscribed&) const = default;
};
struct Parked {  // 5.
  Duration left{};
  bool operator==(const Parked&) const = default;
  static auto fields(auto& p) { return std::tie(p.left); }
};
struct Releasing {  // unlock, force-unlock: the script is under way
  bool operator==(const Releasing&) const = default;
};
struct Released {  // its reply handler has run
  Answer answer = Answer::yes;
  bool operator==(const Released&) const = default;
  static auto fields(auto& r) { return std::tie(r.answer); }
};
struct AwaitingSignal {
  std::uint16_t signal = 0;
  bool operator==(const AwaitingSignal&) const = default;
  static auto fields(auto& a) { return std::tie(a.signal); }
};
struct Ended {
  bool operator==(const Ended&) const = default;
};

using Activity = std::variant<Ready, Busy, Asking, Answered, Subscribing, Subscribed, Parked, Releasing,
                              Released, AwaitingSignal, Ended>;

/// The call a thread is making.
struct Call {
  StepKind kind = StepKind::lock;
  std::uint16_t object = 0;
  std::string lock;                   // the key
  std::optional<Duration> time_left;  // of trylock wait=…: counts down all the time
  std::optional<Duration> lease;      // as the caller gave it; absent: watchdog
  bool asked_before = false;          // the first acquire has been answered
  bool subscribed = false;            // holds a reference to the subscription

  bool operator==(const Call&) const = default;
  static auto fields(auto& c) {
    return std::tie(c.kind, c.object, c.lock, c.time_left, c.lease, c.asked_before, c.subscribed);
  }
};

struct Thread {
  std::uint32_t step = 0;            // of its program: the one it is at, or will begin
  std::vector<std::uint32_t> loops;  // rounds left of each repeat it is inside, outermost first
  Activity activity = Ready{};
  std::optional<Call> call;
  std::optional<Answer> answer;          // of the last call, for expect
  std::optional<std::uint32_t> refused;  // where to go on after a refused trylock, once its expects are done
  bool thrown = false;                   // an exception is on its way up; only `expect exception` catches it
  std::uint32_t fresh = 0;               // how many fresh keys it has taken

  bool operator==(const Thread&) const = default;
  static auto fields(auto& t) {
    return std::tie(t.step, t.loops, t.activity, t.call, t.answer, t.refused, t.thrown, t.fresh);
  }
};
static_assert(sim::State<Call> && sim::State<Thread>);

}  // namespace lockstep::redisson
