// Which ways conditions go, on scripts whose ways are known.
#include "tools/graph/script_ways.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "lua/engine/engine.h"
#include "tools/cli/load.h"

namespace lockstep::tools {
namespace {

using ::testing::ElementsAre;

class Silent final : public lua::Host {
 public:
  lua::Reply call(std::span<const std::string_view>) override { return std::int64_t{1}; }
};

/// The ways that a script goes with this word, which is the first of a scenario; 0 is that it runs.
std::vector<std::uint32_t> ways_of(const std::string& text, std::string_view word) {
  lua::Error problem;
  const std::string sha1 = lua::Engine(lua::Engine::Options{}).load(text, problem)->sha1;
  model::Setup setup;
  setup.scripts.roles["lock"] = {.role = "lock", .text = text, .sha1 = sha1};
  ScriptWays ways(setup);
  lua::Engine engine({.overseer = &ways});
  const lua::LoadedScript* const script = engine.load(text, problem);
  EXPECT_NE(script, nullptr) << problem.text;
  Silent host;
  const std::array<std::string_view, 1> argv{word};
  engine.eval(*script, {}, argv, host);
  return ways.gone();
}

TEST(ScriptWays, OfEachConditionThereAreTwo) {
  const std::string text = "if ARGV[1] == 'a' then return 1 elseif ARGV[1] == 'b' then return 2 end return 3";
  EXPECT_THAT(ways_of(text, "a"), ElementsAre(0, 1));
  EXPECT_THAT(ways_of(text, "b"), ElementsAre(0, 2, 3));
  EXPECT_THAT(ways_of(text, "c"), ElementsAre(0, 2, 4));
}

TEST(ScriptWays, ALoopMayGoBoth) {
  EXPECT_THAT(ways_of("for i = 1, 3 do if i == 2 then break end end", "x"), ElementsAre(0, 1, 2));
  EXPECT_THAT(ways_of("local t = {1, 2} while true do if table.remove(t) == nil then break end end", "x"),
              ElementsAre(0, 1, 2))
      << "the same line comes next";
}

/// Where it decides nothing that comes next.
TEST(ScriptWays, OneMayBeTheLast) {
  EXPECT_THAT(ways_of("if ARGV[1] == 'a' then return 1 end", "b"), ElementsAre(0, 2));
  EXPECT_THAT(ways_of("local f = function(x) if x == 'a' then return 1 end end f(ARGV[1]) return 2", "b"),
              ElementsAre(0, 2));
}

/// The lines of what it calls come in between.
TEST(ScriptWays, OneMayCallFunctions) {
  const std::string text =
      "local is = function(x) if x == 'a' then return true end return false end "
      "if is(ARGV[1]) then return 1 else return 2 end";
  EXPECT_THAT(ways_of(text, "a"), ElementsAre(0, 1, 3));
  EXPECT_THAT(ways_of(text, "b"), ElementsAre(0, 2, 4));
}

TEST(ScriptWays, NumbersFollowFromTheScenario) {
  const auto setup = load_scenario("versions/upgrade-to-sharded-channels", {});
  const auto other = load_scenario("fair/three-clients", {});
  for (const auto* one : {&setup, &other}) {
    ASSERT_TRUE(one->ok());
    std::uint32_t next = 0;
    std::set<std::string> known;
    for (const NumberedScript& script : numbered_scripts(**one)) {
      EXPECT_EQ(script.first, next);
      EXPECT_TRUE(known.insert(script.script->sha1).second);
      next += 1 + 2 * static_cast<std::uint32_t>(script.layout.branches.size());
    }
    EXPECT_GT(next, 10U);
  }
}

}  // namespace
}  // namespace lockstep::tools
