// What a seed draws is the same for every compiler and with every sanitizer: the fingerprints of a hundred
// runs of a scenario are pinned, and every preset is held against them. Where a change of the model means to
// change runs, they are pinned anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "scenarios/exploring.h"
#include "sim/run/intervals.h"
#include "sim/run/weighted.h"

namespace lockstep::scenarios {
namespace {

struct Fingerprint {
  const char* scenario;
  const char* hex;
};

void PrintTo(const Fingerprint& one, std::ostream* out) { *out << one.scenario; }

class Fingerprints : public ::testing::TestWithParam<Fingerprint> {};

/// The decisions as lines of text, and the state in which the run ends.
std::string told_run(Checked& system, std::uint64_t seed) {
  sim::Random random{seed};
  sim::Weighted<Checked> weighted(random.split());
  sim::InIntervals<Checked> policy(random.split(), weighted);
  const auto run = sim::run(system, system.initial(), static_cast<sim::Policy<Checked>&>(policy),
                            {.steps_max = 1'000, .stop_at = 0});
  std::string told;
  for (const auto& decision : run.trail)
    told += fmt::format("{}/{} {}\n", decision.index, decision.arity, system.show(decision.move));
  return told + hex(system.digest(run.last)) + "\n";
}

TEST_P(Fingerprints, OfAHundredSeedsAreThoseOfEveryCompiler) {
  const model::Setup setup = shipped_setup(GetParam().scenario);
  Checked system(setup);
  std::string all;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) all += told_run(system, seed);
  EXPECT_EQ(hex(sim::digest_bytes(all)), GetParam().hex) << "the first run:\n" << all.substr(0, 500);
}

const std::vector<Fingerprint> fingerprints = {
    {"plain/three-clients", "dc7fc22bacf63157ce25150071ce47b4"},
    {"failover/master-dies-before-replication", "403c2307824e4afd451ca32e440385f5"},
    {"fair/three-clients", "5e15abab7960c974a5eb07eceeff5e17"},
};

INSTANTIATE_TEST_SUITE_P(All, Fingerprints, testing::ValuesIn(fingerprints), [](const auto& one) {
  std::string name = one.param.scenario;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '-'; }, '_');
  return name;
});

}  // namespace
}  // namespace lockstep::scenarios
