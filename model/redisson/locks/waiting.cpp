#include "model/client/stages.h"
#include "model/redisson/locks/waiting.h"

#include <algorithm>

#include "model/program/interpreter.h"
#include "model/redisson/library.h"
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

LockPubSub& pub_sub(Caller caller) { return of(caller.client()).pub_sub; }
Channels channels(Caller caller) { return {caller.context.out, caller.library().client}; }

/// Where the release of the caller's lock is published: what its kind fills in as the word `channel`.
std::string channel_of(Caller caller) {
  const Call& call = caller.call();
  const Setup& setup = caller.setup();
  const model::Purpose purpose{.kind = setup.objects[call.object].kind,
                               .thread = caller.id,
                               .incarnation = caller.process.incarnation,
                               .client = client_of(setup, call.object),
                               .lock = call.lock,
                               .object = call.object,
                               .owner = std::nullopt};
  model::Wording wording{setup, purpose};
  for (const model::Word& word : caller.kind().keys)
    if (word.name == "channel")
      return word.fill(wording) + (caller.kind().queues ? ":" + model::holder_of(purpose, setup) : "");
  UNREACHABLE("a lock that publishes its release has a channel");
}

/// The entry of its subscription: of the lock, or the thread's own (LockPubSub.subscribe(entryName)).
std::string entry_of(const Process& process, const Setup& setup, ThreadId thread) {
  const Call& call = *process.threads[setup.threads[thread.index()].place].call;
  if (!model::kind_of(setup, call.object).queues) return call.lock;
  return call.lock + ":" +
         model::holder_name(setup, thread, process.incarnation, client_of(setup, call.object));
}
std::string entry_of(Caller caller) { return entry_of(caller.process, caller.setup(), caller.id); }

void ask(Caller caller) {
  const Settings& settings = settings_of(caller.context);
  if (settings.granted_sets_lease)
    ask_for_lock(caller, lease_of(of(caller.client()), caller.context, caller.call().object, caller.id),
                 LeaseField::set_by_grant, state(caller).wait_of_member);
  else
    ask_for_lock(caller, settings.watchdog, LeaseField::set_by_asking, state(caller).wait_of_member);
  state(caller).at = Asking{};
}

void drop_subscription(Caller caller) {
  if (!state(caller).subscribed) return;
  state(caller).subscribed = false;
  if (settings_of(caller.context).unsubscribe_forgotten) return;
  pub_sub(caller).unsubscribe(entry_of(caller), channels(caller));
}

void finish(Caller caller, Answer answer, std::optional<std::int64_t> token = std::nullopt) {
  drop_subscription(caller);
  model::return_from_call(caller, answer, token);
}

/// The time of a tryLock is up.
void give_up(Caller caller) {
  const model::Role* role = model::role_for(caller.kind(), model::Intent::give_up);
  const auto& scripts = caller.setup().scripts_of(caller.context.self);
  if (!caller.call().waits || role == nullptr || model::script_for(*role, scripts) == nullptr)
    return finish(caller, Answer::no);
  send_in_wait(caller, model::Intent::give_up, Duration::zero(), state(caller).wait_of_member);
  state(caller).at = GivingUp{};
}

/// 3.
void subscribe(Caller caller) {
  state(caller).subscribed = true;
  if (pub_sub(caller).subscribe(entry_of(caller), channel_of(caller), caller.id, channels(caller)))
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
  Duration until = wait ? *wait + settings_of(caller.context).ttl_wait_extra : sim::never;
  if (call.time_left && (!wait || *wait >= call.time_left->left)) until = call.time_left->left;
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
                          const std::string entry = entry_of(process, setup, thread);
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

}  // namespace

const model::Machine waiting{.name = "waiting",
                             .invoke = invoke,
                             .may_resume = may_resume,
                             .resume = resume,
                             .answered = answered,
                             .granted = was_granted<Waiting>,
                             .interruptible = interruptible,
                             .interrupt = interrupt};

Answered answered_with(const Items& items) {
  for (const model::Item& item : items) {
    if (item.what == Meaning::granted) return {Outcome::granted, std::nullopt, item.number};
    if (item.what == Meaning::refused) return {Outcome::refused, item.wait, std::nullopt};
  }
  return {Outcome::failed, std::nullopt, std::nullopt};
}

void subscription_confirmed(Caller caller) { state(caller).at = Subscribed{}; }

extern const model::Stages waiting_stages;
const model::Stages waiting_stages = model::stages_in<Waiting>();

}  // namespace lockstep::redisson
