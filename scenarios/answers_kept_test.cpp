// answers_kept_test.cpp: tables of answers by numbers, and what a function has read.
#include <gtest/gtest.h>

#include "properties/check/by_numbers.h"
#include "properties/check/recollection.h"

namespace lockstep::properties {
namespace {

TEST(ByNumbers, FindsEachAnswerUnderItsKeyHoweverManyThereAre) {
  ByNumbers<std::uint32_t> known;
  const auto key = [](std::uint32_t i) { return ByNumbers<std::uint32_t>::key(i % 7, i / 7, i % 3); };
  for (std::uint32_t i = 0; i < 5'000; ++i) {
    ASSERT_EQ(known.find(key(i)), nullptr) << i;
    known.keep(key(i), i);
  }
  for (std::uint32_t i = 0; i < 5'000; ++i) {
    ASSERT_NE(known.find(key(i)), nullptr) << i;
    EXPECT_EQ(*known.find(key(i)), i);
  }
  EXPECT_EQ(known.size(), 5'000U);
  known.forget();
  EXPECT_EQ(known.find(key(1)), nullptr);
  EXPECT_EQ(known.size(), 0U);
}

TEST(ByNumbers, TellsWhatIsAskedAndBothNumbersApart) {
  ByNumbers<int> known;
  known.keep(ByNumbers<int>::key(1, 2, 3), 123);
  EXPECT_EQ(known.find(ByNumbers<int>::key(1, 3, 2)), nullptr);
  EXPECT_EQ(known.find(ByNumbers<int>::key(2, 1, 3)), nullptr);
  EXPECT_EQ(known.find(ByNumbers<int>::key(3, 2, 1)), nullptr);
}

sim::Row row_with(std::uint32_t first, std::uint32_t second, std::uint32_t third) {
  sim::Row row;
  row[0] = first;
  row[1] = second;
  row[2] = third;
  return row;
}

constexpr sim::Slots first = 1, second = 2, third = 4;

TEST(LatestAnswers, AreFoundAsLongAsWhatWasReadAndToldIsTheSame) {
  LatestAnswers latest;
  EXPECT_EQ(latest.find(sim::Row{}), nullptr);
  latest.keep(row_with(1, 2, 3), first | third, 7);
  ASSERT_NE(latest.find(row_with(1, 9, 3)), nullptr);
  EXPECT_EQ(*latest.find(row_with(1, 9, 3)), 7U);
  EXPECT_EQ(latest.find(row_with(1, 2, 4)), nullptr);
  EXPECT_EQ(latest.find(row_with(2, 2, 3)), nullptr);
  EXPECT_EQ(latest.find(row_with(1, 2, 3), 5), nullptr);
}

TEST(LatestAnswers, AreTwo) {
  LatestAnswers latest;
  latest.keep(row_with(1, 0, 0), first, 1);
  latest.keep(row_with(2, 0, 0), first, 2);
  EXPECT_NE(latest.find(row_with(1, 0, 0)), nullptr);
  EXPECT_NE(latest.find(row_with(2, 0, 0)), nullptr);
  latest.keep(row_with(3, 0, 0), first, 3);
  EXPECT_EQ(latest.find(row_with(1, 0, 0)), nullptr);
  EXPECT_EQ(*latest.find(row_with(3, 0, 0)), 3U);
}

TEST(AnswersOfTwo, AreNoneOnceAThirdSlotWasRead) {
  AnswersOfTwo known;
  known.keep(row_with(1, 2, 3), first, 7);
  EXPECT_NE(known.find(row_with(1, 5, 5)), nullptr);
  // What was kept under the one slot may depend on the other.
  known.keep(row_with(2, 2, 3), first | second, 8);
  EXPECT_EQ(known.find(row_with(1, 2, 5)), nullptr);
  EXPECT_EQ(*known.find(row_with(2, 2, 5)), 8U);
  EXPECT_EQ(known.find(row_with(2, 3, 5)), nullptr);
  known.keep(row_with(4, 4, 4), third, 9);
  EXPECT_EQ(known.find(row_with(2, 2, 3)), nullptr);
  EXPECT_EQ(known.find(row_with(4, 4, 4)), nullptr);
}

}  // namespace
}  // namespace lockstep::properties
