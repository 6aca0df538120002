#include "tools/cli/quantity.h"

#include <gtest/gtest.h>

namespace lockstep::tools {
namespace {

using namespace std::chrono_literals;

TEST(Quantity, ADurationHasAUnit) {
  EXPECT_EQ(parse_duration("500ms").value(), 500ms);
  EXPECT_EQ(parse_duration("30s").value(), 30s);
  EXPECT_EQ(parse_duration("5m").value(), 5min);
  EXPECT_EQ(parse_duration("2h").value(), 2h);
  for (const char* wrong :
       {"", "30", "s", "-1s", "1.5s", "1d", "99999999999999999999s", "9999999999999h", "1s "}) {
    EXPECT_FALSE(parse_duration(wrong).ok()) << wrong;
  }
}

TEST(Quantity, ASizeMayHaveAUnit) {
  EXPECT_EQ(parse_size("4G").value(), 4ull << 30);
  EXPECT_EQ(parse_size("512M").value(), 512ull << 20);
  EXPECT_EQ(parse_size("100").value(), 100u);
  for (const char* wrong : {"", "G", "4g", "4GB", "18446744073709551615K"})
    EXPECT_FALSE(parse_size(wrong).ok()) << wrong;
}

TEST(Quantity, ACountMayBeGroupedAndUsesAll64Bits) {
  EXPECT_EQ(parse_count("2_000_000").value(), 2'000'000u);
  EXPECT_EQ(parse_count("18446744073709551615").value(), 18446744073709551615ull);
  for (const char* wrong : {"1__0", "1_", "", "_", "-1", "1e6", "18446744073709551616", "0x10"}) {
    EXPECT_FALSE(parse_count(wrong).ok()) << wrong;
  }
}

TEST(Quantity, AProblemQuotesWhatWasWritten) {
  EXPECT_EQ(parse_duration("soon").problem().text,
            "wants a duration such as 500ms, 30s, 5m or 2h, not `soon`");
}

}  // namespace
}  // namespace lockstep::tools
