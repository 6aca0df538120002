#include "tools/suggest.h"

#include <gtest/gtest.h>

namespace lockstep::tools {
namespace {

TEST(Suggest, ASwapOfNeighboursIsOneSlip) {
  EXPECT_EQ(edit_distance("chekc", "check"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("same", "same"), 0u);
}

TEST(Suggest, TheNearestCandidateIsOffered) {
  EXPECT_EQ(nearest("replya", {"run", "replay", "report"}), "replay");
  EXPECT_EQ(did_you_mean("--sed", {"--seed", "--exact"}), "; did you mean `--seed`?");
}

TEST(Suggest, NothingIsOfferedForAWordThatResemblesNone) {
  EXPECT_EQ(nearest("frobnicate", {"run", "replay"}), std::nullopt);
  EXPECT_EQ(did_you_mean("x", {"run"}), "");
}

TEST(Suggest, TheFirstOfEquallyNearCandidatesWins) { EXPECT_EQ(nearest("rxn", {"ran", "run"}), "ran"); }

}  // namespace
}  // namespace lockstep::tools
