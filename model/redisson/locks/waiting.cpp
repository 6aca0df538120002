#include "model/redisson/locks/waiting.h"

#include <algorithm>
#include <array>

#include "model/program/interpreter.h"
#include "model/redisson/locks/subscribing.h"
#include "sim/base/overloaded.h"
#include "sim/base/verify.h"

namespace lockstep::redisson {

namespace {

using model::Call;
using model::Process;
using model::Step;

Waiting& state(Caller caller) { return caller.in<Waiting>(); }
const Waiting& state(const Call& call) { return call.state.get<Waiting>(); }

bool out_of_time(const Call& call) { return call.time_left && call.time_left->over(); }

LockPubSub& pub_sub(Caller caller) { return pub_sub_of(caller); }

void ask(Caller caller) {
  ask_again(caller, state(caller).wait_of_member);
  state(caller).at = Asking{};
}

void drop_subscription(Caller caller) {
  if (!state(caller).subscribed) return;
  state(caller).subscribed = false;
  if (settings_of(caller.context).unsubscribe_forgotten) return;
  pub_sub(caller).unsubscribe(entry_of(caller), channels_of(caller.library()));
}

void finish(Caller caller, Answer answer, std::optional<std::int64_t> token = std::nullopt) {
  drop_subscription(caller);
  model::return_from_call(caller, answer, token);
}

/// The time of a tryLock is up.
void give_up(Caller caller) {
  if (!says_that_it_gives_up(caller)) return finish(caller, Answer::no);
  send_in_wait(caller, model::Intent::give_up, Duration::zero(), state(caller).wait_of_member);
  state(caller).at = GivingUp{};
}

/// 3.
void subscribe(Caller caller) {
  state(caller).subscribed = true;
  const Channels channels = channels_of(caller.library());
  if (pub_sub(caller).subscribe(entry_of(caller), channel_of(caller), {caller.id}, channels))
    return ask(caller);
  const Duration at_most = caller.call().time_left ? caller.call().time_left->left
                                                   : settings_of(caller.context).subscription_timeout;
  state(caller).at = Subscribing{{at_most}};
}

/// Where there is no such fault a state need not tell how long a thread would wait once more.
bool may_be_interrupted(const Setup& setup) {
  return !setup.faults.none() || std::any_of(setup.fixed.begin(), setup.fixed.end(), [](const auto& fixed) {
    return fixed.aim == model::Aim::thread;
  });
}

/// 7.: an interrupt does not end it at once.
bool bears_interrupts(Caller caller) {
  return caller.call().verb == model::StepKind::lock &&
         !settings_of(caller.context).lock_returns_on_interrupt && may_be_interrupted(caller.setup());
}

/// 5.
void wait_for_release(Caller caller, std::optional<Duration> wait) {
  const Call& call = caller.call();
  const std::string entry = entry_of(caller);
  if (pub_sub(caller).take_permit(entry)) {
    if (out_of_time(call)) return give_up(caller);
    return ask(caller);
  }
  const Duration until = longest_wait(caller, wait);
  pub_sub(caller).park(entry, caller.id);
  Parked parked{.left = {until}, .again = {}};
  if (until != sim::never && bears_interrupts(caller)) parked.again = until;
  state(caller).at = parked;
  caller.context.out.seen.push_back(model::ParkedThread{caller.id, resource_of(call, caller.setup())});
}

void go_on_answered(Caller caller, const Answered& answered) {
  if (answered.outcome == Outcome::failed) return finish(caller, Answer::exception);
  if (answered.outcome == Outcome::swallowed) return give_up(caller);
  if (answered.outcome == Outcome::granted) return finish(caller, Answer::yes, answered.token);
  if (!caller.call().waits || out_of_time(caller.call())) return give_up(caller);
  if (state(caller).asked_before) return wait_for_release(caller, answered.wait);
  state(caller).asked_before = true;
  subscribe(caller);
}

void go_on_subscribed(Caller caller) {
  if (out_of_time(caller.call())) return give_up(caller);
  ask(caller);
}

/// The reference to the subscription goes when the confirmation comes.
void abandon_subscription(Caller caller) {
  state(caller).subscribed = false;
  pub_sub(caller).abandon(entry_of(caller), caller.id);
}

void go_on_unsubscribed(Caller caller) {
  abandon_subscription(caller);
  if (caller.call().time_left) return give_up(caller);
  model::return_from_call(caller, Answer::exception);
}

/// 7.: the request is sent, and nobody reads its answer.
void ask_interrupted(Caller caller) {
  ask(caller);
  caller.context.out.requests.back().caller_gone = true;
  finish(caller, Answer::exception);
}

void go_on_parked(Caller caller, const Parked& parked) {
  const std::string entry = entry_of(caller);
  const bool by_message = pub_sub(caller).may_wake(entry, caller.id);
  if (by_message) pub_sub(caller).take_permit(entry);
  pub_sub(caller).unpark(entry, caller.id);
  caller.context.out.seen.push_back(
      model::Woken{caller.id, resource_of(caller.call(), caller.setup()), by_message});
  if (out_of_time(caller.call())) return give_up(caller);
  if (parked.flagged) return ask_interrupted(caller);
  ask(caller);
}

void invoke(Caller caller, const Step& step) {
  caller.call().state = Waiting{};
  if (caller.kind().queues && !caller.call().outer.empty() && step.wait)
    state(caller).wait_of_member = *step.wait;
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
                        [](const Subscribing& subscribing) { return subscribing.left.due(); },
                        [](const Subscribed&) { return true; },
                        [&](const Parked& parked) {
                          const model::Client& client = process.clients[client_of(setup, call.object)];
                          const std::string entry = entry_of(process, setup, thread, call);
                          return parked.left.due() || of(client).pub_sub.may_wake(entry, thread);
                        },
                        [](const GivingUp&) { return false; },
                        [](const GaveUp&) { return true; },
                        [](const Releasing&) { return false; },
                        [](const Released&) { return true; },
                    },
                    state(call).at);
}

