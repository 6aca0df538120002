#include "scenarios/format/suggest.h"

#include <gtest/gtest.h>

namespace lockstep::scenarios {
namespace {

const std::vector<std::string> words = {"wait", "lease", "via", "unlock", "force-unlock"};

TEST(Suggest, DistanceCountsEditsAndSwapsOfNeighbours) {
  EXPECT_EQ(distance("", ""), 0U);
  EXPECT_EQ(distance("lock", "lock"), 0U);
  EXPECT_EQ(distance("", "lock"), 4U);
  EXPECT_EQ(distance("lok", "lock"), 1U);
  EXPECT_EQ(distance("lcok", "lock"), 1U);
  EXPECT_EQ(distance("kitten", "sitting"), 3U);
  EXPECT_EQ(distance("sitting", "kitten"), 3U);
}

TEST(Suggest, TheNearestWordWinsAndTheFirstOfEquals) {
  EXPECT_EQ(nearest("lese", words), "lease");
  EXPECT_EQ(nearest("unlok", words), "unlock");
  const std::vector<std::string> equals = {"cat", "car"};
  EXPECT_EQ(nearest("cas", equals), "cat");
}

TEST(Suggest, NothingFarFetchedIsOffered) {
  EXPECT_EQ(nearest("banana", words), "");
  EXPECT_EQ(nearest("", words), "");
  EXPECT_EQ(nearest("x", words), "");
  EXPECT_EQ(nearest(std::string(100'000, 'l'), words), "");
}

TEST(Suggest, AListIsReadAloudWithOr) {
  EXPECT_EQ(either({}), "");
  EXPECT_EQ(either(std::vector<std::string>{"a"}), "`a`");
  EXPECT_EQ(either(std::vector<std::string>{"a", "b", "c"}), "`a`, `b` or `c`");
  EXPECT_EQ(did_you_mean("lese", words), "did you mean `lease`?");
  EXPECT_EQ(did_you_mean("zzz", words, "options are few"), "options are few");
}

}  // namespace
}  // namespace lockstep::scenarios
