#include "model/redisson/locks/spinning_futures.h"

#include <algorithm>
#include <array>

#include "model/program/interpreter.h"
#include "model/redisson/locks/futures.h"
#include "model/redisson/locks/waiting.h"

namespace lockstep::redisson {

model::Interval BackOff::next() const {
  if (last == longest) return {longest, longest};
  if (sleeps == 0) return {Duration{1}, Duration{1}};
  return {std::min(longest, last * 2), std::min(longest, last * 2 + Duration{sleeps - 1})};
}

void BackOff::slept(Duration how_long) {
  last = how_long;
  sleeps = last == longest ? 0 : static_cast<std::uint16_t>(sleeps + 1);
}

void ask_for_spin_lock(Caller caller) {
  const Duration last = lease_of(of(caller.client()), caller.context, caller.call().object, caller.id);
  ask_for_lock(caller, last, LeaseField::set_by_asking);
}

namespace {

struct SpinningFuture {
  static constexpr std::string_view kind = "spinning future";

  enum class At : std::uint8_t { asking, sleeping, releasing };
  At at = At::asking;
  BackOff back_off;
  std::optional<Duration> wait{};  // 3.: what was left of it when the sleep began, if that does not count

  bool operator==(const SpinningFuture&) const = default;
  static auto fields(auto& s) { return std::tie(s.at, s.back_off, s.wait); }
};
static_assert(sim::State<SpinningFuture>);

using At = SpinningFuture::At;

SpinningFuture& state(Caller caller) { return caller.in<SpinningFuture>(); }

void ask(Caller caller) {
  ask_for_spin_lock(caller);
  state(caller).at = At::asking;
}

/// 2.
void sleep(Caller caller) {
  SpinningFuture& own = state(caller);
  own.at = At::sleeping;
  if (settings_of(caller.context).spin_sleeps_uncounted && caller.call().time_left) {
    own.wait = caller.call().time_left->left;
    caller.call().time_left.reset();
  }
  model::Interval length = own.back_off.next();
  if (settings_of(caller.context).back_off_endless) length = {sim::never, sim::never};
  of(caller.client())
      .asleep.push_back({.lock = caller.call().lock,
                         .thread = caller.id,
                         .task = caller.task,
                         .lo = {length.lo},
                         .hi = {length.hi},
                         .longest = length.hi});
}

void acquire_answered(Caller caller, const Request& request, const Items& items) {
  watch_if_granted(caller, request, items);
  switch (answered_with(items).outcome) {
    case Outcome::granted:
      if (caller.call().waits && is_cancelled(caller)) give_back(caller);
      return model::return_from_call(caller, Answer::yes);
    case Outcome::refused:
      caller.context.out.seen.push_back(model::Refused{caller.id, lock_of(request, caller.setup())});
      if (!caller.call().waits || (caller.call().time_left && caller.call().time_left->over()))
        return model::return_from_call(caller, Answer::no);
      return sleep(caller);
    case Outcome::failed:
    case Outcome::swallowed:
      return model::return_from_call(caller, Answer::exception);
  }
}

void invoke(Caller caller, const model::Step& step) {
  caller.call().state = SpinningFuture{};
  if (!model::is_acquire(step.kind)) {
    ask_for_release(caller);
    state(caller).at = At::releasing;
    return;
  }
  if (caller.setup().objects[step.object].fresh)
    forget_lease(of(caller.client()), caller.setup(), step.object, caller.id);
  ask(caller);
}

void answered(Caller caller, const Request& request, const Items& items, bool) {
  if (model::role_of(request.purpose, caller.setup()).intent == model::Intent::acquire)
    return acquire_answered(caller, request, items);
  model::return_from_call(caller, release_answered(caller, request, items));
}

constexpr std::array<std::string_view, 3> states_of_futures{"asking", "sleeping", "releasing"};

}  // namespace

void future_slept(Caller caller, Duration how_long) {
  SpinningFuture& own = state(caller);
  own.back_off.slept(how_long);
  if (own.wait) caller.call().time_left = sim::Countdown{*std::exchange(own.wait, {})};
  ask(caller);
}

const model::Machine spinning_futures{
    .name = "spinning futures",
    .invoke = invoke,
    .answered = answered,
    .states = states_of_futures,
    .state = model::number_of_state<SpinningFuture>};

}  // namespace lockstep::redisson
