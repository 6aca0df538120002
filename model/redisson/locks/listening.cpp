#include "model/redisson/locks/listening.h"

#include <array>

#include "model/program/interpreter.h"
#include "model/redisson/locks/futures.h"
#include "model/redisson/locks/subscribing.h"
#include "model/redisson/locks/waiting.h"

namespace lockstep::redisson {

namespace {

using At = Listening::At;

Listening& state(Caller caller) { return caller.in<Listening>(); }

bool out_of_time(Caller caller) { return caller.call().time_left && caller.call().time_left->over(); }

void finish(Caller caller, Answer answer, std::optional<std::int64_t> token = std::nullopt) {
  if (std::exchange(state(caller).subscribed, false) && !settings_of(caller.context).unsubscribe_forgotten)
    pub_sub_of(caller).unsubscribe(entry_of(caller), channels_of(caller.library()));
  model::return_from_call(caller, answer, token);
}

void ask(Caller caller) {
  ask_again(caller, state(caller).wait_of_member);
  state(caller).at = At::asking;
}

/// 6.
void give_up(Caller caller) {
  if (!says_that_it_gives_up(caller)) return finish(caller, Answer::no);
  model::send(caller, model::Intent::give_up, Duration::zero());
  state(caller).at = At::giving_up;
}

void ask_in_time(Caller caller) {
  if (out_of_time(caller)) give_up(caller);
  else ask(caller);
}

/// 2.
void subscribe(Caller caller) {
  state(caller).subscribed = true;
  const Duration at_most = caller.call().time_left ? caller.call().time_left->left
                                                   : settings_of(caller.context).subscription_timeout;
  const Waiter waiter{caller.id, caller.task, {at_most}};
  if (pub_sub_of(caller).subscribe(entry_of(caller), channel_of(caller), waiter,
                                   channels_of(caller.library())))
    return ask(caller);
  state(caller).at = At::subscribing;
}

/// 3.
void listen(Caller caller, std::optional<Duration> wait) {
  pub_sub_of(caller).listen(entry_of(caller), {caller.id, caller.task, {longest_wait(caller, wait)}});
  state(caller).at = At::listening;
  state(caller).wait.reset();
  caller.context.out.seen.push_back(
      model::ParkedThread{caller.id, resource_of(caller.call(), caller.setup())});
}

/// 3., 4.
void wait_for_release(Caller caller, std::optional<Duration> wait) {
  if (pub_sub_of(caller).take_permit(entry_of(caller))) return ask_in_time(caller);
  if (settings_of(caller.context).listeners_take_permits) return listen(caller, wait);
  state(caller).at = At::about_to_listen;
  state(caller).wait = wait;
  pub_sub_of(caller)
      .entries.at(entry_of(caller))
      .undecided.push_back({caller.id, caller.task, {Duration::zero()}});
}

void refused(Caller caller, std::optional<Duration> wait) {
  if (!caller.call().waits || out_of_time(caller)) return give_up(caller);
  if (state(caller).asked_before) return wait_for_release(caller, wait);
  state(caller).asked_before = true;
  subscribe(caller);
}

void acquire_answered(Caller caller, const Request& request, const Items& items) {
  watch_if_granted(caller, request, items);
  const Answered now = answered_with(items);
  switch (now.outcome) {
    case Outcome::granted:
      if (is_cancelled(caller)) give_back(caller);
      return finish(caller, Answer::yes, now.token);
    case Outcome::refused:
      caller.context.out.seen.push_back(model::Refused{caller.id, lock_of(request, caller.setup())});
      return refused(caller, now.wait);
    case Outcome::failed:
    case Outcome::swallowed:
      return finish(caller, Answer::exception);
  }
}

void invoke(Caller caller, const model::Step& step) {
  caller.call().state = Listening{};
  if (caller.kind().queues && !caller.call().outer.empty() && step.wait)
    state(caller).wait_of_member = *step.wait;
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
  const model::Intent intent = model::role_of(request.purpose, caller.setup()).intent;
  if (intent == model::Intent::acquire) return acquire_answered(caller, request, items);
  if (intent == model::Intent::give_up)
    return finish(caller, says(items, Meaning::failed) ? Answer::exception : Answer::no);
  finish(caller, release_answered(caller, request, items));
}

void woken(Caller caller, bool by_message) {
  caller.context.out.seen.push_back(
      model::Woken{caller.id, resource_of(caller.call(), caller.setup()), by_message});
  ask_in_time(caller);
}

}  // namespace

void future_subscribed(Caller caller) { ask_in_time(caller); }

void future_not_subscribed(Caller caller) {
  pub_sub_of(caller).abandon(entry_of(caller), caller.id, caller.task);
  state(caller).subscribed = false;
  if (caller.call().time_left) return give_up(caller);
  finish(caller, Answer::exception);
}

void future_told(Caller caller) { woken(caller, true); }

void future_waited(Caller caller) {
  pub_sub_of(caller).forget_listener(entry_of(caller), caller.id, caller.task);
  if (state(caller).at == At::about_to_listen) return listen(caller, state(caller).wait);
  woken(caller, false);
}

namespace {

constexpr std::array<std::string_view, 6> listening_states{"asking",    "subscribing", "about to listen",
                                                           "listening", "giving up",   "releasing"};

}  // namespace

const model::Machine listening{
    .name = "listening",
    .invoke = invoke,
    .answered = answered,
    .states = listening_states,
    .state = model::number_of_state<Listening>};

}  // namespace lockstep::redisson
