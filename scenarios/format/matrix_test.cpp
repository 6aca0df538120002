#include "scenarios/format/matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/format/normalise.h"
#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* two_by_two = R"(format = 1
[process.A]
threads = [["lock a lease=1s", "unlock a"]]
[matrix]
time.watchdog = ["30s", "10s"]
"step.lease" = ["1s", "2s"]
[expect]
owner-only = "holds"
[expect."time.watchdog=10s"]
owner-only = "violated"
[expect."step.lease=2s,time.watchdog=10s"]
owner-only = "proved"
)";

sim::Result<model::Setup> instance_of(std::string_view text, std::string_view instance) {
  return read_scenario(text, "x.toml", test_library(), test_vocabulary(), instance);
}

std::string told(std::string_view text, std::string_view instance) {
  const auto setup = instance_of(text, instance);
  return setup.ok() ? "no error" : setup.problem().text;
}

TEST(Matrix, MakesAScenarioOfEachCombinationInTheOrderOfItsKeys) {
  const auto names = scenario_instances(two_by_two, "x.toml", test_library());
  ASSERT_TRUE(names.ok()) << names.problem().text;
  EXPECT_THAT(*names,
              ElementsAre("[step.lease=1s,time.watchdog=30s]", "[step.lease=1s,time.watchdog=10s]",
                          "[step.lease=2s,time.watchdog=30s]", "[step.lease=2s,time.watchdog=10s]"));
  std::set<std::string> digests;
  for (const std::string& name : *names) {
    const auto setup = instance_of(two_by_two, name);
    ASSERT_TRUE(setup.ok()) << setup.problem().text;
    EXPECT_EQ(setup->name, "x" + name);
    digests.insert(setup->digest);
    const auto again = instance_of(normalised(*setup), "");
    ASSERT_TRUE(again.ok()) << again.problem().text;
    EXPECT_TRUE(*again == *setup) << "the normalised text is that one scenario";
  }
  EXPECT_EQ(digests.size(), 4U);
}

TEST(Matrix, ValuesAndExpectationsAreThoseOfTheInstanceAndTheMoreExactOneCounts) {
  const auto usual = instance_of(two_by_two, "[step.lease=2s,time.watchdog=30s]");
  const auto shorter = instance_of(two_by_two, "[step.lease=1s,time.watchdog=10s]");
  const auto both = instance_of(two_by_two, "[step.lease=2s,time.watchdog=10s]");
  ASSERT_TRUE(usual.ok() && shorter.ok() && both.ok());
  EXPECT_EQ(usual->threads[0].program[0].lease, sim::Duration(2'000));
  EXPECT_EQ(shorter->threads[0].program[0].lease, sim::Duration(1'000));
  EXPECT_EQ(shorter->client.watchdog, sim::Duration(10'000));
  EXPECT_EQ(usual->expect.at("owner-only"), model::Expected::holds);
  EXPECT_EQ(shorter->expect.at("owner-only"), model::Expected::violated);
  EXPECT_EQ(both->expect.at("owner-only"), model::Expected::proved);
}

TEST(Matrix, AFileWithoutOneIsOneScenario) {
  const std::string text = "format = 1\n[process.A]\nthreads = [[\"lock a\", \"unlock a\"]]\n";
  EXPECT_THAT(*scenario_instances(text, "x.toml", test_library()), ElementsAre(""));
  EXPECT_THAT(told(text, "[a=b]"), HasSubstr("there is no [matrix]"));
}

TEST(Matrix, MistakesHaveTheirPlaceInIt) {
  const std::string head = "format = 1\n[process.A]\nthreads = [[\"lock a\", \"unlock a\"]]\n[matrix]\n";
  EXPECT_THAT(told(head + "\"time.watchdog\" = [\"9s\", \"3x\"]", "[time.watchdog=3x]"),
              HasSubstr("--> x.toml:5:26"));
  EXPECT_THAT(told(head + "\"time.wachdog\" = [\"9s\"]", "[time.wachdog=9s]"),
              AllOf(HasSubstr("--> x.toml:5:1"), HasSubstr("did you mean `watchdog`?")));
  EXPECT_THAT(told(head + "\"time.watchdog\" = [\"9s\"]", ""), HasSubstr("one is wanted"));
  EXPECT_THAT(told(head + "\"time.watchdog\" = [\"9s\"]", "[time.watchdog=8s]"),
              HasSubstr("did you mean `[time.watchdog=9s]`?"));
  EXPECT_THAT(told(head + "\"time.watchdog\" = \"9s\"", ""), HasSubstr("wants a list of values"));
  EXPECT_THAT(told(head + "\"time.watchdog\" = [\"9s\", \"9s\"]", ""), HasSubstr("both called `9s`"));
  EXPECT_THAT(told(head + "\"step.lease\" = [\"9s\"]", "[step.lease=9s]"),
              HasSubstr("no step has the option `lease`"));
  EXPECT_THAT(told(head + "time.watchdog = [\"9s\"]\n[expect.\"time.watchdog=8s\"]\nowner-only = \"holds\"",
                   "[time.watchdog=9s]"),
              AllOf(HasSubstr("no scenario of [matrix] has `time.watchdog=8s`"), HasSubstr("x.toml:6:")));
}

TEST(Matrix, ANameIsAFolderAndLeadsNowhereElse) {
  const std::string text =
      "format = 1\n[process.A]\nthreads = [[\"lock a\", \"unlock a\"]]\n[matrix]\nabout = [\"a/../../b\"]\n";
  EXPECT_THAT(*scenario_instances(text, "x.toml", test_library()), ElementsAre("[about=a_.._.._b]"));
}

}  // namespace
}  // namespace lockstep::scenarios
