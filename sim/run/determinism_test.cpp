#include "sim/run/determinism.h"

#include <gtest/gtest.h>

#include "sim/toys/jugs.h"
#include "sim/run/uniform.h"

namespace lockstep::sim {
namespace {

using namespace toys;

template <System S>
std::vector<Decision<typename S::Move>> some_trail(S& system) {
  Uniform<S> policy{Random{4}};
  return run(system, system.initial(), policy, {.steps_max = 12, .stop_at = 0}).trail;
}

TEST(Determinism, TwoRunsOfOneTrailAreEqual) {
  Jugs jugs;
  EXPECT_FALSE(check_determinism(jugs, jugs, some_trail(jugs)).has_value());
}

/// Spills a litre the fifth time that anything is done, whatever the state: it keeps a secret.
struct Leaky : Jugs {
  int done = 0;
  WitnessMask apply(State& s, const Move& m) {
    const WitnessMask shown = Jugs::apply(s, m);
    if (++done == 5 + 12) s.big = s.big == 0 ? 1 : s.big - 1;  // 12 steps are taken to make the trail
    return shown;
  }
};

TEST(Determinism, ASystemWithASecretIsCaughtAtTheStepAndToldTheUsualCauses) {
  Leaky leaky;
  Leaky other;
  const auto trail = some_trail(leaky);
  other.done = -100;
  const auto problem = check_determinism(leaky, other, trail);
  ASSERT_TRUE(problem.has_value());
  EXPECT_NE(problem->text.find("differ at step 5, after "), std::string::npos) << problem->text;
  EXPECT_NE(problem->text.find("Usual causes"), std::string::npos);
}

/// Lists moves the other way round in every second call.
struct Fickle : Jugs {
  mutable int calls = 0;
  void enabled(const State& s, std::vector<Move>& moves) const {
    Jugs::enabled(s, moves);
    if (++calls % 2 == 0) std::reverse(moves.begin(), moves.end());
  }
};

TEST(Determinism, ListsOfMovesThatDifferAreShown) {
  Fickle fickle;
  const auto problem = check_determinism(fickle, fickle, {});
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->text.find(
                "two runs of one trail differ at step 0, in the initial state: different moves are enabled\n"
                "  first run:\n    0/2 fill-small 0\n    1/2 fill-big 0\n"
                "  second run:\n    0/2 fill-big 0\n    1/2 fill-small 0\n"),
            0u)
      << problem->text;
}

/// Shows something else whenever it is asked.
struct Moody : Jugs {
  WitnessMask shown = 0;
  WitnessMask apply(State& s, const Move& m) {
    Jugs::apply(s, m);
    return ++shown;
  }
};

TEST(Determinism, WhatAStepShowsIsComparedToo) {
  Moody moody;
  const auto problem = check_determinism(moody, moody, some_trail(moody));
  ASSERT_TRUE(problem.has_value());
  EXPECT_NE(problem->text.find("differ at step 1, after "), std::string::npos) << problem->text;
  EXPECT_NE(problem->text.find("different witnesses"), std::string::npos) << problem->text;
}

TEST(Determinism, RunsThatWereDrawnAlikeDifferAtTheFirstDecisionThatIsAnother) {
  Jugs jugs;
  const auto trail = some_trail(jugs);
  EXPECT_FALSE(check_alike(jugs, trail, trail).has_value());
  auto shorter = trail;
  shorter.pop_back();
  const auto ended = check_alike(jugs, trail, shorter);
  ASSERT_TRUE(ended.has_value());
  EXPECT_NE(ended->text.find("differ at step 12\n"), std::string::npos) << ended->text;
  EXPECT_NE(ended->text.find("  second run:\n    nothing\n"), std::string::npos) << ended->text;
  auto other = trail;
  ++other[3].arity;
  const auto unlike = check_alike(jugs, trail, other);
  ASSERT_TRUE(unlike.has_value());
  EXPECT_NE(unlike->text.find("differ at step 4\n"), std::string::npos) << unlike->text;
}

}  // namespace
}  // namespace lockstep::sim
