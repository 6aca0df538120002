// on_request.h: the monitors of the properties that are checked on request only (catalog.h).
//
// They remember more than others do, so that states differ in it: where none of them is watched, a state has
// no such box. lease_kept.cpp, lost_wake_up.cpp, busy_poll.cpp and red.cpp have one each, and say what it
// judges.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "properties/monitors/monitors.h"

namespace lockstep::properties {

/// lease-kept: what threads hold, and whether they have it renewed; which requests are unanswered, and how
/// long they may be.
struct LeaseKept {
  struct Hold {
    std::uint16_t object = 0;
    std::string key;                   // of a lock that is made of others: empty
    std::vector<std::uint8_t> levels;  // of each acquire that was not given back: whether the watchdog renews
    bool excused = false;              // its process did not run, was cut off, or waited for too long
    bool operator==(const Hold&) const = default;
    static auto fields(auto& h) { return std::tie(h.object, h.key, h.levels, h.excused); }
  };
  struct Granted {  // the last of the call that the thread is in
    std::uint16_t object = 0;
    std::string key;
    bool watched = false;
    bool operator==(const Granted&) const = default;
    static auto fields(auto& g) { return std::tie(g.object, g.key, g.watched); }
  };
  std::map<model::Claim, Hold> holds;
  std::map<ThreadId, Granted> granted;
  std::map<ThreadId, sim::Countdown> asking;         // an acquire without an answer
  std::map<model::Claim, sim::Countdown> renewing;   // a renewal without an answer
  std::set<ThreadId> slow;  // its acquire was answered too late, or its process did not run meanwhile
  bool operator==(const LeaseKept&) const = default;
  static auto fields(auto& m) { return std::tie(m.holds, m.granted, m.asking, m.renewing, m.slow); }

  /// `beliefs` are those after the observation.
  void see(const model::Observation& observation, const Setup& setup);
  void check(const Beliefs& beliefs, const model::Facts& facts, Findings& findings);

 private:
  void pass(Duration passed);
  void note(const model::Evaluated& seen, const Setup& setup);
  void gain(const model::Gained& seen, const Setup& setup);
  void excuse(model::ProcessId process, const Setup& setup);
  void time_requests(const model::Facts& facts);
};

/// no-lost-wake-up: which locks were released and not taken since, who is parked, and who will not be woken.
struct LostWakeUp {
  struct Release {
    std::uint16_t object = 0;
    std::string key;
    std::set<model::ProcessId> deaf;  // to these its message got lost
    bool operator==(const Release&) const = default;
    static auto fields(auto& r) { return std::tie(r.object, r.key, r.deaf); }
  };
  using Way = std::pair<std::string, model::Mode>;     // a lock, and in which mode it may be taken
  std::map<Way, Release> released;
  std::map<ThreadId, std::string> parked;              // for which lock
  std::set<ThreadId> asleep;
  bool operator==(const LostWakeUp&) const = default;
  static auto fields(auto& m) { return std::tie(m.released, m.parked, m.asleep); }

  void see(const model::Observation& observation, const model::Facts& facts, Findings& findings);
  void check(const model::Facts& facts, Findings& findings);

 private:
  void note(const model::Evaluated& seen, const model::Facts& facts);
  const Release* release_for(const model::Facts::Wait& wait, const Setup& setup) const;
  void broken(const Setup& setup, Findings& findings) const;
};

/// busy-poll: how often each thread was refused since what is stored for the lock changed last.
struct BusyPoll {
  std::map<std::pair<std::string, ThreadId>, std::uint32_t> in_vain;
  bool operator==(const BusyPoll&) const = default;
  static auto fields(auto& m) { return std::tie(m.in_vain); }

  void see(const model::Observation& observation, const Setup& setup, Findings& findings);

 private:
  void changed(const std::string& lock, const Setup& setup);
  void refused(const model::Refused& seen, const Setup& setup, Findings& findings);
};

/// red-majority, red-validity: of calls that take red locks, whether a majority was held at one time; and for
/// how long it must be held.
struct RedLocks {
  struct Taking {
    bool majority = false;
    bool given = false;
    sim::Countdown left;  // of the lease, since its first member was asked for
    bool operator==(const Taking&) const = default;
    static auto fields(auto& t) { return std::tie(t.majority, t.given, t.left); }
  };
  std::map<std::pair<std::string, ThreadId>, Taking> takings;
  bool operator==(const RedLocks&) const = default;
  static auto fields(auto& m) { return std::tie(m.takings); }

  void see(const model::Observation& observation, const model::Facts& facts, Findings& findings);
  void check(const Beliefs& beliefs, const model::Facts& facts, Findings& findings);

 private:
  void granted(const model::Evaluated& seen, const model::Facts& facts);
  void given(const model::Gained& seen, const model::Facts& facts, Findings& findings);
};

struct OnRequest {
  static constexpr std::string_view kind = "on request";

  LeaseKept lease_kept;
  LostWakeUp lost_wake_up;
  BusyPoll busy_poll;
  RedLocks red_locks;
  sim::PropertyMask met = 0;  // predicates that are to be true at some time, and were (predicates.h)
  bool operator==(const OnRequest&) const = default;
  static auto fields(auto& m) {
    return std::tie(m.lease_kept, m.lost_wake_up, m.busy_poll, m.red_locks, m.met);
  }

  /// `watched` are those that are looked at and not broken yet; `beliefs` those after the observation.
  void see(const model::Observation& observation, const model::Facts& facts, sim::PropertyMask watched,
           Findings& findings);
  void check(const Beliefs& beliefs, const model::Facts& facts, sim::PropertyMask watched,
             Findings& findings);
  void forget(sim::PropertyMask broken);
};
static_assert(sim::Boxable<OnRequest>);

}  // namespace lockstep::properties
