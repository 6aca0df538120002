// What is remembered is found where all that was read is the same, and nowhere else.
#include "sim/search/recall.h"

#include <algorithm>
#include <initializer_list>

#include <gtest/gtest.h>

namespace lockstep::sim {
namespace {

Row row(std::initializer_list<std::uint32_t> parts) {
  Row row;
  std::copy(parts.begin(), parts.end(), row.parts.begin());
  return row;
}

TEST(Recall, FindsAResultWhereWhatWasReadIsTheSame) {
  Recall recall;
  EXPECT_EQ(recall.find(7, row({1, 2, 3})), std::nullopt);
  recall.note(7, row({1, 2, 3}), 0b101, 42);
  EXPECT_EQ(recall.find(7, row({1, 2, 3})), 42U);
  EXPECT_EQ(recall.find(7, row({1, 9, 3})), 42U) << "nobody read the second";
  EXPECT_EQ(recall.find(7, row({1, 2, 4})), std::nullopt);
  EXPECT_EQ(recall.find(8, row({1, 2, 3})), std::nullopt) << "another function";
}

TEST(Recall, AFunctionMayReadMoreWhereItFindsSomethingElse) {
  Recall recall;
  recall.note(0, row({1, 5, 0, 0}), 0b0001, 10);
  recall.note(0, row({2, 5, 0, 0}), 0b1111, 20);
  EXPECT_EQ(recall.find(0, row({1, 6, 0, 0})), 10U);
  EXPECT_EQ(recall.find(0, row({2, 5, 0, 0})), 20U);
  EXPECT_EQ(recall.find(0, row({2, 6, 0, 0})), std::nullopt);
}

TEST(Recall, KeepsWhatReadsLittleUnderOneShape) {
  Recall recall;
  recall.note(0, row({1, 5, 0}), 0b001, 10);
  recall.note(0, row({2, 5, 0}), 0b011, 20);
  EXPECT_EQ(recall.find(0, row({2, 5, 1})), 20U);
  EXPECT_EQ(recall.find(0, row({2, 6, 0})), std::nullopt);
  EXPECT_EQ(recall.find(0, row({1, 6, 0})), std::nullopt) << "it would be right, but is asked for no more";
}

TEST(Recall, KeepsManyResultsApart) {
  Recall recall;
  for (std::uint32_t i = 0; i < 10'000; ++i) recall.note(i % 3, row({i, i / 7, 1}), 0b011, i + 1);
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    ASSERT_EQ(recall.find(i % 3, row({i, i / 7, 2})), i + 1);
    ASSERT_EQ(recall.find(i % 3, row({i, i / 7 + 1, 2})), std::nullopt);
  }
  EXPECT_EQ(recall.size(), 10'000U);
}

TEST(Recall, SaysWhichFunctionIsNotWorthIt) {
  Recall recall;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    (void)recall.find(0, row({i}));
    recall.note(0, row({i}), 1, i);
    (void)recall.find(1, row({i}));
    recall.note(1, row({i}), 1, i);
    (void)recall.find(1, row({i}));
  }
  EXPECT_FALSE(recall.is_worth_noting(0));
  EXPECT_TRUE(recall.is_worth_noting(1));
  EXPECT_TRUE(recall.is_worth_noting(2)) << "nobody knows yet";
}

TEST(Recall, ForgetsAllWhenItGrowsTooLarge) {
  Recall recall(100);
  for (std::uint32_t i = 0; i < 1'000; ++i) {
    recall.note(0, row({i}), 1, i);
    ASSERT_EQ(recall.find(0, row({i})), i);
  }
  EXPECT_LT(recall.size(), 100U / 4);
}

}  // namespace
}  // namespace lockstep::sim
