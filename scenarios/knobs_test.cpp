// Each knob acts: in the world that its row names, the states are others with the value that it names. Each
// version keeps the plain lock where nothing goes wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "model/client/complete.h"
#include "model/redisson/versions.h"
#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

/// The scenario with one more line in the table that the knob stands in.
std::string with_knob(const redisson::Knob& knob) {
  std::string text(knob.world);
  if (knob.name == "watchdog") return text + "[time]\nwatchdog = \"" + std::string(knob.value) + "\"\n";
  if (knob.mutant) return text + "[redisson]\nmutant = [\"" + std::string(knob.name) + "\"]\n";
  const bool duration = std::holds_alternative<sim::Duration redisson::Settings::*>(knob.member);
  const std::string quote = duration ? "\"" : "";
  return text + "[redisson]\n" + std::string(knob.name) + " = " + quote + std::string(knob.value) + quote +
         "\n";
}

/// Every state that a search meets, by its digest.
std::set<sim::Digest> states_of(const model::Setup& setup, Checked::Options options = {}) {
  Checked system(setup, options);
  std::set<sim::Digest> states{system.digest(system.normal(system.initial()))};
  sim::SearchOptions<Checked> how;
  how.limits.states_max = 200'000;
  how.on_edge = [&](const auto& edge) { states.insert(system.digest(system.normal(edge.state))); };
  EXPECT_TRUE(sim::explore(system, how).complete());
  return states;
}

class Knobs : public testing::TestWithParam<redisson::Knob> {};

TEST_P(Knobs, Act) {
  const redisson::Knob& knob = GetParam();
  EXPECT_NE(states_of(setup_of(std::string(knob.world))), states_of(setup_of(with_knob(knob)))) << knob.name;
}

// No script that comes with the program for the plain lock is told the time.
TEST(ProcessClock, ActsWhereAScriptIsToldTheTime) {
  const auto told = [](const std::string& clock) {
    model::Setup setup = setup_of("[process.A]\nclock = \"" + clock + R"("
threads = [["lock orders", "unlock orders"]])");
    lua::Script& lock = setup.scripts.roles.at("lock");
    lock.args.emplace_back("now");
    lock.text =
        "redis.call('hset', KEYS[1], ARGV[2], 1); redis.call('pexpire', KEYS[1], ARGV[1]); "
        "redis.call('set', KEYS[1] .. ':since', ARGV[3], 'px', ARGV[1]); return nil;";
    return states_of(setup, {.with_now = true});
  };
  EXPECT_EQ(told("0s"), told("0s"));
  EXPECT_NE(told("0s"), told("250ms"));
}

std::string name_of(const testing::TestParamInfo<redisson::Knob>& info) {
  std::string name(info.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Knobs, testing::ValuesIn(redisson::knobs().begin(), redisson::knobs().end()),
                         name_of);

class EveryVersion : public testing::TestWithParam<redisson::Version> {};

TEST_P(EveryVersion, KeepsAPlainLockThatIsHeldTwiceAndForLongAndGivesItToTheNext) {
  const auto found = search(setup_of("scripts = \"redisson@" + std::string(GetParam().name) + R"("
[process.A]
threads = [["lock orders", "lock orders", "unlock orders", "work 31s", "unlock orders"]]
[process.B]
threads = [["start 1s", "trylock orders wait=40s", "expect true", "is-held orders", "expect true",
            "unlock orders"]])"));
  EXPECT_TRUE(found.complete());
  const bool forgets = !redisson::settings_of(GetParam().name)->inner_hold_leaks;
  EXPECT_EQ(names_of(found.violated), forgets ? "" : "nothing-left-behind");
  for (const Witness seen : {Witness::contention, Witness::renewed, Witness::woken_by_message})
    EXPECT_NE(found.witnesses & properties::bit(seen), 0U);
}

std::string of_version(const testing::TestParamInfo<redisson::Version>& info) {
  std::string name(info.param.name);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, EveryVersion,
                         testing::ValuesIn(redisson::versions().begin(), redisson::versions().end()),
                         of_version);

}  // namespace
}  // namespace lockstep::scenarios
