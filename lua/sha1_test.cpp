#include "lua/sha1.h"

#include <gtest/gtest.h>

namespace lockstep::lua {
namespace {

TEST(Sha1, HasTheValuesOfTheStandard) {
  EXPECT_EQ(sha1_hex(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(sha1_hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha1_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(sha1_hex(std::string(1'000'000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(Sha1, TakesAnyBytes) { EXPECT_NE(sha1_hex(std::string("a\0b", 3)), sha1_hex(std::string("a\0c", 3))); }

}  // namespace
}  // namespace lockstep::lua
