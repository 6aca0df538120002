// same_outcome.h: two searches of one system found the same, to the last decision.
#pragma once

#include <gtest/gtest.h>

#include "sim/search/outcome.h"

namespace lockstep::sim::testing {

template <System S>
void expect_same_outcome(const Outcome<S>& found, const Outcome<S>& expected) {
  EXPECT_EQ(found.states, expected.states);
  EXPECT_EQ(found.transitions, expected.transitions);
  EXPECT_EQ(found.depth, expected.depth);
  EXPECT_EQ(found.at_rest, expected.at_rest);
  EXPECT_EQ(found.ended, expected.ended);
  EXPECT_EQ(found.symmetry, expected.symmetry);
  EXPECT_EQ(found.violated, expected.violated);
  EXPECT_EQ(found.witnesses, expected.witnesses);
  ASSERT_EQ(found.violations.size(), expected.violations.size());
  for (std::size_t i = 0; i < found.violations.size(); ++i) {
    EXPECT_EQ(found.violations[i].property, expected.violations[i].property);
    EXPECT_EQ(found.violations[i].trail, expected.violations[i].trail);
  }
  ASSERT_EQ(found.zeno.has_value(), expected.zeno.has_value());
  if (found.zeno) {
    EXPECT_EQ(found.zeno->stem, expected.zeno->stem);
    EXPECT_EQ(found.zeno->cycle, expected.zeno->cycle);
  }
  EXPECT_EQ(found.dead_end, expected.dead_end);
}

}  // namespace lockstep::sim::testing
