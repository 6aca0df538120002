// walks.h: the policies by which a scenario is sampled, and which run is drawn by which.
//
// No one of them finds what the others do, so by default they take turns: the number of a run says whose it
// is. What a policy must know beforehand, how long runs are and who makes how many moves, is taken from the
// default schedule, so that every shard knows the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "properties/check/check.h"
#include "sim/run/surw.h"

namespace lockstep::properties {

enum class Walk : std::uint8_t { swarm, pct, pos, surw, uniform, guided };
inline constexpr std::uint64_t walks_in_turn = 6;

std::string_view name_of(Walk walk);
/// That of samples which is called so: `random`, or as its policy.
std::optional<Strategy> find_strategy(std::string_view name);
/// Of the run with this number.
Walk walk_of(Strategy strategy, std::uint64_t run);

struct Expectancy {
  std::uint64_t steps = 0;  // so long runs are thought to be
  sim::MoveCounts counts;
};
Expectancy expectancy_of(Checked& system);

/// "No bug of depth d in at most k steps", with a confidence that follows: one of n chains and of k steps for
/// each order but the first must be guessed, so a run finds such a bug with a chance of 1 / (n · k^(d-1)).
struct Certificate {
  unsigned depth = 0;
  std::uint64_t steps = 0, chains = 0, runs = 0;
};
/// Of the runs that PCT drew; nothing where the guarantee of its paper does not hold: faults strike, instants
/// of intervals are drawn, a chain could go on in several ways, or a run was longer than was thought.
std::optional<Certificate> certificate_of(const Setup& setup, const CheckReport& report);
/// Why there is none.
std::string why_no_certificate(const Setup& setup, const CheckReport& report);

}  // namespace lockstep::properties
