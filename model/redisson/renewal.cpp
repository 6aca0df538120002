#include "model/redisson/renewal.h"

#include <array>

#include "model/client/requests.h"
#include "sim/base/verify.h"

namespace lockstep::redisson {

namespace {

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
  model::send_renewal(step, {.object = due.object,
                             .lock = due.lock,
                             .thread = due.thread,
                             .owner = due.owner,
                             .lease = lease_renewed(step, due.object, due.owner)});
}

bool tell_renewal(ClientStep step, const Purpose& renewal, const Items& items) {
  const bool renewed = says(items, Meaning::renewed);
  const std::string lock = lock_of(renewal, step.context.setup);
  step.context.out.seen.push_back(model::RenewalAnswered{step.context.self, renewal.thread, lock, renewed});
  return renewed;
}

}  // namespace lockstep::redisson