void resume(Caller caller) {
  const auto before = state(caller).at;
  std::visit(sim::overloaded{
                 [&](const Answered& answered) { go_on_answered(caller, answered); },
                 [&](const Subscribing&) { go_on_unsubscribed(caller); },
                 [&](const Subscribed&) { go_on_subscribed(caller); },
                 [&](const Parked& parked) { go_on_parked(caller, parked); },
                 [&](const GaveUp& gave_up) { finish(caller, gave_up.answer); },
                 [&](const Released& released) { model::return_from_call(caller, released.answer); },
                 [](const auto&) { UNREACHABLE("a thread that can go on"); },
             },
             before);
}

void answered(Caller caller, const Request& request, const Items& items, bool gone) {
  if (model::role_of(request.purpose, caller.setup()).intent == model::Intent::give_up) {
    if (!gone) state(caller).at = GaveUp{says(items, Meaning::failed) ? Answer::exception : Answer::no};
    return;
  }
  take_answer<Waiting>(caller, request, items, gone);
  if (gone || !says(items, Meaning::unanswered) || !caller.call().time_left) return;
  if (caller.kind().shares_key) return;  // faster_multi.cpp has no such catch
  if (state(caller).asked_before && settings_of(caller.context).try_lock_swallows_time_out)
    state(caller).at = Answered{.outcome = Outcome::swallowed, .wait = {}, .token = {}};
}

bool interruptible(const Call& call) {
  const auto& at = state(call).at;
  const auto* parked = std::get_if<Parked>(&at);
  return std::holds_alternative<Asking>(at) || std::holds_alternative<Subscribing>(at) ||
         (parked != nullptr && !parked->flagged) || std::holds_alternative<GivingUp>(at);
}

/// 7.: true if that was all.
bool bear_interrupt(Caller caller, const Parked& parked) {
  if (!bears_interrupts(caller)) return false;
  const bool endless = parked.left.left == sim::never;
  if (!endless && !parked.again) return false;
  const std::string entry = entry_of(caller);
  Parked now{.left = {endless ? sim::never : *parked.again}, .again = {}, .flagged = endless};
  if (!endless) {
    pub_sub(caller).unpark(entry, caller.id);
    if (pub_sub(caller).take_permit(entry)) return ask(caller), true;
    pub_sub(caller).park(entry, caller.id);
  }
  state(caller).at = now;
  return true;
}

/// A wait for an answer of the server throws in any case (CommandAsyncService.get); only the waits of lock()
/// itself are left by an InterruptedException, which lock() swallows up to 3.10.5.
void interrupt(Caller caller) {
  const auto at = state(caller).at;
  if (const auto* parked = std::get_if<Parked>(&at); parked != nullptr && bear_interrupt(caller, *parked))
    return;
  if (std::holds_alternative<Parked>(at)) pub_sub(caller).unpark(entry_of(caller), caller.id);
  if (std::holds_alternative<Subscribing>(at)) abandon_subscription(caller);
  const bool swallowed = !std::holds_alternative<Asking>(at) && !std::holds_alternative<GivingUp>(at) &&
                         caller.call().verb == model::StepKind::lock &&
                         settings_of(caller.context).lock_returns_on_interrupt;
  finish(caller, swallowed ? Answer::yes : Answer::exception);
}

constexpr std::array<std::string_view, std::variant_size_v<decltype(Waiting::at)>> waiting_states{
    "asking", "answered", "subscribing", "subscribed", "parked", "giving up", "gave up", "releasing",
    "released"};

}  // namespace

const model::Machine waiting{.name = "waiting",
                             .invoke = invoke,
                             .may_resume = may_resume,
                             .resume = resume,
                             .answered = answered,
                             .granted = was_granted<Waiting>,
                             .interruptible = interruptible,
                             .interrupt = interrupt,
                             .states = waiting_states,
                             .state = model::number_of_state<Waiting>};

Answered answered_with(const Items& items) {
  for (const model::Item& item : items) {
    if (item.what == Meaning::granted) return {Outcome::granted, std::nullopt, item.number};
    if (item.what == Meaning::refused) return {Outcome::refused, item.wait, std::nullopt};
  }
  return {Outcome::failed, std::nullopt, std::nullopt};
}

void subscription_confirmed(Caller caller) { state(caller).at = Subscribed{}; }

/// The thread notices as if its time were up.
void subscription_failed(Caller caller) { state(caller).at = Subscribing{{Duration::zero()}}; }

}  // namespace lockstep::redisson
