#include "tools/cli/console.h"

#include <gtest/gtest.h>

namespace lockstep::tools {
namespace {

TEST(Console, ATerminalGetsColourAndAPipeDoesNot) {
  EXPECT_TRUE(wants_colour(ColourWish::automatic, {.terminal = true}));
  EXPECT_FALSE(wants_colour(ColourWish::automatic, {.terminal = false}));
}

TEST(Console, NoColorAndADumbTerminalSwitchItOff) {
  EXPECT_FALSE(wants_colour(ColourWish::automatic, {.terminal = true, .no_color = true}));
  EXPECT_FALSE(wants_colour(ColourWish::automatic, {.terminal = true, .dumb = true}));
}

TEST(Console, AForcedPipeGetsColourUnlessNoColorIsSet) {
  EXPECT_TRUE(wants_colour(ColourWish::automatic, {.forced = true}));
  EXPECT_FALSE(wants_colour(ColourWish::automatic, {.no_color = true, .forced = true}));
}

TEST(Console, TheOptionWinsOverTheSurroundings) {
  EXPECT_TRUE(wants_colour(ColourWish::always, {.no_color = true}));
  EXPECT_FALSE(wants_colour(ColourWish::never, {.terminal = true, .forced = true}));
}

}  // namespace
}  // namespace lockstep::tools
