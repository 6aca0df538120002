// Scripts that try to hang, exhaust, or break the engine.
#include <gtest/gtest.h>

#include "lua/engine/engine.h"
#include "lua/testing/fake_host.h"

namespace lockstep::lua {
namespace {

constexpr std::int64_t steps = 100'000;
const char* const stopped = "-ERR Lockstep stopped the script after 100000 steps (it may loop for ever)";

Engine::Options small() { return {.steps_max = steps, .memory_max = std::size_t{8} << 20}; }

void expect_usable(Engine& engine) {
  FakeHost host;
  EXPECT_EQ(
      printed(run_script(engine, "return {KEYS[1], #ARGV, 1 + 1, redis.call('echo', 'x')}", host, {"k"}, {})),
      R"(["k", 0, 2, "x"])");
}

class Endless : public testing::TestWithParam<const char*> {};

TEST_P(Endless, IsStoppedPlainlyAndLeavesTheEngineUsable) {
  Engine engine(small());
  EXPECT_EQ(printed(run_script(engine, GetParam())), stopped);
  expect_usable(engine);
}

/// Ends a script after so many questions.
struct Impatient final : Overseer {
  void begin(std::string_view name, Kind kind) override {
    asked = 0;
    begun = std::string(name) + (kind == Kind::function ? " function" : " script");
  }
  bool goes_on() override { return ++asked < 50; }
  int asked = 0;
  std::string begun;
};

TEST_P(Endless, IsKilledWhenItsOverseerSaysSoHoweverManyStepsItMayRun) {
  Impatient overseer;
  Engine engine({.steps_max = 1'000, .memory_max = std::size_t{8} << 20, .overseer = &overseer});
  const std::string answer = printed(run_script(engine, GetParam()));
  EXPECT_TRUE(answer.starts_with(
      "-ERR Script killed by user with SCRIPT KILL... script: " + sha1_hex(GetParam()) + ", on "))
      << answer;
  EXPECT_EQ(overseer.begun, sha1_hex(GetParam()) + " script");
  EXPECT_EQ(overseer.asked, 50);
  expect_usable(engine);
}

INSTANTIATE_TEST_SUITE_P(
    Hostile, Endless,
    testing::Values(
        "while true do end", "repeat until false", "local function f() return f() end return f()",
        "while true do pcall(function() while true do end end) end", "while true do pcall(error) end",
        "while true do pcall(pcall, function() while true do end end) end",
        "while true do xpcall(function() while true do end end, function() while true do end end) end",
        "while true do xpcall(error, function() while true do end end) end",
        "while true do coroutine.wrap(function() end)() end",
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        "while true do pcall(coroutine.wrap(function() while true do end end)) end",
        "local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() "
        "end",
        "while true do redis.pcall('ping') end",
        "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) while true do "
        "pcall(function() "
        "return t[1] end) end",
        "while true do load(function() while true do end end) end",
        "while true do pcall(string.gsub, 'x', 'x', function() while true do end end) end",
        "while true do pcall(table.sort, {1,2,3}, function() while true do end end) end",
        "while true do tostring(setmetatable({}, {__tostring = function() while true do end end})) end",
        "return cjson.decode('[' .. string.rep('1,', 150000) .. '1]')",
        "local t = {} for i = 1, 300 do t[i] = t end return cmsgpack.pack(t)",
        "local t = {} for i = 1, 4 do local u = {} for j = 1, 100 do u[j] = t end t = u end return "
        "cjson.encode(t)",
        "return struct.pack(string.rep('x', 200000))", "return struct.size(string.rep(' ', 200000))",
        "while true do pcall(cjson.decode, '[') end", "while true do pcall(cmsgpack.unpack, '\\145') end",
        "while true do pcall(bit.bor, {}) end"));

#if LUA_VERSION_NUM >= 504
INSTANTIATE_TEST_SUITE_P(
    Patterns, Endless,
    testing::Values(
        "return (('a'):rep(200)):find('a-a-a-a-a-a-a-a-b')",
        "return (('a'):rep(200)):match('.*.*.*.*.*.*b')",
        "return (('a'):rep(200)):gsub(('a?'):rep(40) .. 'b', '')",
        "for x in (('a'):rep(200)):gmatch('a+a+a+a+a+b') do end",
        "while true do pcall(string.find, ('a'):rep(200), 'a-a-a-a-a-a-a-a-b', -150) end",
        "return (('a'):rep(200)):find('[^%d-z]-(a*)%1(a*)%2a*()%f[b]b')"));

/// What is not many ways, and what Lua says of a pattern itself, is as it was.
TEST(Patterns, AreCountedWithoutAnyEffectOnWhatTheyFind) {
  Engine engine(small());
  const auto says = [&](const std::string& code) { return printed(run_script(engine, code)); };
  EXPECT_EQ(says("return {(('ab'):rep(100)):find('a.-b(.*)b$')}"),
            says("return {1, 200, (('ab'):rep(100)):sub(3, 199)}"));
  EXPECT_EQ(says("return (('a-'):rep(2000)):find('a-a-a-a-a-b', 1, true)"), "nil");
  EXPECT_EQ(says("return (('a'):rep(2000)):find('a-a-a-a-a-b', 3000)"), "nil");
}
#endif

TEST(ManyScripts, GiveTheirMemoryBackWhenTheyAreForgotten) {
  Engine engine({.memory_max = std::size_t{8} << 20});
  const auto text = [](int i) { return "return '" + std::string(1000, 'x') + std::to_string(i) + "'"; };
  int loaded = 0;
  while (engine.load(text(loaded)).status() != nullptr) ++loaded;
  EXPECT_GT(loaded, 1000);
  engine.forget_scripts();
  EXPECT_EQ(engine.find(sha1_hex(text(0))), nullptr);
  for (int i = 0; i < loaded - loaded / 10; ++i) ASSERT_NE(engine.load(text(i)).status(), nullptr) << i;
  engine.forget_scripts();
  expect_usable(engine);
}

class Greedy : public testing::TestWithParam<const char*> {};

TEST_P(Greedy, IsStoppedPlainlyAndLeavesTheEngineUsable) {
  Engine engine({.steps_max = 10'000'000, .memory_max = std::size_t{8} << 20});
  EXPECT_EQ(printed(run_script(engine, GetParam())),
            "-ERR Lockstep stopped the script because it needed too much memory (limit 8388608 bytes)");
  expect_usable(engine);
}

INSTANTIATE_TEST_SUITE_P(
    Hostile, Greedy,
    testing::Values(
        "return string.rep('x', 1e9)", "local s = 'x' while true do s = s .. s end",
        "local t = {} while true do t[#t + 1] = {} end", "while true do pcall(string.rep, 'x', 1e9) end",
        "while true do coroutine.resume(coroutine.create(function() return string.rep('x', 1e9) end)) end",
        "while true do pcall(coroutine.wrap(function() return string.rep('x', 1e9) end)) end",
        "while true do xpcall(function() return string.rep('x', 1e9) end, tostring) end",
        "while true do local s = string.rep('x', 1e6) end",
        "local t = {} for i = 1, 22 do t = {t, t} end return cjson.encode(t)",
        "local t = {string.rep('x', 1000)} for i = 1, 15 do t = {t, t, t, t} end return cmsgpack.pack(t)",
        "local s, t = string.rep('x', 1e6), {} for i = 1, 100 do t[i] = s end "
        "return struct.pack(string.rep('c0', 100), unpack(t))",
        "while true do pcall(cjson.encode, string.rep('\\0', 1e6)) end",
        "while true do cjson.decode('[' .. string.rep('1,', 1e5) .. '1]') end"));

TEST(Hostile, GarbageWithinTheLimitsIsCollectedWhenMemoryRunsOut) {
  if (!runs_on_54()) GTEST_SKIP() << "5.1 does not collect when an allocation fails";
  Engine engine({.steps_max = 10'000'000, .memory_max = std::size_t{8} << 20});
  EXPECT_EQ(run_script(engine, "for i = 1, 40 do local s = string.rep('x', 1000000) end return 1"),
            Reply(std::int64_t{1}));
}

TEST(Hostile, AScriptJustBelowTheStepLimitIsNotStopped) {
  Engine engine(small());
  EXPECT_EQ(run_script(engine, "for i = 1, 90000 do end return 1"), Reply(std::int64_t{1}));
  EXPECT_EQ(run_script(engine, "for i = 1, 90000 do end return 1"), Reply(std::int64_t{1})) << "counted anew";
}

TEST(Hostile, AStepLimitBelowOnePortionIsKept) {
  Engine engine({.steps_max = 10});
  EXPECT_EQ(printed(run_script(engine, "for i = 1, 100 do end return 1")),
            "-ERR Lockstep stopped the script after 10 steps (it may loop for ever)");
}

TEST(Hostile, DeepRecursionIsAnErrorThatAScriptMayCatch) {
  Engine engine;
  EXPECT_EQ(printed(run_script(
                engine, "return {pcall(function() local function f() return f() + 1 end return f() end)}")),
            R"([nil, "user_script:1: stack overflow"])");
  expect_usable(engine);
}

TEST(Hostile, ARecursionMayGoAsDeepAsInRedisAndNotMuchDeeper) {
  Engine engine;
  const std::string down = "local function down(n) if n == 0 then return 0 end return 1 + down(n - 1) end ";
  EXPECT_EQ(run_script(engine, down + "return down(16000)"), Reply(std::int64_t{16000}));
  for (const char* deeper : {"return down(17000)", "return coroutine.wrap(down)(17000)"})
    EXPECT_NE(printed(run_script(engine, down + deeper)).find("user_script:1: stack overflow"),
              std::string::npos)
        << deeper;
  const std::string tail = "local function f(n) if n == 0 then return 7 end return f(n - 1) end ";
  EXPECT_EQ(run_script(engine, tail + "return f(90000)"), Reply(std::int64_t{7})) << "no call within a call";
  expect_usable(engine);
}

TEST(Hostile, RecursionThroughCIsAnError) {
  for (const char* script : {"local function f() pcall(f) error('x') end f()",
                             "local function f() return coroutine.wrap(f)() end f()",
                             "local function f() return string.gsub('x', 'x', f) end f()",
                             "local t = {} setmetatable(t, {__index = t}) return t.x",
                             "local function f() xpcall(error, f) end f() error('x')"}) {
    Engine engine;
    EXPECT_NE(run_script(engine, script).error(), nullptr) << script;
    expect_usable(engine);
  }
}

TEST(Hostile, AnErrorInTheHandlerOfAnErrorIsAnError) {
  Engine engine;
  EXPECT_NE(printed(run_script(engine, "return {xpcall(error, function() error('again') end)}")), "");
  expect_usable(engine);
}

std::string nested(char bracket) { return std::string("return ").append(100'000, bracket); }

TEST(Hostile, ABinaryTextAndDeepNestingAreRefused) {
  Engine engine;
  EXPECT_NE(run_script(engine, std::string("\033Lua\x54\0\x19\x93\r\n", 10)).error(), nullptr);
  EXPECT_NE(run_script(engine, std::string("\0\xff\xfe", 3)).error(), nullptr);
  EXPECT_NE(run_script(engine, nested('(')).error(), nullptr);
  EXPECT_NE(run_script(engine, nested('{')).error(), nullptr);
  expect_usable(engine);
}

TEST(Hostile, AHugeTextIsRefusedOnceItNeedsTooMuchMemory) {
  Engine engine(small());
  std::string text = "return {";
  for (int i = 0; i < 300'000; ++i) text += "{'x'},";
  const Reply reply = run_script(engine, text + "}");
  ASSERT_NE(reply.error(), nullptr);
  EXPECT_TRUE(reply.error()->text.starts_with("ERR Error compiling script")) << reply.error()->text;
  expect_usable(engine);
}

TEST(Hostile, ALongScriptWithinTheLimitsRuns) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "redis.call('ping')\n";
  Engine engine;
  FakeHost host;
  EXPECT_EQ(run_script(engine, text, host), Reply(Nil{}));
  EXPECT_EQ(host.calls.size(), 20'000u);
}

TEST(Hostile, TextsOfErrorsThatAScriptMakesUpDoNotStopIt) {
  EXPECT_EQ(printed(run_script("return {pcall(error, 'not enough memory', 0)}")),
            R"([nil, "not enough memory"])");
  EXPECT_EQ(printed(run_script("return {pcall(error, 'stopped', 0)}")), R"([nil, "stopped"])");
}

}  // namespace
}  // namespace lockstep::lua
