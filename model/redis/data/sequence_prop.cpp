// A sequence beside a vector that is told the same.
#include <gtest/gtest.h>

#include "model/redis/data/sequence.h"
#include "sim/base/digest.h"
#include "sim/base/random.h"

namespace lockstep::redis {
namespace {

void change(sim::Random& dice, Sequence<std::string>& sequence, std::vector<std::string>& vector) {
  const std::size_t place = dice.below(vector.size() + 1), kind = dice.below(12);
  const auto in_vector = vector.begin() + static_cast<std::ptrdiff_t>(place);
  const auto in_sequence = sequence.begin() + static_cast<std::ptrdiff_t>(place);
  const std::string element = std::to_string(dice.below(1'000'000));
  if (kind < 3) {
    sequence.emplace(in_sequence, element), vector.insert(in_vector, element);
  } else if (kind < 6) {
    sequence.emplace(sequence.begin(), element), vector.insert(vector.begin(), element);
  } else if (kind < 9) {
    sequence.push_back(element), vector.push_back(element);
  } else if (kind == 9 && place < vector.size()) {
    sequence.erase(in_sequence), vector.erase(in_vector);
  } else if (kind == 10 && dice.below(100) == 0) {
    const auto count = static_cast<std::ptrdiff_t>(dice.below(vector.size() - place + 1));
    sequence.erase(in_sequence, in_sequence + count), vector.erase(in_vector, in_vector + count);
  }
}

TEST(Sequence, HoldsWhatAVectorHoldsWhateverIsDone) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    sim::Random dice(seed);
    Sequence<std::string> sequence;
    std::vector<std::string> vector;
    for (int i = 0; i < 20'000; ++i) {
      change(dice, sequence, vector);
      ASSERT_EQ(sequence.size(), vector.size());
      if (i % 500 != 0) continue;
      ASSERT_TRUE(std::equal(sequence.begin(), sequence.end(), vector.begin(), vector.end()));
      ASSERT_TRUE(std::equal(std::make_reverse_iterator(sequence.end()),
                             std::make_reverse_iterator(sequence.begin()), vector.rbegin(), vector.rend()));
      for (std::size_t place = 0; place < vector.size(); place += 97)
        ASSERT_EQ(sequence[place], vector[place]);
      ASSERT_EQ(sequence, Sequence<std::string>(vector)) << "however it is divided";
      ASSERT_EQ(sim::digest_of(sequence), sim::digest_of(vector)) << "it is encoded as a vector is";
    }
    std::sort(sequence.begin(), sequence.end());
    std::sort(vector.begin(), vector.end());
    ASSERT_EQ(sequence, Sequence<std::string>(vector));
    for (int i = 0; i < 200; ++i) {
      const std::string wanted = std::to_string(dice.below(1'000'000));
      const auto at = std::lower_bound(vector.begin(), vector.end(), wanted);
      ASSERT_EQ(sequence.place_after([&](const std::string& one) { return one < wanted; }),
                static_cast<std::size_t>(at - vector.begin()));
    }
    while (!vector.empty()) {
      sequence.erase(sequence.begin());
      vector.erase(vector.begin());
      if (vector.size() % 1'000 == 0) { ASSERT_EQ(sequence, Sequence<std::string>(vector)); }
    }
    EXPECT_TRUE(sequence.empty());
  }
}

/// Counts how often one is moved.
struct Heavy {
  static inline std::size_t moves = 0;
  Heavy(int n = 0) : number(n) {}  // NOLINT
  Heavy(const Heavy&) = default;
  Heavy& operator=(const Heavy&) = default;
  Heavy(Heavy&& other) noexcept : number(other.number) { ++moves; }
  Heavy& operator=(Heavy&& other) noexcept {
    number = other.number;
    ++moves;
    return *this;
  }
  ~Heavy() = default;
  int number;
};

TEST(Sequence, WhatAChangeCostsDoesNotGrowWithTheLength) {
  constexpr std::size_t many = 50'000, most = Sequence<Heavy>::block_max;
  const auto cost_of_each = [](auto change) {
    Heavy::moves = 0;
    for (std::size_t i = 0; i < many; ++i) change(i);
    return Heavy::moves / many;
  };
  sim::Random dice(1);
  Sequence<Heavy> ends, anywhere;
  EXPECT_LT(cost_of_each([&](std::size_t) { ends.emplace(ends.begin(), 1); }), most);
  EXPECT_LT(cost_of_each([&](std::size_t) { ends.push_back(1); }), 4U);
  EXPECT_LT(cost_of_each([&](std::size_t) { ends.erase(ends.begin()); }), most);
  EXPECT_LT(cost_of_each([&](std::size_t i) {
              anywhere.emplace(anywhere.begin() + static_cast<std::ptrdiff_t>(dice.below(i + 1)), 1);
            }),
            most);
  EXPECT_LT(cost_of_each([&](std::size_t i) {
              anywhere.erase(anywhere.begin() + static_cast<std::ptrdiff_t>(dice.below(many - i)));
            }),
            most);
}

}  // namespace
}  // namespace lockstep::redis
