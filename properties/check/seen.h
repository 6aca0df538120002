// seen.h: what sampled runs saw of requests: which ways their scripts went, on a lock in which state, behind
// which kinds of faults.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "model/setup/setup.h"

namespace lockstep::properties {

/// Whose a lock is as its server is about to serve a request of the asker; `again`: taken more than once.
enum class Whose : std::uint8_t { nobodys, askers, askers_again, anothers };
/// And with somebody in line for it (Truth::queue).
constexpr std::uint8_t with_queue(Whose whose, bool queue) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(whose) + (queue ? 4U : 0U));
}
inline constexpr std::size_t lock_states = 8;

/// The first is that none has come; then those that the scenario can have, in the order of their numbers.
using FaultMask = std::uint64_t;
inline std::vector<model::FaultId> faults_that_come(const model::Setup& setup) {
  std::vector<model::FaultId> all;
  for (std::size_t f = 0; f < setup.faults.counts.size(); ++f)
    if (setup.faults.counts[f] > 0) all.push_back(sim::make_id<model::FaultId>(f));
  for (const model::FixedFault& fixed : setup.fixed)
    if (!fixed.ends) all.push_back(fixed.fault);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// Behind which faults, by the state of the lock.
using SeenBehind = std::array<FaultMask, lock_states>;
/// By kind of lock, role and way: 0 is that a request was served, n + 1 the way n of a script (WaysWatch).
using Seen = std::map<std::tuple<std::uint16_t, std::uint16_t, std::uint32_t>, SeenBehind>;

inline void add(Seen& all, const Seen& more) {
  for (const auto& [what, behind] : more)
    for (std::size_t lock = 0; lock < lock_states; ++lock) all[what][lock] |= behind[lock];
}

}  // namespace lockstep::properties
