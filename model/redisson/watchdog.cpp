#include "model/redisson/watchdog.h"

#include <algorithm>

#include "sim/base/verify.h"

namespace lockstep::redisson {

void Watchdog::add(const std::string& lock, ThreadId thread, std::uint16_t object, Duration period) {
  const bool first = !entries.contains(lock);
  auto& holds = entries[lock].holds;
  const auto mine =
      std::find_if(holds.begin(), holds.end(), [&](const auto& hold) { return hold.first == thread; });
  if (mine == holds.end()) holds.emplace_back(thread, 1);
  else ++mine->second;
  if (first) again(lock, object, thread, period);
}

std::vector<Watchdog::Due> Watchdog::fire(std::size_t timer) {
  VERIFY(timer < timers.size());
  const RenewalTimer fired = timers[timer];
  timers.erase(timers.begin() + static_cast<std::ptrdiff_t>(timer));
  const auto entry = entries.find(fired.lock);
  if (entry == entries.end() || entry->second.holds.empty()) return {};
  return {Due{fired.lock, fired.object, fired.owner, entry->second.holds.front().first}};
}

void Watchdog::again(const std::string& lock, std::uint16_t object, ThreadId owner, Duration period) {
  if (!entries.contains(lock)) return;
  for (RenewalTimer& timer : timers)
    if (timer.lock == lock) timer.last_set = false;
  timers.push_back({.lock = lock, .object = object, .owner = owner, .thread = {}, .left = {period}});
}

void Watchdog::cancel(const std::string& lock, ThreadId thread) {
  const auto found = entries.find(lock);
  if (found == entries.end()) return;
  auto& holds = found->second.holds;
  const auto mine =
      std::find_if(holds.begin(), holds.end(), [&](const auto& hold) { return hold.first == thread; });
  if (mine != holds.end() && --mine->second == 0) holds.erase(mine);
  if (holds.empty()) cancel_all(lock);
}

void Watchdog::cancel_all(const std::string& lock) {
  if (entries.erase(lock) == 0) return;
  std::erase_if(timers, [&](const RenewalTimer& timer) { return timer.lock == lock && timer.last_set; });
}

}  // namespace lockstep::redisson
