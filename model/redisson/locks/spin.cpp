// spin.cpp: Redisson's RedissonSpinLock (getSpinLock, since 3.15.0): the plain lock without a channel.
//
//   1. The lock is stored like the plain lock, and taken and renewed by its scripts (plain.cpp). Without a
//      lease of the caller's own it asks for the one that its object asked for last, at first the watchdog's.
//   2. unlock: the sender holds it: one less. Some left: the lease anew, 0. None left: the key goes, 1. The
//      sender does not hold it: nil. Whatever the answer, one hold less is renewed. force-unlock: the key
//      goes, 1; there was none: 0. Nothing is published.
//   3. Who is refused sleeps and asks again. The remaining time that the answer names is not looked at. The
//      sleep is 1 ms at first; after n sleeps the next is twice the last one and up to n-1 ms more by chance,
//      128 ms at most, and stays at 128 (LockOptions.ExponentialBackOff).
//   4. tryLock(wait) looks at its time after each refusal; a sleep is not shortened for it.
//      Up to 3.17.0 it looks at it after a grant, too, unless that is the first answer: it returns false, and
//      the lock stays.
//   5. An interrupt of the sleep throws, out of lock(), too.
//   6. Calls that return a future sleep by a timer of the client (spinning_futures.h).
//
// A set of a user's without scripts of its own for 2. is served by those of the plain lock; what they publish
// is heard by nobody. Since 3.24.0 an unlock has a latch as in plain.cpp. Not modelled: other parameters of
// the back-off, LockOptions.ConstantBackOff.
// Sources: RedissonSpinLock.lockInterruptibly, tryLock, tryAcquireAsync, unlockInnerAsync, forceUnlockAsync.
#include <array>

#include "model/program/interpreter.h"
#include "model/redisson/library.h"
#include "model/redisson/locks/plain.h"
#include "model/redisson/locks/spinning_futures.h"
#include "model/redisson/locks/waiting.h"
#include "sim/base/overloaded.h"
#include "sim/base/verify.h"

namespace lockstep::redisson {

extern const model::LockKind spin;

namespace {

using model::Call;
using model::Intent;
using model::Process;
using model::Role;

/// 3.: the thread goes on when `lo` is over at the earliest, and when `hi` is at the latest.
struct Sleeping {
  sim::Timer lo, hi;
  Duration longest{};  // what `hi` was at first: with what is left of it, how long the sleep was
  bool operator==(const Sleeping&) const = default;
  static auto fields(auto& s) { return std::tie(s.lo, s.hi, s.longest); }
};

struct Spinning {
  static constexpr std::string_view kind = "spinning";

  std::variant<Asking, Answered, Sleeping, Releasing, Released> at;
  BackOff back_off;

