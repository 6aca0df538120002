// beliefs.h: who believes it holds what, and whether that belief is within its lease.
//
// A thread believes from the step in which a call gave it the lock until the step in which it gives the last
// of it back, or its process dies; a pause does not end belief. It believes *within lease* while less than
// the lease has passed since it sent the request that last acquired or renewed. What it holds in two modes it
// believes twice. There is this one account: monitors judge by it, and traces tell it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/observation.h"
#include "sim/base/fields.h"
#include "sim/base/timer.h"

namespace lockstep::model {

/// Who holds what, or believes so.
struct Claim {
  std::string lock;
  ThreadId thread;
  Mode mode = Mode::exclusive;

  auto operator<=>(const Claim&) const = default;
  static auto fields(auto& c) { return std::tie(c.lock, c.thread, c.mode); }
};

struct Belief {
  std::uint32_t depth = 0;    // zero: the acquire was granted, but the call has not returned yet
  sim::Countdown lease_left;  // since the request that last acquired or renewed was sent

  bool operator==(const Belief&) const = default;
  static auto fields(auto& b) { return std::tie(b.depth, b.lease_left); }
};

struct Beliefs {
  std::map<Claim, Belief> held;

  bool operator==(const Beliefs&) const = default;
  static auto fields(auto& b) { return std::tie(b.held); }

  void see(const Observation& observation, const Setup& setup);

  const Belief* find(const Claim& claim) const;
  /// How often the thread believes it holds the lock.
  std::uint32_t depth(const Claim& claim) const;
  bool nobody_believes() const;
  /// Two threads that believe they hold one lock, not both of them shared, if there are any; `within_lease`
  /// counts only beliefs within lease.
  struct Clash {
    std::string lock;
    ThreadId first, second;
  };
  std::vector<Clash> clashes(bool within_lease, const Setup& setup) const;

 private:
  bool within_lease(const Claim& claim, const Setup& setup) const;
};
static_assert(sim::State<Beliefs>);

}  // namespace lockstep::model
