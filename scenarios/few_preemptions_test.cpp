// Searches through runs with few preemptions: what they find, what they do not, and what they say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/world/move.h"
#include "properties/check/check.h"
#include "properties/check/few_preemptions.h"
#include "properties/monitors/all_properties.h"
#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

using properties::CheckReport;
using properties::PropertyResult;
using properties::Strategy;
using properties::Verdict;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// Who looks at the gate while it is open comes to look at the key behind it: to find both open, each must be
/// interrupted once.
model::Setup gated(std::string_view programs) {
  return setup_of(std::string(R"(
[scheme.gated]
says    = "a gate that is looked at and then shut, and a key that is looked at and then written"
lease   = "10s"
acquire = [
  { send = "GET {lock}:gate", reply = { nil = "next", "*" = "refused" } },
  { send = "SET {lock}:gate shut", reply = { OK = "next" } },
  { send = "GET {lock}", reply = { nil = "next", "*" = "refused" } },
  { send = "SET {lock} {token} PX {lease}", reply = { OK = "granted" } },
]
release = { send = "DEL {lock}", reply = { 1 = "released", 0 = "released" } }
holder  = { string = "{token}" }
)") + std::string(programs));
}

const char* const both_try =
    "[process.P]\ncount = 2\nthreads = [[\"trylock gated:x wait=0s\", \"work 1s\", \"unlock gated:x\"]]\n";

CheckReport searched_with(const model::Setup& setup, std::optional<std::uint64_t> preemptions,
                     std::uint64_t states_max = 100'000, bool boxes = false) {
  return properties::check(setup, {.strategy = Strategy::search,
                                   .states_max = states_max,
                                   .boxes = boxes,
                                   .preemptions_max = preemptions});
}

const PropertyResult& result_of(const CheckReport& report, Property property) {
  const auto found = std::find_if(report.results.begin(), report.results.end(),
                                  [&](const PropertyResult& one) { return one.property == property; });
  EXPECT_NE(found, report.results.end());
  return *found;
}

TEST(FewPreemptions, TwoAreNeededToPassAGateAndALock) {
  const model::Setup setup = gated(both_try);
  for (const std::uint64_t few : {0, 1})
    EXPECT_EQ(result_of(searched_with(setup, few), Property::mutual_exclusion).verdict, Verdict::unknown)
        << few;
  const CheckReport report = searched_with(setup, 2);
  const PropertyResult& broken = result_of(report, Property::mutual_exclusion);
  ASSERT_EQ(broken.verdict, Verdict::violated);
  const properties::Told told = properties::tell(setup, *broken.trail);
  EXPECT_FALSE(told.divergence) << *told.divergence;
  EXPECT_NE(told.violated & properties::bit(Property::mutual_exclusion), 0U);
}

TEST(FewPreemptions, OneIsEnoughWithoutTheGate) {
  const model::Setup setup = setup_of(R"(
[scheme.naive]
lease   = "10s"
acquire = [
  { send = "GET {lock}", reply = { nil = "next", "*" = "refused" } },
  { send = "SET {lock} {token} PX {lease}", reply = { OK = "granted" } },
]
release = { send = "DEL {lock}", reply = { 1 = "released", 0 = "released" } }
holder  = { string = "{token}" }
[process.P]
count   = 2
threads = [["trylock naive:x wait=0s", "work 1s", "unlock naive:x"]]
)");
  EXPECT_EQ(result_of(searched_with(setup, 0), Property::mutual_exclusion).verdict, Verdict::unknown);
  EXPECT_EQ(result_of(searched_with(setup, 1), Property::mutual_exclusion).verdict, Verdict::violated);
}

TEST(FewPreemptions, ProveNothingAndSayWhatTheyCovered) {
  const model::Setup setup = setup_of("[process.P]\ncount = 2\nthreads = [[\"lock a\", \"unlock a\"]]\n");
  const CheckReport few = searched_with(setup, 1);
  EXPECT_FALSE(few.complete);
  EXPECT_THAT(few.bounds, HasSubstr(", at most 1 preemption"));
  ASSERT_EQ(few.boxes.size(), 1U);
  EXPECT_THAT(few.boxes.front(), HasSubstr("at most 1 preemption"));
  for (const PropertyResult& one : few.results) {
    EXPECT_EQ(one.verdict, Verdict::unknown);
    EXPECT_EQ(one.why, "only runs with at most 1 preemption were searched");
  }
  EXPECT_EQ(result_of(searched_with(setup, 0), Property::mutual_exclusion).why,
            "only runs with no preemption were searched");
  EXPECT_TRUE(searched_with(setup, std::nullopt).complete);
}

/// How many are left tells states apart.
TEST(FewPreemptions, MoreOfThemAreMoreStates) {
  const model::Setup setup = gated(both_try);
  std::uint64_t before = 0;
  for (const std::uint64_t few : {0, 1, 2, 3}) {
    const std::uint64_t states = searched_with(setup, few).states;
    EXPECT_GT(states, before);
    before = states;
  }
}

/// Every run has some number of them.
TEST(FewPreemptions, WithManyWhatBreaksIsWhatBreaksWithoutABound) {
  const model::Setup setup = gated(both_try);
  const CheckReport all = searched_with(setup, std::nullopt), many = searched_with(setup, 100);
  ASSERT_EQ(all.results.size(), many.results.size());
  for (std::size_t i = 0; i < all.results.size(); ++i) {
    const bool broken = all.results[i].verdict == Verdict::violated;
    EXPECT_EQ(many.results[i].verdict == Verdict::violated, broken)
        << properties::name_of(all.results[i].property, setup);
  }
}

TEST(FewPreemptions, AreABoxWhereTheQuestionIsTooLarge) {
  std::string text;
  for (const char* who : {"A", "B", "C"})
    text += std::string("[process.") + who + "]\nthreads = [[\"lock a\", \"think " +
            std::to_string(who[0] - 'A' + 1) + "s\", \"unlock a\"]]\n";
  const model::Setup setup = setup_of(text);
  const std::uint64_t with_none = searched_with(setup, 0).states;
  const CheckReport report = searched_with(setup, std::nullopt, with_none + 1, true);
  ASSERT_FALSE(report.complete);
  EXPECT_THAT(report.boxes, Contains(HasSubstr("no preemption")));
  const PropertyResult& held = result_of(report, Property::mutual_exclusion);
  EXPECT_EQ(held.verdict, Verdict::unknown);
  EXPECT_THAT(held.why, HasSubstr("it holds within"));
  EXPECT_THAT(held.why, HasSubstr("no preemption"));
  EXPECT_THAT(result_of(report, Property::calls_return).why, Not(HasSubstr("preemption")));
}

TEST(FewPreemptions, AreNoneWhereTimePassesOrAServerActs) {
  const model::Setup setup = setup_of("[process.P]\ncount = 2\nthreads = [[\"lock a\", \"unlock a\"]]\n");
  const auto process = [&](std::string_view text) {
    const auto move = model::parse_move(text, setup);
    EXPECT_TRUE(move.ok()) << text;
    return properties::process_of(*move, setup);
  };
  EXPECT_EQ(process("run P-2.1"), sim::make_id<model::ProcessId>(1));
  EXPECT_EQ(process("request P-1/0 -> R0"), sim::make_id<model::ProcessId>(0));
  EXPECT_EQ(process("push R0 -> P-2"), sim::make_id<model::ProcessId>(1));
  EXPECT_EQ(process("pass 10ms"), std::nullopt);
  EXPECT_EQ(process("crash P-1"), std::nullopt);
}

}  // namespace
}  // namespace lockstep::scenarios
