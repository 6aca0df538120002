#include "lua/scripts/departures.h"

#include <gtest/gtest.h>

#include "lua/scripts/embedded_scripts.h"

namespace lockstep::lua {
namespace {

TEST(Departures, AreToldWithTheirLine) {
  for (const char* script : {
           "local x = 1\nlocal function f(...) return arg.n end",
           "local x\nfor i = 1, 3, 0 do end",
           "return 1\n+ 5 % 0.1",
           "return 1\n+ 5 % math.huge",
           "local t = {}\nreturn #t % #t",
           "local t = {}\nsetmetatable(t, {__len = function() return 1 end})",
           "local t = {}\nlocal m = {} m['__concat'] = 1",
       }) {
    const auto told = departure_in(script);
    ASSERT_TRUE(told.has_value()) << script;
    EXPECT_TRUE(told->starts_with("line 2: ")) << *told;
  }
}

TEST(Departures, AreNotSeenWhereNoneIs) {
  for (const char* script : {
           "return 10 / 2 .. '' .. 1 % 0",
           "for i = ARGV[1], 3, 1 do redis.call('set', 'key:' .. i, i) end",
           "local arg = {...} return arg.n",
           "local function f(...) return select('#', ...) end return f(ARGV.arg)",
           "-- arg ... __len 5 % 0.1, for i = 1, 2, 0 do",
           "return '%0.1f' .. string.format('5 %% 0.1', 1), {1, 0}",
           "return 7 % 2.0, 7 % 10, x % y",
       })
    EXPECT_EQ(departure_in(script), std::nullopt) << script;
}

TEST(Departures, LockScriptsHaveNone) {
  for (const EmbeddedFile& file : embedded_scripts())
    if (file.name.ends_with(".lua")) {
      EXPECT_EQ(departure_in(file.text), std::nullopt) << file.name;
    }
}

}  // namespace
}  // namespace lockstep::lua
