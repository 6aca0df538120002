#include "model/redis/arguments.h"

#include <limits>

#include <gtest/gtest.h>

namespace lockstep::redis {
namespace {

TEST(Arguments, AnIntegerIsReadInItsOnlyFormAndToItsLimits) {
  EXPECT_EQ(parse_integer("0"), 0);
  EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const char* const text :
       {"", "-", "-0", "00", "01", "-01", "+1", " 1", "1 ", "1.0", "0x1", "9223372036854775808"}) {
    EXPECT_FALSE(parse_integer(text).has_value()) << text;
  }
}

TEST(Arguments, AFloatIsWhatStrtodReadsOfTheWholeWord) {
  EXPECT_EQ(parse_float("1e3"), 1000.0);
  EXPECT_EQ(parse_float("0x10"), 16.0);
  EXPECT_EQ(parse_float("-inf"), -std::numeric_limits<double>::infinity());
  for (const char* const text : {"", " 1", "1 ", "nan", "1e400", "1e-400", "abc", "1x"}) {
    EXPECT_FALSE(parse_float(text).has_value()) << text;
  }
}

TEST(Arguments, AScoreIsPrintedInGeneralFormatWithSeventeenDigits) {
  EXPECT_EQ(format_score(3), "3");
  EXPECT_EQ(format_score(0.1), "0.10000000000000001");
  EXPECT_EQ(format_score(1e16), "10000000000000000");
  EXPECT_EQ(format_score(1e17), "1e+17");
  EXPECT_EQ(format_score(std::numeric_limits<double>::infinity()), "inf");
}

TEST(Arguments, ALongFloatIsPrintedWithoutTrailingZerosOrASignedZero) {
  EXPECT_EQ(format_long_float(1.5L), "1.5");
  EXPECT_EQ(format_long_float(100L), "100");
  EXPECT_EQ(format_long_float(-0.0L), "0");
}

TEST(Arguments, AWordIsShownOnOneLineAndUpToItsFirstNul) {
  EXPECT_EQ(shown("a\r\nb"), "a  b");
  EXPECT_EQ(shown(std::string_view("a\0b", 3)), "a");
  EXPECT_EQ(shown(""), "");
}

TEST(Arguments, ALeadingIntegerIsWhatAtoiReads) {
  EXPECT_EQ(leading_integer("12x"), 12);
  EXPECT_EQ(leading_integer(" +3"), 3);
  EXPECT_EQ(leading_integer("-4"), -4);
  EXPECT_EQ(leading_integer("x"), 0);
  EXPECT_EQ(leading_integer("+-1"), 0);
  EXPECT_EQ(leading_integer("-9223372036854775807"), 1);
  EXPECT_EQ(leading_integer("99999999999999999999"), -1);
}

TEST(Arguments, OptionsAreReadInAnyCase) {
  EXPECT_TRUE(is_option("KeepTTL", "keepttl"));
  EXPECT_FALSE(is_option("KEEP", "keepttl"));
  EXPECT_FALSE(is_option("", "nx"));
}

TEST(Arguments, AWholeScoreIsPrintedPlainlyUpToSeventeenDigits) {
  EXPECT_EQ(format_score(-5), "-5");
  EXPECT_EQ(format_score(0.0), "0");
  EXPECT_EQ(format_score(-0.0), "-0");
  EXPECT_EQ(format_score(999999999999999), "999999999999999");
  EXPECT_EQ(format_score(-1e15), "-1000000000000000");
  EXPECT_EQ(format_score(1e16), "10000000000000000");
  EXPECT_EQ(format_score(1e17), "1e+17");
}

TEST(Arguments, AListpackKeepsWholeScoresUpToTwoToTheSixtySecond) {
  EXPECT_EQ(format_listpack_score(1e17), "100000000000000000");
  EXPECT_EQ(format_listpack_score(-4e18), "-4000000000000000000");
  EXPECT_EQ(format_listpack_score(4611686018427387904.0), "4611686018427387904");
  EXPECT_EQ(format_listpack_score(5e18), "5e+18");
  EXPECT_EQ(format_listpack_score(0.1), "0.10000000000000001");
}

}  // namespace
}  // namespace lockstep::redis