  bool operator==(const Spinning&) const = default;
  static auto fields(auto& s) { return std::tie(s.at, s.back_off); }
};
static_assert(sim::State<Spinning>);

Spinning& state(Caller caller) { return caller.in<Spinning>(); }
const Spinning& state(const Call& call) { return call.state.get<Spinning>(); }

/// 1.
void ask(Caller caller) {
  ask_for_spin_lock(caller);
  state(caller).at = Asking{};
}

/// 3.
Sleeping next_sleep(const BackOff& back_off) {
  const model::Interval sleep = back_off.next();
  return {{sleep.lo}, {sleep.hi}, sleep.hi};
}

/// 4.
bool too_late(Caller caller) {
  const Call& call = caller.call();
  const bool asked_again = state(caller).back_off.last > Duration::zero();
  return asked_again && call.time_left && call.time_left->over() &&
         settings_of(caller.context).spin_late_grant_refused;
}

void go_on_answered(Caller caller, const Answered& answered) {
  const Call& call = caller.call();
  if (answered.outcome == Outcome::failed) return model::return_from_call(caller, Answer::exception);
  if (answered.outcome == Outcome::granted)
    return model::return_from_call(caller, too_late(caller) ? Answer::no : Answer::yes);
  if (!call.waits || (call.time_left && call.time_left->over()))
    return model::return_from_call(caller, Answer::no);
  const bool endless = settings_of(caller.context).back_off_endless;
  if (endless) state(caller).at = Sleeping{{sim::never}, {sim::never}, {}};
  else state(caller).at = next_sleep(state(caller).back_off);
}

void go_on_asleep(Caller caller, const Sleeping& sleeping) {
  state(caller).back_off.slept(sleeping.longest - sleeping.hi.left);
  ask(caller);
}

void invoke(Caller caller, const model::Step& step) {
  caller.call().state = Spinning{};
  if (model::is_acquire(step.kind)) {
    if (caller.setup().objects[step.object].fresh)
      forget_lease(of(caller.client()), caller.setup(), step.object, caller.id);
    return ask(caller);
  }
  ask_for_release(caller);
  state(caller).at = Releasing{};
}

bool may_resume(const Process& process, const Setup& setup, ThreadId thread) {
  const Call& call = *process.threads[setup.threads[thread.index()].place].call;
  return std::visit(sim::overloaded{
                        [](const Asking&) { return false; },
                        [](const Answered&) { return true; },
                        [](const Sleeping& sleeping) { return sleeping.lo.due(); },
                        [](const Releasing&) { return false; },
                        [](const Released&) { return true; },
                    },
                    state(call).at);
}

std::optional<sim::Timer> at_latest(const Call& call) {
  const auto* sleeping = std::get_if<Sleeping>(&state(call).at);
  if (sleeping == nullptr || sleeping->hi.left == sleeping->lo.left) return std::nullopt;
  return sleeping->hi;
}

void resume(Caller caller) {
  const auto before = state(caller).at;
  std::visit(sim::overloaded{
                 [&](const Answered& answered) { go_on_answered(caller, answered); },
                 [&](const Sleeping& sleeping) { go_on_asleep(caller, sleeping); },
                 [&](const Released& released) { model::return_from_call(caller, released.answer); },
                 [](const auto&) { UNREACHABLE("a thread that can go on"); },
             },
             before);
}

void answered(Caller caller, const Request& request, const Items& items, bool gone) {
  take_answer<Spinning>(caller, request, items, gone);
}

bool interruptible(const Call& call) {
  const auto& at = state(call).at;
  return std::holds_alternative<Asking>(at) || std::holds_alternative<Sleeping>(at);
}

/// 5.
void interrupt(Caller caller) { model::return_from_call(caller, Answer::exception); }

constexpr std::array<std::string_view, std::variant_size_v<decltype(Spinning::at)>> spinning_states{
    "asking", "answered", "sleeping", "releasing", "released"};

const model::Machine spinning{.name = "spinning",
                              .invoke = invoke,
                              .may_resume = may_resume,
                              .at_latest = at_latest,
                              .resume = resume,
                              .answered = answered,
                              .granted = was_granted<Spinning>,
                              .interruptible = interruptible,
                              .interrupt = interrupt,
                              .states = spinning_states,
                              .state = model::number_of_state<Spinning>};

const std::array spin_roles{
    Role{.name = "spin-lock", .intent = Intent::acquire, .read = read_acquire, .otherwise = "lock"},
    Role{.name = "spin-unlock", .intent = Intent::release, .read = read_release, .otherwise = "unlock"},
    Role{.name = "renew", .intent = Intent::renew, .read = read_renewal},
    Role{.name = "spin-force-unlock",
         .intent = Intent::force_release,
         .read = read_force_release,
         .otherwise = "force-unlock"},
    extends,
    asks_held,
    asks_locked,
    deletes_latch,
    asks_count,
    asks_time,
};

}  // namespace

const model::LockKind spin{.name = "spin",
                           .says = "stored like the plain lock; who is refused sleeps and asks again",
                           .since = "3.15.0",
                           .roles = spin_roles,
                           .keys = plain_keys(),
                           .args = plain_args(),
                           .shape = &hash_of_holders,
                           .other_shapes = plain_other_shapes,
                           .machine = &spinning,
                           .listening = &spinning_futures,
                           .library = &library,
                           .promises = {.reentrant = true, .expires = true, .notices = BackOff::longest}};

}  // namespace lockstep::redisson
