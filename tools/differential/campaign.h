// campaign.h: many random sequences on both sides, until enough has run or something is different.
//
// Sequence number n of seed s is the same in every run of the same build, however many run before it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tools/differential/random_steps.h"
#include "tools/differential/shrink_steps.h"

namespace lockstep::differential {

/// What one sequence is made of: draws the next step, looking at the model.
using Source = std::function<Step(Dice&, const redis::testing::TestClient&)>;

struct Plan {
  std::string what;                                   // "commands", "scripts", "lock scripts"
  std::function<Source()> new_source;                 // for each sequence
  std::function<bool(const model::Command&)> counts;  // what is counted; null: every command
  std::uint64_t count = 0;                            // how many of them to run
  std::uint64_t seed = 1;
  std::size_t steps_each = 200;     // of one sequence
  std::size_t differences_max = 1;  // then it stops
};

struct Tally {
  std::uint64_t counted = 0;
  std::uint64_t commands = 0;
  std::uint64_t time_steps = 0;
  std::vector<std::string> differences;  // each as a test to paste
};

Tally run(const Plan& plan, BothSides& sides);

Plan command_plan(std::uint64_t count, std::vector<Family> chosen);
Plan script_plan(std::uint64_t count);
Plan lock_plan(std::uint64_t count);
Plan client_plan(std::uint64_t count);
/// Any commands, while the second client listens to what happens to keys.
Plan event_plan(std::uint64_t count);
/// For a node of a cluster (cluster_steps.h).
Plan cluster_plan(std::uint64_t count);

}  // namespace lockstep::differential
