// answers_kept_test.cpp: tables of answers by numbers, and what a function has read.
#include <utility>

#include <gtest/gtest.h>

#include "properties/check/by_numbers.h"
#include "properties/check/recollection.h"
#include "properties/check/whole_steps.h"

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
  AnswersOfTwo<std::uint32_t> known;
  known.keep(row_with(1, 2, 3), first, 7);
  EXPECT_NE(known.find(row_with(1, 5, 5)), nullptr);
  known.keep(row_with(2, 2, 3), first | second, 8);
  EXPECT_EQ(known.find(row_with(1, 2, 5)), nullptr);
  EXPECT_EQ(*known.find(row_with(2, 2, 5)), 8U);
  EXPECT_EQ(known.find(row_with(2, 3, 5)), nullptr);
  known.keep(row_with(4, 4, 4), third, 9);
  EXPECT_EQ(known.find(row_with(2, 2, 3)), nullptr);
  EXPECT_EQ(known.find(row_with(4, 4, 4)), nullptr);
}

TEST(AnswersOfTwo, AreOfOneFunctionAndOfWhatItWasTold) {
  AnswersOfTwo<std::uint32_t> known;
  known.keep(row_with(1, 2, 3), first, 7, 10, 1);
  EXPECT_EQ(known.find(row_with(1, 2, 3), 11, 1), nullptr);
  EXPECT_EQ(known.find(row_with(1, 2, 3), 10, 0), nullptr);
  EXPECT_EQ(known.find(row_with(1, 2, 3), 10, 2), nullptr);
  EXPECT_EQ(*known.find(row_with(1, 2, 3), 10, 1), 7U);
}

TEST(AnswersOfTwo, AreNotKeptOfNumbersThatAreTooLarge) {
  AnswersOfTwo<std::uint32_t> known;
  known.keep(row_with(1 << 16, 2, 3), first | second, 7);
  known.keep(row_with(0, 3, 3), first | second, 8);
  EXPECT_EQ(known.find(row_with(1 << 16, 2, 3)), nullptr);
  EXPECT_EQ(*known.find(row_with(0, 3, 3)), 8U);
}

/// Slots: a server, three processes, what is of nobody alone, monitors.
class AWholeStep : public testing::Test {
 protected:
  static constexpr std::uint32_t silent = 2, wait_one = 4;

  void SetUp() override {
    for (std::size_t slot = 0; slot < 6; ++slot) row_[slot] = 10;
    steps_.begin(row_, whole_);
    steps_.keep(3, row_, sim::Slots{0b11'0011}, {.observed = 7});
  }
  bool is_found() {
    steps_.begin(row_, whole_);
    return steps_.find(3, row_) != nullptr;
  }

  WholeSteps steps_{1, 4, 5};
  sim::Row row_;
  Views::Whole whole_;
};

TEST_F(AWholeStep, IsFoundByWhatItRead) {
  ASSERT_TRUE(is_found());
  EXPECT_EQ(steps_.find(3, row_)->observed, 7U);
  EXPECT_EQ(steps_.find(2, row_), nullptr);
  row_[2] = row_[3] = 11;
  EXPECT_TRUE(is_found()) << "it read nothing of these";
  for (const std::size_t slot : {0, 1, 4, 5}) {
    row_[slot] = 11;
    EXPECT_FALSE(is_found()) << slot;
    row_[slot] = 10;
  }
  row_[0] = 1 << 16;
  EXPECT_FALSE(is_found());
}

TEST_F(AWholeStep, DependsOnWhatOthersWaitFor) {
  whole_.situations[2] = whole_.any = wait_one;
  EXPECT_FALSE(is_found());
  std::swap(whole_.situations[1], whole_.situations[2]);
  EXPECT_TRUE(is_found()) << "its own process follows from what it read";
}

TEST_F(AWholeStep, DependsOnWhetherAllOthersAreSilent) {
  whole_.situations[2] = silent;
  EXPECT_TRUE(is_found());
  whole_.situations[3] = silent;
  EXPECT_FALSE(is_found());
}

TEST_F(AWholeStep, IsLookedForUnderAllThatTheMoveEverRead) {
  row_[1] = 12;
  steps_.begin(row_, whole_);
  steps_.keep(3, row_, sim::Slots{0b100}, {.observed = 8});
  EXPECT_TRUE(is_found());
  row_[2] = 11;
  EXPECT_FALSE(is_found());
}

TEST_F(AWholeStep, IsForgotten) {
  steps_.forget();
  EXPECT_FALSE(is_found());
}

}  // namespace
}  // namespace lockstep::properties
