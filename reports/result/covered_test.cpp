#include "reports/result/covered.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/result/result.h"

namespace lockstep::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint8_t is_free = 1, anothers = 8, with_queue = 0x80;

/// A script of two conditions, of which the second is never reached; the lock is free or another's.
Covered two_conditions() {
  return {.faults = {"no fault", "crash-node"},
          .roles = {{.role = "lock",
                     .script = "5ca1e",
                     .locks = is_free | anothers,
                     .ways = {{.seen = {is_free | anothers, anothers}},
                              {.line = 3, .text = "if a then", .holds = true, .seen = {is_free, 0}},
                              {.line = 3, .text = "if a then", .seen = {anothers, 0}},
                              {.line = 7, .text = "if b then", .holds = true, .seen = {0, 0}},
                              {.line = 7, .text = "if b then", .seen = {0, 0}}}}}};
}

TEST(Covered, IsCountedAsAProductOfWhatWasMet) {
  const Covered::Count count = two_conditions().count();
  EXPECT_EQ(count.ways, 4U);
  EXPECT_EQ(count.ways_met, 2U);
  EXPECT_EQ(count.all, 3U * 2 * 2) << "the request and two ways, each with two states and two faults";
  EXPECT_EQ(count.met, 5U);
}

TEST(Covered, IsATableWithTheStatesOfTheLockInItsCells) {
  EXPECT_EQ(covered_text(two_conditions()),
            "  met 2 of 4 ways of conditions in scripts that ran\n"
            "  met 5 of 12 combinations of requests and ways with a state of the lock (f free, a another's) "
            "and a fault before it\n"
            "                            no fault  crash-node\n"
            "    lock                    fa        ·a\n"
            "        3  if a then true   f·        ··\n"
            "                     false  ·a        ··\n"
            "        7  if b then true   ··        ··\n"
            "                     false  ··        ··\n"
            "    never: lock 7 was never reached: if b then\n"
            "    never: lock behind crash-node: the lock was never free\n"
            "    never: lock 3 false behind crash-node: the lock was never another's\n"
            "    never: lock 3 true: the lock was never another's\n"
            "    never: lock 3 false: the lock was never free\n");
  EXPECT_EQ(covered_text({}), "");
  Covered plain = two_conditions();
  plain.roles.front().ways.resize(1);
  EXPECT_THAT(covered_text(plain), Not(HasSubstr("conditions")));
}

TEST(Covered, LongListsAreCutAndQueuesAreCapitals) {
  Covered covered = two_conditions();
  CoveredRole& role = covered.roles.front();
  role.locks |= with_queue;
  role.ways.front().seen[0] |= with_queue;
  for (int line = 10; line < 20; ++line) {
    role.ways.push_back({.line = line, .text = "if c then", .holds = true, .seen = {is_free, 0}});
    role.ways.push_back({.line = line, .text = "if c then", .seen = {0, 0}});
  }
  const std::string text = covered_text(covered);
  EXPECT_THAT(text, HasSubstr("(f free, a another's; in capitals with a queue)"));
  EXPECT_THAT(text, HasSubstr("lock                    faA       ·a·\n"));
  EXPECT_THAT(text, HasSubstr("never: lock 18 was never false: if c then\n"));
  EXPECT_THAT(text, Not(HasSubstr("lock 19 was never")));
  EXPECT_THAT(text, HasSubstr("more, which `--format json` has\n"));
}

TEST(Covered, JsonHasEachCombination) {
  CheckResult result{.scenario = "plain/two"};
  EXPECT_FALSE(nlohmann::json::parse(results_json({result}))[0].contains("covered"));
  result.covered = two_conditions();
  const auto json = nlohmann::json::parse(results_json({result}))[0]["covered"];
  EXPECT_EQ(json["ways_met"], 2);
  EXPECT_EQ(json["all"], 12);
  const auto& role = json["roles"][0];
  EXPECT_EQ(role["script"], "5ca1e");
  ASSERT_EQ(role["ways"].size(), 5U);
  EXPECT_EQ(role["ways"][0],
            nlohmann::json::parse(R"({"met": {"free": ["no fault"], "another's": ["no fault", "crash-node"]},
                                      "never": {"free": ["crash-node"]}})"));
  EXPECT_EQ(role["ways"][1],
            nlohmann::json::parse(R"({"line": 3, "text": "if a then", "holds": true,
                                      "met": {"free": ["no fault"]},
                                      "never": {"free": ["crash-node"],
                                                "another's": ["no fault", "crash-node"]}})"));
}

}  // namespace
}  // namespace lockstep::reports
