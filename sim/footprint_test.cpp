#include "sim/footprint.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/toys/graph.h"

namespace lockstep::sim {
namespace {

constexpr ComponentId node{0}, process{1}, link{2};

TEST(Footprint, MovesThatOnlyReadTheSameAreIndependent) {
  EXPECT_TRUE(independent({{node}, {process}}, {{node}, {link}}));
  EXPECT_FALSE(independent({{node}, {process}}, {{}, {node}}));
  EXPECT_FALSE(independent({{}, {node}}, {{node}, {}}));
  EXPECT_FALSE(independent({{}, {node}}, {{}, {node}}));
  EXPECT_TRUE(independent({{}, {node, process}}, {{}, {link}}));
}

TEST(Footprint, WhatIsReadAndWrittenIsWritten) {
  Footprint both({node}, {node});
  EXPECT_EQ(both, Footprint({}, {node}));
  EXPECT_TRUE(both.covers({{node}, {}}));
  EXPECT_FALSE(Footprint({node}, {}).covers(both));
}

Footprint any_footprint() {
  Footprint all;
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
    const auto component = make_id<ComponentId>(*rc::gen::inRange<std::size_t>(0, 3));
    if (*rc::gen::arbitrary<bool>()) all.writes(component);
    else all.reads(component);
  }
  return all;
}

RC_GTEST_PROP(Footprint, IndependenceIsMutualAndLostOnlyByTouchingMore, ()) {
  const Footprint a = any_footprint(), b = any_footprint(), more = any_footprint();
  RC_ASSERT(independent(a, b) == independent(b, a));
  Footprint larger = a;
  larger.add(more);
  RC_ASSERT(larger.covers(a) && larger.covers(more));
  RC_ASSERT(independent(larger, b) == (independent(a, b) && independent(more, b)));
}

static_assert(!HasFootprints<toys::Graph>, "a footprint is optional");

}  // namespace
}  // namespace lockstep::sim
