// Symmetry is used only where nobody looks into the names of those that are interchangeable.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "properties/check/check.h"
#include "properties/check/renaming.h"
#include "scenarios/exploring.h"
#include "sim/run/policy.h"
#include "sim/run/run.h"

namespace lockstep::scenarios {
namespace {

using properties::CheckReport;

CheckReport in_corpus(const std::string& name, properties::CheckOptions options = {}) {
  const auto content = [](const std::string& file) -> sim::Result<std::string> {
    std::ifstream stream("properties/verdicts/" + file, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(stream), {}};
  };
  options.strategy = properties::Strategy::search;
  options.shrink = false;
  const std::string file = name + ".toml";
  const auto setup = read_scenario(*content(file), file, *built_in_scripts(content), test_vocabulary());
  EXPECT_TRUE(setup.ok()) << (setup.ok() ? "" : setup.problem().text);
  return properties::check(*setup, options);
}

TEST(NamesInScripts, SwitchSymmetryOffAndNameTheCulprit) {
  for (const char* name : {"names-smaller-takes", "names-first-of-equal-scores", "names-last-kept",
                           "names-smaller-number-takes", "names-smaller-of-three"}) {
    const CheckReport report = in_corpus(name);
    EXPECT_EQ(report.symmetry_off, "the script in the role `lock`") << name;
    EXPECT_FALSE(report.symmetry) << name;
    EXPECT_TRUE(report.complete) << name;
  }
}

TEST(NamesInScripts, ThatChangeNothingKeepSymmetry) {
  for (const char* name : {"names-sorted-without-effect", "names-smaller-number-of-processes"}) {
    const CheckReport report = in_corpus(name);
    EXPECT_FALSE(report.symmetry_off) << name;
    EXPECT_TRUE(report.symmetry) << name;
  }
}

TEST(NamesInScripts, AreNotLookedForWhereSymmetryIsNotWanted) {
  EXPECT_FALSE(in_corpus("names-smaller-takes", {.symmetry = false}).symmetry_off);
}

/// So many clients ask once, are refused, and stand in a queue for ever.
model::Setup queue_of(int clients) {
  auto setup = setup_of("[process.P]\ncount = " + std::to_string(clients) +
                        "\nthreads = [[\"trylock a\", \"unlock a\"]]\n");
  setup.scripts.roles.at("lock").text = "redis.call('rpush', 'queue', ARGV[2]) return 1000";
  return setup;
}

/// What is said of a run in which they come one by one.
std::pair<bool, bool> alike_and_too_many(const model::Setup& setup, std::size_t alike_max) {
  Checked system(setup, {.watch_names = true, .alike_max = alike_max});
  sim::DefaultSchedule<Checked> policy;
  sim::run(system, system.initial(), policy, {});
  return {!system.looks_into_names(), system.has_too_many_names().has_value()};
}

TEST(NamesInScripts, OfAQueueAreAskedForInEachOfItsOrders) {
  EXPECT_EQ(alike_and_too_many(queue_of(6), properties::all_alike), std::pair(true, false));
  auto knows_one_order = queue_of(6);
  knows_one_order.scripts.roles.at("lock").text =
      "redis.call('rpush', 'queue', ARGV[2]) local all = redis.call('lrange', 'queue', 0, -1)\n"
      "for i = 2, #all do if all[i - 1] < all[i] then return 1000 end end\n"
      "return #all == 6 and 2000 or 1000";
  EXPECT_EQ(alike_and_too_many(knows_one_order, properties::all_alike), std::pair(false, false));
}

TEST(NamesInScripts, OfALongQueueAreTooManyForOneGroupOnly) {
  EXPECT_EQ(alike_and_too_many(queue_of(8), properties::all_alike), std::pair(true, true));
  EXPECT_EQ(alike_and_too_many(queue_of(8), 4), std::pair(true, false));
}

TEST(NamesInScripts, OfALongQueueAreExchangedInSmallerGroups) {
  const CheckReport report =
      properties::check(queue_of(8), {.strategy = properties::Strategy::search, .states_max = 4'000});
  EXPECT_TRUE(report.symmetry);
  EXPECT_FALSE(report.symmetry_off);
}

TEST(NamesInScripts, OfRedissonAreTreatedAlike) {
  const CheckReport report =
      properties::check(shipped_setup("plain/three-clients"), {.strategy = properties::Strategy::search});
  EXPECT_TRUE(report.symmetry);
  EXPECT_FALSE(report.symmetry_off);
}

}  // namespace
}  // namespace lockstep::scenarios
