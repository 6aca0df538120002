// Symmetry is used only where nobody looks into the names of those that are interchangeable.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "properties/check/check.h"
#include "scenarios/exploring.h"

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
CheckReport in_a_queue_of(int clients) {
  auto setup = setup_of("[process.P]\ncount = " + std::to_string(clients) +
                        "\nthreads = [[\"trylock a\", \"unlock a\"]]\n");
  const std::string queues = "redis.call('rpush', 'queue', ARGV[2]) return 1000";
  setup.scripts.roles.at("lock").text = queues;
  return properties::check(setup, {.strategy = properties::Strategy::search, .states_max = 20'000});
}

TEST(NamesInScripts, OfAQueueAreAskedForInEachOfItsOrders) {
  const CheckReport report = in_a_queue_of(6);
  EXPECT_TRUE(report.complete);
  EXPECT_TRUE(report.symmetry);
  EXPECT_LT(report.states, 200U);
}

TEST(NamesInScripts, OfALongQueueAreExchangedInSmallerGroups) {
  const CheckReport report = in_a_queue_of(8);
  EXPECT_TRUE(report.complete);
  EXPECT_TRUE(report.symmetry) << "8! orders are too many; those of 4 and of 4 are not";
  EXPECT_FALSE(report.symmetry_off);
  EXPECT_GT(report.states, 500U);
}

TEST(NamesInScripts, OfRedissonAreTreatedAlike) {
  const CheckReport report =
      properties::check(shipped_setup("plain/three-clients"), {.strategy = properties::Strategy::search});
  EXPECT_TRUE(report.symmetry);
  EXPECT_FALSE(report.symmetry_off);
}

}  // namespace
}  // namespace lockstep::scenarios
