// Each fault has a witness, so that a scenario may ask whether it occurred.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/world/faults/table.h"
#include "properties/check/check.h"
#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

/// Of many samples, and of the beginnings of all runs.
sim::WitnessMask seen_in(const model::Setup& setup) {
  properties::CheckOptions options;
  options.shrink = false;
  options.strategy = properties::Strategy::random;
  options.runs = 200;
  const sim::WitnessMask sampled = properties::check(setup, options).witnesses;
  options.strategy = properties::Strategy::search;
  options.states_max = 2'000;
  return sampled | properties::check(setup, options).witnesses;
}

bool has(sim::WitnessMask seen, std::string_view fault) {
  return (seen & properties::bit(*properties::witness_of_fault(fault))) != 0;
}

TEST(Witnesses, ThereIsOneForEachFault) {
  for (const model::FaultId fault : model::faults_as_told({}))
    EXPECT_TRUE(properties::witness_of_fault(model::fault_row(fault, {}).key))
        << model::fault_row(fault, {}).key;
  EXPECT_FALSE(properties::witness_of_fault("earthquake"));
}

/// Two who want one lock, and a replica.
std::string two_with(const std::string& redis, const std::string& faults) {
  const bool elects = redis.starts_with("down-after");
  const bool moves = redis.starts_with("spares");
  return fmt::format("[redis]\nmode = \"{}\"\nnodes = 2\n", elects  ? "sentinel"
                                                              : moves ? "cluster"
                                                                      : "replicated") + redis +
         "[process.A]\nthreads = [[\"lock x lease=5s\", \"work 3s\", \"unlock x\"]]\n"
         "[process.B]\nthreads = [[\"lock-interruptibly x lease=5s\", \"work 1s\", \"unlock x\"]]\n"
         "[faults]\n" +
         faults;
}

TEST(Witnesses, OfFaultsAreSeenWhereTheyOccurAndNowhereElse) {
  for (const model::FaultId fault : model::faults_as_told({})) {
    const std::string key{model::fault_row(fault, {}).key};
    std::string faults = key + " = 1\n", redis;
    if (key == "restart-process") faults += "crash-process = 1\n";
    if (key == "restart-node" || key == "power-loss" || key == "save") faults += "crash-node = 1\n";
    if (key == "power-loss") faults += "restart-node = 1\n";
    if (key == "clock-jump") faults += "clock-jumps = [\"+5s\"]\n";
    if (key == "flush-scripts") redis = "script-cache = true\n";
    if (key == "save") redis = "persistence = \"snapshot\"\n";
    if (key == "move-slots") redis = "spares = 1\nreplicas = 1\n";
    if (key == "isolate-node" || key == "split-votes") redis = "down-after = \"2s\"\n";
    if (key == "split-votes") faults += "crash-node = 1\n";
    if (key == "power-loss") redis = "persistence = \"append-only\"\n";
    const sim::WitnessMask seen = seen_in(setup_of(two_with(redis, faults)));
    EXPECT_TRUE(has(seen, key)) << key;
    for (const model::FaultId other : model::faults_as_told({})) {
      const auto name = model::fault_row(other, {}).key;
      const bool elects = key == "isolate-node" || key == "split-votes";
      const bool may_occur = faults.find(name) != std::string::npos || (elects && name == "failover");
      EXPECT_TRUE(may_occur || !has(seen, name)) << name << " where there is only " << key;
    }
  }
}

TEST(Witnesses, OfFixedFaultsSayWhetherTheyFoundAnything) {
  const auto fixed = [](const std::string& at) {
    return seen_in(setup_of(two_with("", "fixed = [\"evict R0 x at " + at + "\"]\n")));
  };
  EXPECT_TRUE(has(fixed("1s"), "evict-key"));
  EXPECT_FALSE(has(fixed("60s"), "evict-key"));
}

TEST(Witnesses, OfASaveAreThoseOfSavePointsToo) {
  const std::string points = "persistence = \"snapshot\"\nsave = \"1 1\"\n";
  EXPECT_TRUE(has(seen_in(setup_of(two_with(points, "crash-node = 1\n"))), "save"));
}

}  // namespace
}  // namespace lockstep::scenarios
