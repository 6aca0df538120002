#include "reports/text/text.h"

#include <gtest/gtest.h>

namespace lockstep::reports {
namespace {

TEST(Text, VisibleCharactersStayAndHiddenOnesAreSpelledOut) {
  EXPECT_EQ(printable("orders:42 钥匙 → ✗"), "orders:42 钥匙 → ✗");
  EXPECT_EQ(printable("a\nb\tc\x01\x7F"), "a\\nb\\tc\\x01\\x7f");
  EXPECT_EQ(printable("\xE2\x80\xAE" "evil"), "\\u202Eevil");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Text, BytesThatAreNoUtf8AreSpelledOutOneByOne) {
  EXPECT_EQ(printable("\xFF\xC0\x80"), "\\xff\\xc0\\x80");
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // a lone surrogate
  EXPECT_EQ(printable("\xE2\x80"), "\\xe2\\x80");            // cut short
  EXPECT_FALSE(valid_utf8("\xF5\x80\x80\x80"));
}

TEST(Text, ABackslashIsDoubledSoThatDifferentTextsStayDifferent) {
  EXPECT_NE(printable("\n"), printable("\\n"));
  EXPECT_EQ(printable("\\n"), "\\\\n");
}

TEST(Text, CuttingNeverSplitsACharacterAndSaysThatItCut) {
  EXPECT_EQ(cut("钥匙钥匙", 3), "钥匙…");
  EXPECT_EQ(cut("abc", 3), "abc");
  EXPECT_EQ(characters(cut(std::string(10'000, 'k'), 40)), 40U);
}

TEST(Text, CuttingToAWidthStaysWithinIt) {
  const std::string text(200, 'W');
  for (const int width : {20, 60, 120}) {
    EXPECT_LE(text_width(cut_to_width(text, 9, width), 9), width);
  }
  EXPECT_EQ(cut_to_width("abc", 9, 100), "abc");
}

TEST(Text, Base64IsThatOfItsStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(from_base64("Zm8="), "fo");
  EXPECT_FALSE(from_base64("Zm9="));  // a bit that belongs to no byte is set
  EXPECT_FALSE(from_base64("Zg=v"));
  EXPECT_FALSE(from_base64("Zg"));
}

}  // namespace
}  // namespace lockstep::reports
