// random_steps.h: random sequences: commands of chosen families, and time that passes between them.
//
// Time goes by little steps, long ones, and backwards; often it stops one millisecond before, at, or one
// millisecond behind the deadline of a key that the model holds.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/redis/testing/random_commands.h"
#include "model/redis/testing/test_client.h"
#include "tools/differential/step.h"

namespace lockstep::differential {

using Dice = sim::Random;
using Lines = std::span<const std::string_view>;

/// A family of random_commands.h under the name that the command line gives it.
struct Family {
  std::string_view name;
  Lines lines;
};
std::span<const Family> families();

/// A step of time to some instant of interest.
sim::Duration random_time(Dice& dice, const redis::testing::TestClient& model);

/// The next step: time, a command, or both. No family: any command.
Step random_step(Dice& dice, const redis::testing::TestClient& model, std::span<const Family> chosen);

}  // namespace lockstep::differential
