#include "sim/search/pieces.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace lockstep::sim {
namespace {

struct Large {
  std::uint64_t number = 0, others[9]{};
};

Pieces<Large> counted(std::uint64_t count) {
  Pieces<Large> pieces;
  for (std::uint64_t i = 0; i < count; ++i) pieces.push_back({i, {}});
  return pieces;
}

TEST(Pieces, AreGivenBackAsTheyAreDoneWith) {
  constexpr std::uint64_t count = 10'000;
  Pieces<Large> pieces = counted(count);
  const std::uint64_t before = pieces.bytes();
  for (std::uint64_t i = 0; i < count; ++i) {
    pieces.drop_before(i);
    ASSERT_EQ(pieces[i].number, i);
    if (i == count / 2) { EXPECT_LT(pieces.bytes(), before * 11 / 20); }
  }
  EXPECT_LT(pieces.bytes(), before / 20);
}

TEST(Pieces, CanBeFilledAnewAfterSomeAreGone) {
  Pieces<Large> pieces = counted(1'000);
  for (std::uint64_t i = 0; i < 700; ++i) pieces.drop_before(i);
  pieces.clear();
  EXPECT_TRUE(pieces.empty());
  EXPECT_EQ(pieces.bytes(), 0U);
  for (std::uint64_t i = 0; i < 600; ++i) pieces.push_back({2 * i, {}});
  for (std::uint64_t i = 0; i < 600; ++i) ASSERT_EQ(pieces[i].number, 2 * i);
}

}  // namespace
}  // namespace lockstep::sim
