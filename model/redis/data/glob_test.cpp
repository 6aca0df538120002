#include "model/redis/data/glob.h"

#include <string>

#include <gtest/gtest.h>

namespace lockstep::redis {
namespace {

TEST(Glob, AStarTakesAnythingAndAQuestionMarkOneCharacter) {
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("a*c*e", "abcbcde"));
  EXPECT_FALSE(glob_matches("a*c*e", "abcbcd"));
  EXPECT_TRUE(glob_matches("a?c", "abc"));
  EXPECT_FALSE(glob_matches("a?c", "ac"));
  EXPECT_TRUE(glob_matches("abc**", "abc"));
}

TEST(Glob, BracketsTakeSetsRangesAndTheirOpposite) {
  EXPECT_TRUE(glob_matches("[abc]", "b"));
  EXPECT_TRUE(glob_matches("[a-c]x", "bx"));
  EXPECT_TRUE(glob_matches("[c-a]x", "bx")) << "the ends may stand in either order";
  EXPECT_FALSE(glob_matches("[^a-c]", "b"));
  EXPECT_TRUE(glob_matches("[\\]]", "]"));
  EXPECT_TRUE(glob_matches("k[1", "k1")) << "an unclosed bracket ends with the pattern";
}

TEST(Glob, ABackslashTakesTheNextCharacterAsItIs) {
  EXPECT_TRUE(glob_matches("\\*", "*"));
  EXPECT_FALSE(glob_matches("\\*", "a"));
  EXPECT_TRUE(glob_matches("a\\", "a\\"));
}

TEST(Glob, ManyStarsAreMatchedInReasonableTime) {
  const std::string pattern = "*a*a*a*a*a*a*a*a*a*a*b", text(2'000, 'a');
  EXPECT_FALSE(glob_matches(pattern, text));
}

}  // namespace
}  // namespace lockstep::redis
