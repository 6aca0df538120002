// beliefs.h: who believes to hold what, and whether that belief is within its lease.
//
// A thread believes from the step in which lock() or tryLock() returns success until the step in which it
// invokes its last unlock, or its process dies; a pause does not end belief. It believes *within lease* while
// less than the lease has passed since it sent the request that last acquired or renewed. The monitors of
// mutual exclusion, reentrancy and "nothing left behind" read this one account.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/observation.h"
#include "model/world/facts.h"
#include "properties/monitors/witness.h"

namespace lockstep::properties {

using model::Setup;
using model::ThreadId;
using sim::Duration;

struct Belief {
  std::uint32_t depth = 0;  // zero: the acquire was granted, but the call has not returned yet
  Duration lease_left{};    // since the request that last acquired or renewed was sent

  bool operator==(const Belief&) const = default;
  static auto fields(auto& b) { return std::tie(b.depth, b.lease_left); }
};

struct Beliefs {
  std::map<std::pair<std::string, ThreadId>, Belief> held;  // by lock and thread

  bool operator==(const Beliefs&) const = default;
  static auto fields(auto& b) { return std::tie(b.held); }

  sim::WitnessMask see(const model::Observation& observation, const Setup& setup);

  const Belief* find(const std::string& lock, ThreadId thread) const;
  bool nobody_believes() const;
  /// Two threads that believe to hold one lock, if there are any; `within_lease` counts only beliefs within
  /// lease.
  struct Clash {
    std::string lock;
    ThreadId first, second;
  };
  std::vector<Clash> clashes(bool within_lease) const;
};
static_assert(sim::State<Beliefs>);

}  // namespace lockstep::properties
