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

TEST(Recall, KeepsNumbersApartHoweverLargeAndHoweverMany) {
  constexpr std::uint32_t small = 5, large = std::uint32_t{1} << 21, largest = ~std::uint32_t{0};
  Recall recall;
  std::uint32_t result = 0;
  for (const Slots slots : {Slots{0b00001}, Slots{0b00011}, Slots{0b00111}, Slots{0b11111}}) {
    const Recall::Function function = result;
    for (const std::uint32_t first : {small, small + large, large, largest})
      for (const std::uint32_t second : {small, 1U, large, large | 1, largest}) {
        if (slots == 1 && second != small) continue;
        recall.note(function, row({first, second, small, 7, 8}), slots, ++result);
      }
    std::uint32_t expected = function;
    for (const std::uint32_t first : {small, small + large, large, largest})
      for (const std::uint32_t second : {small, 1U, large, large | 1, largest}) {
        if (slots == 1 && second != small) continue;
        EXPECT_EQ(recall.find(function, row({first, second, small, 7, 8})), ++expected) << slots;
      }
    EXPECT_EQ(recall.find(function, row({2, small, small, 7, 8})), std::nullopt) << slots;
  }
}

TEST(Recall, KnowsAFunctionThatReadsNothing) {
  Recall recall;
  recall.note(3, row({1, 2}), 0, 9);
  EXPECT_EQ(recall.find(3, row({4, 5})), 9U);
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
