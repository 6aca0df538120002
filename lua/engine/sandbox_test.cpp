#include "lua/engine/sandbox.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "lua/testing/fake_host.h"

namespace lockstep::lua {
namespace {

constexpr const char* read_only = "Attempt to modify a readonly table";

TEST(Sandbox, ReadingAnUnknownGlobalIsAnError) {
  const char* script = "return foo";
  EXPECT_EQ(run_script(script),
            Reply(Error{"ERR user_script:1: Script attempted to access nonexistent global variable 'foo'" +
                        suffix(script, 1)}));
}

TEST(Sandbox, HasNothingThatTouchesTheMachineOrBelongsToOtherVersions) {
  for (const char* name : {"os",      "io",     "debug",    "package", "require", "dofile",   "loadfile",
                           "print",   "module", "utf8",     "rawlen",  "warn",    "newproxy", "getfenv",
                           "setfenv", "arg"}) {
    const Reply reply = run_script("return " + std::string(name));
    ASSERT_NE(reply.error(), nullptr) << name;
    EXPECT_NE(reply.error()->text.find("nonexistent global variable '" + std::string(name) + "'"),
              std::string::npos);
  }
  for (const char* field : {"table.pack", "table.unpack", "table.move", "math.type", "math.tointeger",
                            "math.ult", "math.maxinteger", "math.mininteger", "string.pack", "string.unpack",
                            "string.packsize", "coroutine.close", "coroutine.isyieldable"}) {
    EXPECT_EQ(run_script("return " + std::string(field) + " == nil"), Reply(std::int64_t{1})) << field;
  }
}

TEST(Sandbox, HasExactlyWhatTheAllowListNames) {
  std::set<std::string> expected{"KEYS", "ARGV",  "_G",       "coroutine", "math",  "redis", "string",
                                 "table", "bit", "cjson", "cmsgpack", "struct"};
  for (const Allowed& entry : allow_list()) {
    EXPECT_STRNE(entry.reason, "");
    std::istringstream names(entry.names);
    const std::string library = entry.library;
    for (std::string name; names >> name;) expected.insert(library.empty() ? name : library + "." + name);
  }
  const Reply found = run_script(
      "local all = {} for k, v in pairs(_G) do all[#all + 1] = k "
      "if type(v) == 'table' and v ~= _G and v ~= KEYS and v ~= ARGV then "
      "for field in pairs(v) do all[#all + 1] = k .. '.' .. field end end end return all");
  ASSERT_NE(found.array(), nullptr) << printed(found);
  std::set<std::string> present;
  for (const Reply& name : *found.array()) present.insert(*name.bulk());
  EXPECT_EQ(present, expected);
}

class Write : public testing::TestWithParam<const char*> {};

TEST_P(Write, ToAnythingSharedIsRefusedAndWithoutEffect) {
  Engine engine;
  const Reply reply = run_script(engine, GetParam());
  ASSERT_NE(reply.error(), nullptr) << printed(reply);
  EXPECT_NE(reply.error()->text.find(read_only), std::string::npos) << reply.error()->text;
  EXPECT_EQ(printed(run_script(
                engine, "return {('a'):upper(), string.x == nil, redis.foo == nil, type(redis.call)}")),
            R"(["A", 1, 1, "function"])");
}

INSTANTIATE_TEST_SUITE_P(
    Sandbox, Write,
    testing::Values("foo = 1", "KEYS = 1", "string.x = 1", "string.upper = nil", "redis.call = 1",
                    "redis.foo = 1", "_G.x = 1", "_G._G = 1", "_G.KEYS = 1", "function redis.call(x) end",
                    "function string.upper(x) end", "rawset(_G, 'x', 1)", "rawset(string, 'x', 1)",
                    "rawset(redis, 'call', 1)", "table.insert(string, 1)", "setmetatable(string, {})",
                    "setmetatable(_G, {})", "setmetatable(_G, nil)", "getmetatable(_G).__index = nil",
                    "getmetatable('').__index = nil", "getmetatable('').__add = nil",
                    "rawset(getmetatable(''), '__index', nil)", "loadstring('x = 1')()",
                    "coroutine.wrap(function() x = 1 end)()"));

TEST(Sandbox, NamesThePlaceOfAWriteByAssignmentOnly) {
  EXPECT_EQ(run_script("foo = 1"), Reply(Error{"ERR user_script:1: Attempt to modify a readonly table" +
                                               suffix("foo = 1", 1)}));
  const char* raw = "rawset(_G,'x',1)";
  EXPECT_EQ(run_script(raw), Reply(Error{"ERR Attempt to modify a readonly table" + suffix(raw, 1)}));
}

TEST(Sandbox, LetsAScriptWriteItsOwnTables) {
  EXPECT_EQ(printed(run_script("local t = setmetatable({}, {__index = {a = 1}}) t.b = 2 rawset(t, 'c', 3) "
                               "return {t.a, t.b, rawget(t, 'c'), rawget(t, 'a') == nil}")),
            "[1, 2, 3, 1]");
}

TEST(Sandbox, ShowsTheMetatablesThatRedisShows) {
  EXPECT_EQ(printed(run_script("local s = '' for k in pairs(getmetatable(_G)) do s = s .. k end return s")),
            R"("__index")");
  EXPECT_EQ(run_script("return getmetatable(string) == nil and getmetatable(redis) == nil"),
            Reply(std::int64_t{1}));
  EXPECT_EQ(run_script("return getmetatable('').__index == string"), Reply(std::int64_t{1}));
  EXPECT_EQ(printed(run_script("return getmetatable(setmetatable({}, {__metatable = 'hidden'}))")),
            R"("hidden")");
  EXPECT_EQ(run_script("local m = {} return getmetatable(setmetatable({}, m)) == m"),
            Reply(std::int64_t{1}));
}

TEST(Sandbox, ReadsTheSharedTablesRaw) {
  EXPECT_EQ(run_script("return rawget(string, 'upper') == string.upper and rawget(_G, 'nosuch') == nil"),
            Reply(std::int64_t{1}));
  EXPECT_EQ(run_script("return _G._G == _G and _G.string == string"), Reply(std::int64_t{1}));
}

TEST(Sandbox, GivesTheNumbersOfAFreshRedisInEveryEval) {  // measured on 7.0.15 just started
  Engine engine;
  const char* script = "return {tostring(math.random()), tostring(math.random()), math.random(100)}";
  const char* numbers = R"(["0.39646477363839", "0.84048536971234", 36])";
  EXPECT_EQ(printed(run_script(engine, script)), numbers);
  EXPECT_EQ(printed(run_script(engine, script)), numbers);
  EXPECT_EQ(printed(run_script(engine, "math.randomseed(7) " + std::string(script))),
            R"(["0.26644419658298", "0.68203523041775", 27])");
}

TEST(Sandbox, HidesTheCollector) {
  EXPECT_EQ(printed(run_script("local t = {} for i = 1, 1000 do t[i] = {} end "
                               "return {collectgarbage('count'), gcinfo(), collectgarbage()}")),
            "[0, 0, 0]");
}

TEST(Sandbox, NeverRunsAFinalizer) {
  Engine engine;
  FakeHost host;
  run_script(engine,
             "for i = 1, 20000 do setmetatable({}, {__gc = function() redis.call('finalized') end}) end "
             "return string.rep('x', 2000000)",
             host);
  for (int i = 0; i < 10; ++i) run_script(engine, "return string.rep('x', 2000000)", host);
  EXPECT_TRUE(host.calls.empty());
}

TEST(Sandbox, CompilesTextAndNeverBytecode) {
  EXPECT_EQ(printed(run_script("return {loadstring('return 1')()}")), "[1]");
  EXPECT_EQ(printed(run_script("local f, e = loadstring('\\27Lua') return {f == nil, (e:gsub('%c', '^'))}")),
            R"x([1, "[string "^Lua"]:1: unexpected symbol near 'char(27)'"])x");
  EXPECT_EQ(printed(run_script(
                "local i = 0 return load(function() i = i + 1 return ({'return ', '42'})[i] end)()")),
            "42");
  EXPECT_EQ(printed(run_script("return {pcall(load, 'return 1')}")),
            R"x([nil, "bad argument #1 to '?' (function expected, got string)"])x");
  EXPECT_EQ(printed(run_script("return {pcall(string.dump, function() end)}")),
            R"([nil, "unable to dump given function"])");
}

}  // namespace
}  // namespace lockstep::lua
