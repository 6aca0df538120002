#include "sim/base/amount.h"

#include <gtest/gtest.h>

namespace lockstep::sim {
namespace {

TEST(Amount, OneIsSingular) {
  EXPECT_EQ(amount(0, "state"), "0 states");
  EXPECT_EQ(amount(1, "state"), "1 state");
  EXPECT_EQ(amount(2, "process"), "2 processes");
  EXPECT_EQ(noun_for(1, "process"), "process");
}

TEST(Amount, BytesAreToldInTheLargestUnitThatLeavesNothingOver) {
  EXPECT_EQ(amount_of_bytes(0), "0 bytes");
  EXPECT_EQ(amount_of_bytes(1), "1 byte");
  EXPECT_EQ(amount_of_bytes(1025), "1025 bytes");
  EXPECT_EQ(amount_of_bytes(1024), "1 KiB");
  EXPECT_EQ(amount_of_bytes(1536u << 10), "1536 KiB");
  EXPECT_EQ(amount_of_bytes(500u << 20), "500 MiB");
  EXPECT_EQ(amount_of_bytes(std::uint64_t{1} << 41), "2048 GiB");
}

}  // namespace
}  // namespace lockstep::sim
