// What else could have happened: told for the last decisions of a run, within limits.
#include "tools/graph/other_ways.h"

#include <gmock/gmock.h>

#include "properties/check/check.h"
#include "tools/cli/load.h"

namespace lockstep::tools {
namespace {

class OtherWays : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto loaded = load_scenario("plain/two-clients", {});
    ASSERT_TRUE(loaded.ok());
    setup_.emplace(*loaded);
    trail_ = properties::trail_header(*setup_, "", "");
    trail_.then = {.by_default = true, .until = 40};
  }

  std::vector<reports::PageChoice> ways(const OtherWaysLimits& limits) const {
    auto all = other_ways(*setup_, trail_, "lockstep step plain/two-clients", limits);
    EXPECT_TRUE(all.ok());
    return all.ok() ? *std::move(all) : std::vector<reports::PageChoice>();
  }

  static bool is_tried(const reports::PageChoice& choice) {
    return std::all_of(choice.ways.begin(), choice.ways.end(),
                       [](const reports::PageWay& way) { return way.taken || !way.outcome.empty(); });
  }

  std::optional<model::Setup> setup_;
  sim::Trail trail_;
};

TEST_F(OtherWays, EachMoveThatWasNotTakenIsToldWithWhatComesOfIt) {
  const auto choices = ways({});
  ASSERT_GT(choices.size(), 20u);
  std::size_t others = 0;
  for (const reports::PageChoice& choice : choices) {
    EXPECT_TRUE(is_tried(choice)) << choice.decision;
    for (const reports::PageWay& way : choice.ways) {
      others += way.taken ? 0 : 1;
      EXPECT_TRUE(way.taken || !way.story.empty()) << way.move;
    }
  }
  EXPECT_GT(others, 10u);
}

// Each move is tried from where the run stands, and what lies before is gone over for each: a run of
// thousands of decisions would otherwise take longer with each.
TEST_F(OtherWays, WhatLiesBeforeManyEventsIsListedOnlyAndTheLastDecisionsAreTried) {
  const auto all = ways({}), few = ways({.events_max = 100}), some = ways({.tried_max = 5});
  ASSERT_EQ(few.size(), all.size());
  EXPECT_FALSE(std::all_of(few.begin(), few.end(), is_tried));
  EXPECT_FALSE(std::all_of(some.begin(), some.end(), is_tried));
  bool tried = false;
  for (std::size_t i = 0; i < few.size(); ++i) {
    EXPECT_EQ(few[i].ways.size(), all[i].ways.size());
    const bool is_choice = few[i].ways.size() > 1;
    if (is_choice && tried) {
      EXPECT_TRUE(is_tried(few[i])) << "not the last ones: " << i;
    }
    tried = tried || (is_choice && is_tried(few[i]));
  }
  EXPECT_TRUE(tried);
}

}  // namespace
}  // namespace lockstep::tools
