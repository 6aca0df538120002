#include "model/redisson/renewal.h"

#include <array>

#include "sim/base/verify.h"

namespace lockstep::redisson {

namespace {

using model::Intent;
using model::Purpose;

Duration lease_renewed(ClientStep step, std::uint16_t object, ThreadId thread) {
  const Settings& settings = settings_of(step.context);
  if (settings.renews_for_watchdog_time) return settings.watchdog;
  return lease_of(of(step.own()), step.context, object, thread);
}

}  // namespace

const Generation& generation_of(const model::Context& context) {
  static constexpr std::array all{&per_thread, &per_lock, &per_client};
  const std::size_t number = settings_of(context).watchdog_generation;
  VERIFY(number >= 1 && number <= all.size());
  return *all[number - 1];
}

Duration renewal_period(ClientStep step, std::uint16_t object, ThreadId thread) {
  return Duration{lease_renewed(step, object, thread).count() / 3};
}

void send_renewal(ClientStep step, const Watchdog::Due& due) {
  const Setup& setup = step.context.setup;
  const model::LockKind& kind = model::kind_of(setup, due.object);
  const model::Role* role = model::role_for(kind, Intent::renew);
  VERIFY(role != nullptr);
  model::send(step.context, Purpose{.kind = setup.objects[due.object].kind,
                                    .role = static_cast<std::uint16_t>(role - kind.roles.data()),
                                    .thread = due.thread,
                                    .incarnation = step.process.incarnation,
                                    .client = step.client,
                                    .lock = due.lock,
                                    .object = due.object,
                                    .lease = lease_renewed(step, due.object, due.owner),
                                    .watched = false,
                                    .owner = due.owner});
}

bool tell_renewal(ClientStep step, const Purpose& renewal, const Items& items) {
  const bool renewed = says(items, Meaning::renewed);
  const std::string lock = lock_of(renewal, step.context.setup);
  step.context.out.seen.push_back(model::RenewalAnswered{step.context.self, renewal.thread, lock, renewed});
  return renewed;
}

}  // namespace lockstep::redisson
