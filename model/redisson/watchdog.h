// watchdog.h: what a client knows of the locks that it renews: holds, timers, tasks.
//
// How it goes about that is the business of generations (renewal.h), a file each; they share this state. A
// timer belongs to its entry only loosely, as in the original: cancelling an entry stops only the timer that
// was set last for it, and one of generation 3 belongs to no entry at all.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
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
  /// In order of first registration. A count of zero is a hold that is over and not forgotten (generation 3).
  std::vector<std::pair<ThreadId, std::uint32_t>> holds;
  std::vector<ThreadId> nested;  // generation 3 as it leaks: who has held twice
  std::uint16_t object = 0;      // generation 3: by which it was registered first

  bool operator==(const RenewalEntry&) const = default;
  static auto fields(auto& e) { return std::tie(e.holds, e.nested, e.object); }
};

struct RenewalTimer {
  std::string lock;          // generation 3: the task
  std::uint16_t object = 0;  // whose lease field sets the period and is sent
  ThreadId owner;            // the thread that registered with that object
  std::optional<ThreadId> thread;  // generation 1: whom it renews for
  sim::Timer left;
  bool last_set = true;  // cancelling the entry stops this one
  std::vector<std::string> reads{};  // generation 3: whose entries the task is about to read; "": gone

  bool operator==(const RenewalTimer&) const = default;
  static auto fields(auto& t) {
    return std::tie(t.lock, t.object, t.owner, t.thread, t.left, t.last_set, t.reads);
  }
};

struct Watchdog {
  std::map<std::string, RenewalEntry> entries;  // by lock; generation 3: of those that are not readers
  std::map<std::string, RenewalEntry> readers;  // generation 3: of those that are, who have their own task
  std::vector<RenewalTimer> timers;             // in the order in which they were set
  std::set<std::string> running;                // generation 3: tasks

  bool operator==(const Watchdog&) const = default;
  static auto fields(auto& w) { return std::tie(w.entries, w.readers, w.timers, w.running); }

  /// One hold more of the thread; its timer, if it is the first. `period` is a third of the lease field.
  void add(const std::string& lock, ThreadId thread, std::uint16_t object, Duration period);
  /// The due timer is taken away; the thread to renew for, if the entry has one.
  struct Due {
    std::string lock;
    std::uint16_t object;
    ThreadId owner;
    ThreadId thread;
  };
  std::vector<Due> fire(std::size_t timer);
  /// Another timer for an entry, if that is there.
  void again(const std::string& lock, std::uint16_t object, ThreadId owner, Duration period);
  /// One hold less. With the last one of the last thread the entry goes, and its timer is cancelled.
  void cancel(const std::string& lock, ThreadId thread);
  void cancel_all(const std::string& lock);
};
static_assert(sim::State<Watchdog>);

}  // namespace lockstep::redisson
