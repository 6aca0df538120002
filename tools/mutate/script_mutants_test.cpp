// The mistakes that are put into a script, and the reading of Lua that finds their places.
#include "tools/mutate/script_mutants.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "lua/engine/engine.h"
#include "tools/cli/load.h"
#include "tools/mutate/lua_sites.h"

namespace lockstep::tools {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

lua::Script script_of(std::string text, std::size_t keys = 1, std::size_t args = 1) {
  return {.role = "lock",
          .file = "lock.lua",
          .origin = {},
          .text = std::move(text),
          .sha1 = {},
          .keys = std::vector<std::string>(keys, "lock"),
          .args = std::vector<std::string>(args, "lease"),
          .replies = {},
          .versions = {}};
}

/// "2: 'del' dropped" for each.
std::vector<std::string> told(const lua::Script& script) {
  std::vector<std::string> lines;
  const auto mutants = script_mutants(script);
  EXPECT_TRUE(mutants.ok()) << mutants.problem().text;
  if (mutants)
    for (const ScriptMutant& one : *mutants) lines.push_back(std::to_string(one.line) + ": " + one.what);
  return lines;
}

std::string made(const lua::Script& script, const std::string& what) {
  const auto mutants = script_mutants(script);
  if (mutants)
    for (const ScriptMutant& one : *mutants)
      if (one.what == what) return one.text;
  return "there is none";
}

TEST(ScriptMutants, ACommandIsDroppedAndRepeatedWhereItIsAStatementOfItsOwn) {
  EXPECT_THAT(told(script_of("redis.call('del','a')\nreturn redis.call('get','a')", 0, 0)),
              ElementsAre("1: 'del' dropped", "1: 'del' repeated"));
}

TEST(ScriptMutants, NeighboursAreSwappedWithinTheirBlockOnly) {
  const lua::Script script = script_of(
      "redis.call('set','a','b')\nredis.call('del','c')\nif x then redis.call('get','d') end", 0, 0);
  EXPECT_THAT(told(script), Contains("1: 'set' and 'del' swapped"));
  EXPECT_THAT(told(script), Not(Contains(HasSubstr("'get' swapped"))));
  EXPECT_EQ(made(script, "'set' and 'del' swapped"),
            "redis.call('del','c')\nredis.call('set','a','b')\nif x then redis.call('get','d') end");
}

TEST(ScriptMutants, AConditionIsNegatedWidenedAndNarrowed) {
  const lua::Script script = script_of("if(a > b) then return x end", 0, 0);
  EXPECT_THAT(told(script), ElementsAre("1: `if` negated", "1: `if` always true", "1: `if` never true",
                                        "1: `>` made `>=`"));
  EXPECT_EQ(made(script, "`if` negated"), "if not ((a > b)) then return x end");
}

TEST(ScriptMutants, OneSideOfAConjunctionIsDroppedAndLinesStay) {
  const lua::Script script = script_of("if a and\nb then return c end", 0, 0);
  EXPECT_EQ(made(script, "left side of `and` dropped"), "if \nb then return c end");
  EXPECT_EQ(made(script, "right side of `and` dropped"), "if a\n then return c end");
}

TEST(ScriptMutants, AKeyBecomesTheNextOneOrAnotherName) {
  EXPECT_EQ(made(script_of("return KEYS[2]", 2, 0), "KEYS[2] made KEYS[1]"), "return KEYS[1]");
  EXPECT_EQ(made(script_of("return KEYS[1]", 1, 0), "KEYS[1] made another key"), "return (KEYS[1]..'x')");
  EXPECT_THAT(told(script_of("return ARGV[1]", 0, 1)), IsEmpty());
  EXPECT_THAT(told(script_of("return ARGV[3]", 0, 3)), ElementsAre("1: ARGV[3] made ARGV[1]"));
}

TEST(ScriptMutants, AnAmountIsOneMoreAndOneLessAndNoCommentBegins) {
  EXPECT_THAT(told(script_of("return 1", 0, 0)), ElementsAre("1: 1 made 2", "1: 1 made 0"));
  EXPECT_EQ(made(script_of("return -0", 0, 0), "0 made -1"), "return -(-1)");
  EXPECT_THAT(told(script_of("return nil", 0, 0)), ElementsAre("1: nil made 0"));
  EXPECT_THAT(told(script_of("local a = nil", 0, 0)), IsEmpty());
  EXPECT_THAT(told(script_of("while true do break end", 0, 0)), ElementsAre("1: `while` negated"));
}

TEST(ScriptMutants, WhatStandsInTextsAndCommentsIsLeftAlone) {
  EXPECT_THAT(
      told(script_of("-- if a then redis.call('del') end 1\nlocal s = 'KEYS[1] > 1' .. [[\n1 == 2]]")),
      IsEmpty());
}

TEST(ScriptMutants, ALineIsThatOfThePlace) {
  EXPECT_THAT(told(script_of("--[[ a\nb ]]\n\nredis.call(\n'del', KEYS[1])")),
              ElementsAre("4: 'del' dropped", "4: 'del' repeated", "5: KEYS[1] made another key"));
  EXPECT_EQ(made(script_of("redis.call(\n'del')\nx = 1", 0, 0), "'del' dropped"), "do end\n\nx = 1");
}

TEST(ScriptMutants, ACommandThatIsAnArgumentIsNamedSo) {
  EXPECT_THAT(told(script_of("redis.call(ARGV[1], 'a')", 0, 1)), Contains("1: `ARGV[1]` dropped"));
}

TEST(ScriptMutants, WhatIsNoLuaIsRefusedWithItsLine) {
  for (const char* bad :
       {"\nif a then", "\nreturn 'a", "\n--[[ x", "\nx = = 1", "\n?", "\na.b", "\nreturn 1 2"}) {
    const auto mutants = script_mutants(script_of(bad));
    ASSERT_FALSE(mutants.ok()) << bad;
    EXPECT_THAT(mutants.problem().text, HasSubstr("line 2: ")) << bad;
  }
  EXPECT_FALSE(script_mutants(script_of("return " + std::string(5'000, '('))).ok());
}

TEST(ScriptMutants, AllOfTheProgramsScriptsAreReadAndTheirMutantsCompile) {
  const auto library = script_library();
  ASSERT_TRUE(library.ok());
  ASSERT_GT(library->scripts.size(), 50u);
  lua::Engine engine;
  for (const lua::Script& script : library->scripts) {
    const auto mutants = script_mutants(script);
    ASSERT_TRUE(mutants.ok()) << script.file << ": " << mutants.problem().text;
    EXPECT_GT(mutants->size(), 0u) << script.file;
    for (const ScriptMutant& one : *mutants) {
      const lua::Reply compiled = engine.load(one.text);
      EXPECT_EQ(compiled.error(), nullptr) << script.file << ":" << one.line << ": " << one.what;
      EXPECT_EQ(std::count(one.text.begin(), one.text.end(), '\n') >=
                    std::count(script.text.begin(), script.text.end(), '\n'),
                true);
      EXPECT_NE(one.text, script.text);
    }
  }
}

}  // namespace
}  // namespace lockstep::tools
