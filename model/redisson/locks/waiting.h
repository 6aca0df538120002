// waiting.h: the machine of locks whose release is published: a thread that is refused waits for a message.
//
// lock(), as a thread lives it (Redisson 3.10.5, RedissonLock.lock):
//   1. Asking: the acquire request is under way.
//   2. Answered: the reply handler has seen the answer (it arms the watchdog); the thread has not gone on
//      yet.
//   3. Granted: the call returns. Refused: the thread subscribes to the release channel and waits for the
//      confirmation.
//   4. Confirmed: it asks again.
//   5. Refused again: it takes a stored wake-up and asks again, or parks until one comes or the holder's
//      lease, as the answer told it, has run out; then it asks again.
//   6. However the call ends, it drops its subscription.
//   7. An interrupt ends a wait for an answer or for a confirmation with an exception, and so it does when
//      lockInterruptibly() or tryLock(wait) is parked. A parked lock() returns without the lock up to 3.10.5.
//      Later it waits for the same time once more, from its beginning, and throws at the next interrupt; if
//      the holder has no lease it stays parked, and throws when it has asked again.
//
// A tryLock(wait) that ends without the lock because its time is up says so first, if its kind has a role for
// that (fair.cpp), and waits for the answer: it gives up. Whom an interrupt ends does not, nor a lock() whose
// subscription is not confirmed.
// tryLock() stops after 3. tryLock(wait) is the same with what is left of the wait looked at after every
// step: at zero the call returns false, even if a wake-up was just taken; since 4.7.0 also if nobody answers
// when it asks again. unlock() is one request and its answer.
//
// The states below stand in that order.
#pragma once

#include <optional>
#include <variant>

#include "model/client/machine.h"
#include "model/redisson/library.h"
#include "sim/base/verify.h"

namespace lockstep::redisson {

struct Asking {  // 1., 4.
  bool operator==(const Asking&) const = default;
};
enum class Outcome : std::uint8_t { granted, refused, failed, swallowed };
struct Answered {  // 2.
  Outcome outcome = Outcome::granted;
  std::optional<sim::Duration> wait;  // refused: until the holder's lease runs out; absent: it has none
  std::optional<std::int64_t> token;  // granted: the one that came with it
  bool operator==(const Answered&) const = default;
  static auto fields(auto& a) { return std::tie(a.outcome, a.wait, a.token); }
};
struct Subscribing {  // 3.
  sim::Timer left;    // until the thread gives up
  bool operator==(const Subscribing&) const = default;
  static auto fields(auto& s) { return std::tie(s.left); }
};
struct Subscribed {  // 4.
  bool operator==(const Subscribed&) const = default;
};
struct Parked {  // 5., 7.
  sim::Timer left;
  std::optional<sim::Duration> again;  // after an interrupt it waits once more for so long
  bool flagged = false;                // it was interrupted, and does not notice before it has to wait again
  bool operator==(const Parked&) const = default;
  static auto fields(auto& p) { return std::tie(p.left, p.again, p.flagged); }
};
struct GivingUp {  // that request is under way
  bool operator==(const GivingUp&) const = default;
};
struct GaveUp {  // it was answered
  model::Answer answer = model::Answer::no;
  bool operator==(const GaveUp&) const = default;
  static auto fields(auto& g) { return std::tie(g.answer); }
};
struct Releasing {  // unlock, force-unlock: the request is under way
  bool operator==(const Releasing&) const = default;
};
struct Released {  // its reply handler has run
  model::Answer answer = model::Answer::yes;
  bool operator==(const Released&) const = default;
  static auto fields(auto& r) { return std::tie(r.answer); }
};

struct Waiting {
  static constexpr std::string_view kind = "waiting";

  std::variant<Asking, Answered, Subscribing, Subscribed, Parked, GivingUp, GaveUp, Releasing, Released> at;
  bool asked_before = false;  // the first acquire has been answered
  bool subscribed = false;    // holds a reference to the subscription
  sim::Duration wait_of_member{};  // that it says, if it has a queue and is a member of another lock

  bool operator==(const Waiting&) const = default;
  static auto fields(auto& w) { return std::tie(w.at, w.asked_before, w.subscribed, w.wait_of_member); }
};
static_assert(sim::State<Waiting>);

extern const model::Machine waiting;

/// What the answer to an acquire makes of a call.
Answered answered_with(const model::Items& items);

/// What the machines of locks that the same scripts serve do with an answer, whatever else their calls live
/// through: State::at comes to be Answered or Released, unless the thread is gone.
template <class State>
void take_answer(Caller caller, const Request& request, const model::Items& items, bool gone) {
  if (model::role_of(request.purpose, caller.setup()).intent != model::Intent::acquire) {
    const model::Answer answer = release_answered(caller, request, items);
    if (!gone) caller.in<State>().at = Released{answer};
    return;
  }
  watch_if_granted(caller, request, items);
  if (says(items, model::Meaning::refused))
    caller.context.out.seen.push_back(model::Refused{caller.id, lock_of(request, caller.setup())});
  if (gone) return;
  VERIFY(std::holds_alternative<Asking>(caller.in<State>().at));
  caller.in<State>().at = answered_with(items);
}

template <class State>
bool was_granted(const model::Call& call) {
  const auto* answered = std::get_if<Answered>(&call.state.get<State>().at);
  return answered != nullptr && answered->outcome == Outcome::granted;
}

/// 4.: the thread's subscription stands; or it never will.
void subscription_confirmed(model::Caller caller);
void subscription_failed(model::Caller caller);

}  // namespace lockstep::redisson
