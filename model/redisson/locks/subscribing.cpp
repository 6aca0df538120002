#include "model/redisson/locks/subscribing.h"

#include "model/redisson/locks/listening.h"
#include "sim/base/verify.h"

namespace lockstep::redisson {

namespace {

/// Where nothing is lost or late, no state need count down to that.
bool may_go_unconfirmed(const Setup& setup) { return !setup.faults.none() || !setup.fixed.empty(); }

}  // namespace

Channels channels_of(ClientStep step) {
  const Duration patience = settings_of(step.context).confirmation_timeout;
  const bool waits = patience > Duration::zero() && may_go_unconfirmed(step.context.setup);
  Channels channels{step.context.out, step.client, waits ? patience : sim::never};
  channels.sharded = is_sharded(step.context.setup, step.context.self);
  return channels;
}

Channel channel_of(Caller caller) {
  const model::Call& call = caller.call();
  const Setup& setup = caller.setup();
  const model::Purpose purpose{.kind = setup.objects[call.object].kind,
                               .thread = caller.id,
                               .incarnation = caller.process.incarnation,
                               .client = client_of(setup, call.object),
                               .lock = call.lock,
                               .object = call.object,
                               .owner = std::nullopt};
  model::Wording wording{setup, purpose};
  for (const model::Word& word : caller.kind().keys) {
    if (word.name != "channel") continue;
    const std::string name = word.fill(wording);
    if (caller.kind().queues) return {name + ":" + model::holder_of(purpose, setup), 0};
    if (setup.objects[call.object].fresh) return {name, 0};
    return {name, stripe_of(name, settings_of(caller.context).channel_stripes)};
  }
  UNREACHABLE("a lock that publishes its release has a channel");
}

std::string entry_of(const model::Process& process, const Setup& setup, ThreadId thread,
                     const model::Call& call) {
  if (!model::kind_of(setup, call.object).queues) return call.lock;
  return call.lock + ":" +
         model::holder_name(setup, thread, process.incarnation, client_of(setup, call.object));
}

std::string entry_of(Caller caller) {
  return entry_of(caller.process, caller.setup(), caller.id, caller.call());
}

namespace {

/// faster_multi.cpp, 10.: a future of several locks that share a key, but for the first request of a tryLock.
void ask_without_watchdog(Caller caller) {
  const model::Call& call = caller.call();
  const auto& wait = caller.step().wait;
  const bool in_seconds = wait && wait->count() % 1'000 == 0;
  send_in_wait(caller, model::Intent::acquire, call.lease.value_or(Duration{in_seconds ? -1'000 : -1}), {});
  caller.context.out.requests.back().request.purpose.watched = false;
}

}  // namespace

void ask_again(Caller caller, Duration wait_of_member) {
  const bool first = caller.call().verb == model::StepKind::try_lock && caller.task != 0 &&
                     !caller.in<Listening>().asked_before;
  if (caller.kind().shares_key && caller.task != 0 && !first) return ask_without_watchdog(caller);
  const Settings& settings = settings_of(caller.context);
  if (settings.granted_sets_lease)
    ask_for_lock(caller, lease_of(of(caller.client()), caller.context, caller.call().object, caller.id),
                 LeaseField::set_by_grant, wait_of_member);
  else ask_for_lock(caller, settings.watchdog, LeaseField::set_by_asking, wait_of_member);
}

bool says_that_it_gives_up(Caller caller) {
  const model::Role* role = model::role_for(caller.kind(), model::Intent::give_up);
  const auto& scripts = caller.setup().scripts_of(caller.context.self);
  return caller.call().waits && role != nullptr && model::script_for(*role, scripts) != nullptr;
}

Duration longest_wait(Caller caller, std::optional<Duration> holder_has_left) {
  const auto& time_left = caller.call().time_left;
  if (time_left && (!holder_has_left || *holder_has_left >= time_left->left)) return time_left->left;
  return holder_has_left ? *holder_has_left + settings_of(caller.context).ttl_wait_extra : sim::never;
}

}  // namespace lockstep::redisson
