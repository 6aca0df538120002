// watchdog.h: renewal of held locks, generation 2 (Redisson 3.10.5 to 3.43.0, RedissonLock.renewExpiration).
//
// As a process lives it:
//   1. A lock taken without a lease is registered under its name: an entry counts the holds of each thread.
//      The first registration starts a timer of a third of the lease; later ones only count.
//   2. The timer fires: the renewal script is sent for the entry's first thread.
//   3. Its answer starts the timer again. 3.10.5 and 3.10.6 do so even if the answer was 0 (nothing to
//      renew); later ones only if it was 1. An error starts nothing: the entry stays without a timer.
//   4. An unlock takes one hold of its thread off; with the last hold of the last thread the entry goes and
//      its timer is cancelled.
//
// The timer belongs to the entry only loosely, as in the original: an answer that arrives after the entry was
// replaced starts a second timer for the new one, and cancelling stops only the timer that was set last.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/fields.h"
#include "sim/base/id.h"
#include "sim/base/timer.h"

namespace lockstep::redisson {

using sim::Duration;
using sim::ThreadId;

struct RenewalEntry {
  std::vector<std::pair<ThreadId, std::uint32_t>> holds;  // in order of first registration
  bool operator==(const RenewalEntry&) const = default;
  static auto fields(auto& e) { return std::tie(e.holds); }
};

struct RenewalTimer {
  std::string lock;
  std::uint16_t object = 0;  // whose lease field sets the period and is sent
  ThreadId owner;            // the thread that registered with that object
  sim::Timer left;
  bool last_set = true;  // cancelling the entry stops this one

  bool operator==(const RenewalTimer&) const = default;
  static auto fields(auto& t) {
    return std::tie(t.lock, t.object, t.owner, t.left, t.last_set);
  }
};

struct Watchdog {
  std::map<std::string, RenewalEntry> entries;  // by lock
  std::vector<RenewalTimer> timers;             // in the order in which they were set

  bool operator==(const Watchdog&) const = default;
  static auto fields(auto& w) { return std::tie(w.entries, w.timers); }

  /// 1. `period` is a third of the object's lease field.
  void add(const std::string& lock, ThreadId thread, std::uint16_t object, Duration period);
  /// 2. The due timer is taken away; the thread to renew for, if the entry has one.
  struct Due {
    std::string lock;
    std::uint16_t object;
    ThreadId owner;
    ThreadId thread;
  };
  std::vector<Due> fire(std::size_t timer);
  /// 3.
  void again(const std::string& lock, std::uint16_t object, ThreadId owner, Duration period);
  /// 4.
  void cancel(const std::string& lock, ThreadId thread);
  void cancel_all(const std::string& lock);  // forceUnlock
};
static_assert(sim::State<Watchdog>);

}  // namespace lockstep::redisson
