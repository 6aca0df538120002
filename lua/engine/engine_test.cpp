#include "lua/engine/engine.h"

#include <gtest/gtest.h>

#include "lua/testing/fake_host.h"
#include "lua/engine/shebang.h"
#include "lua/engine/source.h"

namespace lockstep::lua {
namespace {

// An error that the script raised at a line, as a client sees it.
Reply raised(std::string_view script, const std::string& text, int line = 1) {
  return Error{text + suffix(script, line)};
}

TEST(Engine, NamesAScriptByTheSha1OfItsText) {
  Engine engine;
  EXPECT_EQ(engine.load("return 1"), Reply(Status{"e0e1f9fabfc9d4800c877a703b823ac0578ff8db"}));
  const LoadedScript* const script = engine.find("e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
  ASSERT_NE(script, nullptr);
  EXPECT_EQ(script->sha1, "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
  EXPECT_EQ(engine.find("e0e1f9fabfc9d4800c877a703b823ac0578ff8dc"), nullptr);
}

TEST(Engine, RefusesToRunWhatWasNotLoaded) {
  Engine engine;
  FakeHost host;
  EXPECT_EQ(engine.eval("e0e1f9fabfc9d4800c877a703b823ac0578ff8db", {}, {}, host),
            Reply(Error{"NOSCRIPT No matching script. Please use EVAL."}));
}

TEST(Engine, FillsKeysAndArgvAnewForEachEval) {
  Engine engine;
  FakeHost host;
  const char* text = "return {#KEYS, KEYS[1] or 'none', KEYS[2] or 'none', #ARGV, ARGV[1] or 'none'}";
  EXPECT_EQ(printed(run_script(engine, text, host, {"a", "b"}, {"x"})), R"([2, "a", "b", 1, "x"])");
  EXPECT_EQ(printed(run_script(engine, text, host, {"c"}, {})), R"([1, "c", "none", 0, "none"])");
  EXPECT_EQ(printed(run_script(engine, text, host, {}, {"y"})), R"([0, "none", "none", 1, "y"])");
  EXPECT_EQ(printed(run_script(engine, text, host, {"d", "e"}, {"z"})), R"([2, "d", "e", 1, "z"])");
}

TEST(Engine, TakesMoreKeysThanItKeepsTablesFor) {
  Engine engine;
  FakeHost host;
  const std::vector<std::string_view> keys(100, "k");
  EXPECT_EQ(run_script(engine, "return #KEYS", host, keys), Reply(std::int64_t{100}));
  EXPECT_EQ(run_script(engine, "return #KEYS", host, {"k"}), Reply(std::int64_t{1}));
}

TEST(Engine, KeepsNothingOfWhatAScriptDidToKeysAndArgv) {
  Engine engine;
  FakeHost host;
  const std::vector<std::string_view> keys{"a", "b"};
  run_script(engine,
             "KEYS[1] = 'changed' KEYS.extra = 1 KEYS[7] = 'x' setmetatable(ARGV, {__index = {'ghost'}})",
             host, keys);
  const char* look = "return {KEYS[1], KEYS.extra or 'none', KEYS[7] or 'none', ARGV[1] or 'none', #KEYS}";
  EXPECT_EQ(printed(run_script(engine, look, host, keys)), R"(["a", "none", "none", "none", 2])");
}

TEST(Engine, GivesAScriptItsWordsAsStringsAgainAfterItChangedThem) {
  Engine engine;
  FakeHost host;
  const std::string look =
      "local seen = {KEYS[1], type(KEYS[1]), KEYS[3] or 'none', ARGV[1], type(ARGV[1])} ";
  for (const char* change : {"KEYS[1] = 5", "KEYS[1] = 'b'", "KEYS[1] = nil", "KEYS[3] = 'x'", "KEYS[1] = {}",
                             "ARGV[1] = 7", "table.remove(KEYS)", "setmetatable(KEYS, {__index = {}})"}) {
    const std::string text = look + change + " return seen";
    for (int turn = 0; turn < 3; ++turn) {
      EXPECT_EQ(printed(run_script(engine, text, host, {"5", "b"}, {"7"})),
                R"(["5", "string", "none", "7", "string"])")
          << change;
    }
  }
}

TEST(Engine, KeepsNothingOfAnEvalAtAll) {
  const char* leave[] = {
      "math.randomseed(99) math.random()",
      "redis.setresp(3)",
      "_ENV = {}",
      "local t = getmetatable('') t.__index = {}",
      "getmetatable(_G).__index = nil",
      "local mt = {} setmetatable(KEYS, mt)",
      "rawset(string, 'upper', string.lower)",
      "coroutine.wrap(function() error('left') end)()",
      "tostring({}) tostring({})",
  };
  const char* look =
      "return {tostring(math.random()), redis.pcall('get','x') == false, ('a'):upper(), tostring({}),"
      "tostring(pcall(function() return nosuch end))}";
  FakeHost host({{"get x", Nil{}}});
  Engine fresh;
  const Reply expected = run_script(fresh, look, host);
  Engine engine;
  for (const char* text : leave) {
    run_script(engine, text, host);
    EXPECT_EQ(printed(run_script(engine, look, host)), printed(expected)) << text;
  }
}

TEST(Engine, PassesTheWordsOfACallToTheHost) {
  Engine engine;
  FakeHost host;
  run_script(engine, "redis.call('SET', KEYS[1], ARGV[1], 'PX', 30000)", host, {"k"}, {"v"});
  EXPECT_EQ(host.calls, std::vector<std::string>{"SET k v PX 30000"});
}

TEST(Engine, WritesNumbersWithSeventeenDigitsInCommands) {
  EXPECT_EQ(run_script("return redis.call('echo', 0.1)"), bulk("0.10000000000000001"));
  EXPECT_EQ(run_script("return redis.call('echo', 1e16)"), bulk("10000000000000000"));
  EXPECT_EQ(run_script("return redis.call('echo', 1e17)"), bulk("1e+17"));
  EXPECT_EQ(run_script("return redis.call('echo', 123456789012345678)"), bulk("1.2345678901234568e+17"));
  EXPECT_EQ(run_script("return redis.call('echo', 1700000329948)"), bulk("1700000329948"));
  EXPECT_EQ(run_script("return redis.call('echo', 10 / 2)"), bulk("5"));
  EXPECT_EQ(run_script("return redis.call('echo', 1 / 0)"), bulk("inf"));
  EXPECT_EQ(run_script("return redis.call('echo', 0 / 0)"), bulk("-nan"));
}

TEST(Engine, TakesOnlyStringsAndNumbersAsWords) {
  const std::string text = "ERR Lua redis lib command arguments must be strings or integers";
  for (const char* script :
       {"return redis.call(nil)", "return redis.call('get', true)", "redis.call('get', {})"}) {
    EXPECT_EQ(run_script(script), raised(script, text)) << script;
  }
  EXPECT_EQ(run_script("return redis.pcall({})"), Reply(Error{text}));
}

TEST(Engine, WantsAtLeastOneWord) {
  const std::string text = "ERR Please specify at least one argument for this redis lib call";
  EXPECT_EQ(run_script("return redis.call()"), raised("return redis.call()", text));
  EXPECT_EQ(run_script("return redis.pcall()"), Reply(Error{text}));
}

TEST(Engine, RaisesAHostsErrorFromCallWithThePlace) {
  Engine engine;
  FakeHost host({{"get list", Error{"WRONGTYPE Operation against a key holding the wrong kind of value"}}});
  const char* script = "local function f()\n return redis.call('get', 'list')\nend\nreturn f()";
  EXPECT_EQ(run_script(engine, script, host),
            raised(script, "WRONGTYPE Operation against a key holding the wrong kind of value", 2));
}

TEST(Engine, ReturnsAHostsErrorFromPcallWithoutAPlace) {
  Engine engine;
  FakeHost host({{"get list", Error{"WRONGTYPE no"}}});
  EXPECT_EQ(run_script(engine, "return redis.pcall('get', 'list')", host), Reply(Error{"WRONGTYPE no"}));
}

TEST(Engine, GivesLuasPcallTheTextOfAHostsError) {
  Engine engine;
  FakeHost host({{"get list", Error{"WRONGTYPE no"}}});
  EXPECT_EQ(printed(run_script(engine, "return {pcall(redis.call, 'get', 'list')}", host)),
            R"([nil, "WRONGTYPE no"])");
  EXPECT_EQ(
      printed(run_script(
          engine, "return {xpcall(function() redis.call('get', 'list') end, function(e) return type(e) end)}",
          host)),
      R"([nil, "table"])");
  const char* again = "error(redis.pcall('get', 'list'))";
  EXPECT_EQ(run_script(engine, again, host), raised(again, "WRONGTYPE no"));
}

struct Case {
  const char* script;
  const char* text;
  int line = 1;
};

class Raised : public testing::TestWithParam<Case> {};

TEST_P(Raised, IsAnsweredInRedissWords) {
  EXPECT_EQ(printed(run_script(GetParam().script)),
            printed(raised(GetParam().script, GetParam().text, GetParam().line)));
}

INSTANTIATE_TEST_SUITE_P(
    Errors, Raised,
    testing::Values(  // each measured on redis-server 7.0.15
        Case{"error('x')", "ERR user_script:1: x"}, Case{"error('x', 0)", "ERR x"},
        Case{"error()", "ERR nil"}, Case{"error(nil)", "ERR nil"}, Case{"error(true)", "ERR true"},
        Case{"error(1)", "ERR user_script:1: 1"}, Case{"error({err='MY x'})", "MY x"},
        Case{"error({err=1})", "1"}, Case{"error('a', 2)", "ERR a"}, Case{"error('a\\r\\nb',0)", "ERR a  b"},
        Case{"assert(false,'boom')", "ERR user_script:1: boom"},
        Case{"assert(nil)", "ERR user_script:1: assertion failed!"},
        Case{"local function f()\n error('deep')\nend\nf()", "ERR user_script:2: deep", 2},
        Case{"local x = nil; return x.y", "ERR user_script:1: attempt to index local 'x' (a nil value)"},
        Case{"local t={} return t.x.y", "ERR user_script:1: attempt to index field 'x' (a nil value)"},
        Case{"local t={} t:foo()", "ERR user_script:1: attempt to call method 'foo' (a nil value)"},
        Case{"return 1 + nil", "ERR user_script:1: attempt to perform arithmetic on a nil value"},
        Case{"return 'a' + 1", "ERR user_script:1: attempt to perform arithmetic on a string value"},
        Case{"return 'a' .. {}", "ERR user_script:1: attempt to concatenate a table value"},
        Case{"return 1 < 'x'", "ERR user_script:1: attempt to compare number with string"},
        Case{"for i='a',1 do end", "ERR user_script:1: 'for' initial value must be a number"},
        Case{"local function f() return f()+1 end return f()", "ERR user_script:1: stack overflow"},
        Case{"coroutine.wrap(function() error('x') end)()", "ERR user_script:1: user_script:1: x"},
        Case{"return redis.sha1hex()", "ERR wrong number of arguments"},
        Case{"return redis.log(1)", "ERR redis.log() requires two arguments or more."},
        Case{"return redis.log('x','y')", "ERR First argument must be a number (log level)."},
        Case{"return redis.log(9,'y')", "ERR Invalid debug level."},
        Case{"return redis.setresp(4)", "ERR RESP version must be 2 or 3."},
        Case{"return redis.setresp()", "ERR redis.setresp() requires one argument."},
        Case{"return redis.set_repl()", "ERR redis.set_repl() requires two arguments."},
        Case{"return redis.set_repl(7)",
             "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE."}));

TEST(Engine, NamesTheChunkThatAnErrorComesFrom) {
  const char* script = "loadstring('error(\"x\")', '=name')()";
  EXPECT_EQ(run_script(script), Reply(Error{"ERR name:1: x script: " + sha1_hex(script) + ", on =name:1."}));
}

TEST(Engine, AnswersATableWithoutErrWithAnErrorWhereRedisCrashes) {
  for (const char* script :
       {"error({foo = 1})", "error({err = {}})", "error(setmetatable({}, {__tostring = error}))"}) {
    EXPECT_EQ(run_script(script), raised(script, "ERR the script raised a table that has no err field"))
        << script;
  }
}

TEST(Engine, AnswersErrorReplyAndStatusReplyAsRedisDoes) {
  EXPECT_EQ(run_script("return redis.error_reply('My Err')"), Reply(Error{"My Err"}));
  EXPECT_EQ(run_script("return redis.error_reply('-My  Err\\r\\nx')"), Reply(Error{"My  Err  x"}));
  EXPECT_EQ(run_script("return redis.error_reply('word')"), Reply(Error{"ERR word"}));
  EXPECT_EQ(run_script("return redis.error_reply('-word')"), Reply(Error{"ERR word"}));
  EXPECT_EQ(run_script("return redis.error_reply('')"), Reply(Error{"ERR "}));
  EXPECT_EQ(run_script("return redis.error_reply(1)"), Reply(Error{"ERR wrong number or type of arguments"}));
  EXPECT_EQ(run_script("return redis.status_reply('a\\r\\nb')"), Reply(Status{"a  b"}));
  EXPECT_EQ(run_script("return redis.status_reply()"), Reply(Error{"ERR wrong number or type of arguments"}));
}

TEST(Engine, AnswersTheRestOfTheApiAsRedisDoes) {
  EXPECT_EQ(run_script("return redis.sha1hex('')"), bulk("da39a3ee5e6b4b0d3255bfef95601890afd80709"));
  EXPECT_EQ(run_script("return redis.sha1hex(1.5)"), bulk("aa8f289ebe6d4db1b4a1038b8931ec8c2b5399fb"));
  EXPECT_EQ(
      run_script("return {redis.replicate_commands(), redis.breakpoint() == false, redis.debug(1) == nil}"),
      run_script("return {1, 1, 1}"));
  EXPECT_EQ(printed(run_script("return {redis.LOG_DEBUG, redis.LOG_WARNING, redis.REPL_ALL, redis.REPL_NONE,"
                               "redis.REDIS_VERSION, redis.REDIS_VERSION_NUM}")),
            R"([0, 3, 3, 0, "7.0.15", 458767])");
  EXPECT_EQ(run_script("return redis.log(redis.LOG_WARNING, 'y', 2)"), Reply(Nil{}));
  EXPECT_EQ(run_script("return redis.nosuch"), Reply(Nil{}));
}

TEST(Engine, AnswersATextThatDoesNotCompileAsRedisDoes) {
  const std::string prefix = "ERR Error compiling script (new function): user_script:1: ";
  EXPECT_EQ(run_script("return 1 +"), Reply(Error{prefix + "unexpected symbol near '<eof>'"}));
  EXPECT_EQ(run_script("return 'abc"), Reply(Error{prefix + "unfinished string near '<eof>'"}));
  EXPECT_EQ(run_script("for"), Reply(Error{prefix + "'<name>' expected near '<eof>'"}));
  EXPECT_EQ(run_script("x = = 1"), Reply(Error{prefix + "unexpected symbol near '='"}));
  EXPECT_EQ(run_script("\033Lua"), Reply(Error{prefix + "unexpected symbol near 'char(27)'"}));
}

TEST(Engine, DoesNotRememberATextThatDoesNotCompile) {
  Engine engine;
  EXPECT_NE(engine.load("bad").error(), nullptr);
  EXPECT_EQ(engine.find(sha1_hex("bad")), nullptr);
}

TEST(Engine, RunsAnEmptyText) {
  EXPECT_EQ(run_script(""), Reply(Nil{}));
  EXPECT_EQ(run_script("  "), Reply(Nil{}));
}

TEST(Engine, ReadsAShebangAsRedisDoes) {
  EXPECT_EQ(run_script("#!lua\nreturn 1"), Reply(std::int64_t{1}));
  EXPECT_EQ(run_script("#!lua flags=\nreturn 1"), Reply(std::int64_t{1}));
  EXPECT_EQ(run_script("#!lua"), Reply(Error{"ERR Invalid script shebang"}));
  EXPECT_EQ(run_script("#!lua name=x\nreturn 1"), Reply(Error{"ERR Unknown lua shebang option: name=x"}));
  EXPECT_EQ(run_script("#!lua flags=foo\nreturn 1"),
            Reply(Error{"ERR Unexpected flag in script shebang: foo"}));
  EXPECT_EQ(run_script("#!js\nreturn 1"), Reply(Error{"ERR Unexpected engine in script shebang: #!js"}));
  const char* script = "#!lua flags=no-writes,allow-oom\nerror('x')";
  EXPECT_EQ(run_script(script), raised(script, "ERR user_script:2: x", 2));
}

TEST(Shebang, HoldsTheFlagsThatAServerActsOn) {
  const auto read = read_shebang("#!lua flags=no-writes,allow-stale\nreturn 1");
  Shebang expected;
  expected.flags.no_writes = expected.flags.allow_stale = true;
  expected.length = 33;
  EXPECT_EQ(std::get<Shebang>(read), expected);
  expected = {};
  expected.flags.eval_compatible = true;
  EXPECT_EQ(std::get<Shebang>(read_shebang("return 1")), expected);
}

TEST(Shape, SeesEveryWayToRunAnInstructionTwice) {
  EXPECT_FALSE(shape_of("if redis.call('get', KEYS[1]) == ARGV[1] then return 1 end").may_loop);
  for (const char* text :
       {"while true do end", "for i = 1, 2 do end", "repeat until x", "local f = function() end", "goto a",
        "loadstring('x')()", "_G['lo' .. 'ad']", "_ENV['lo' .. 'ad']"}) {
    EXPECT_TRUE(shape_of(text).may_loop) << text;
  }
}

TEST(Shape, SeesEveryWayToAssignToAWordOfRedis) {
  EXPECT_FALSE(shape_of("KEYS[1] = redis.call('get', ARGV[1]) redis.pcall('x')").may_write_globals);
  for (const char* text : {"KEYS = 1", "x, ARGV = 1, 2", "redis = 1", "redis.call = 1", "redis['call'] = 1",
                           "function redis.call() end", "function redis.call(x) end",
                           "_ENV['KE' .. 'YS'] = 1", "local r = redis", "return KEYS"}) {
    EXPECT_TRUE(shape_of(text).may_write_globals) << text;
  }
}

TEST(Shape, SeesEveryWayToChangeTheWordsOrToSeeThemElsewhere) {
  for (const char* text : {"local n = redis.call('x', KEYS[1]) if n == ARGV[1] then return n >= 1 end",
                           "return KEYS[1]", "local a = 1 local b\n=\n2", ""}) {
    EXPECT_FALSE(shape_of(text).may_touch_words) << text;
  }
  for (const char* text :
       {"KEYS[1] = 'x'", "KEYS[1], x = 1, 2", "local x ARGV[1]='y'", "KEYS[1] --local x\n= 5",
        "local a, b = 1, 2", "x = 1", "=", " =", "x=", "mylocal x = 1", "return _G.KEYS[1]",
        "return load('return 1')", "return KEYS", "return {a=1}"}) {
    EXPECT_TRUE(shape_of(text).may_touch_words) << text;
  }
}

TEST(Engine, ShowsEachScriptItsOwnWordsInWhicheverOrderTheyRun) {
  const std::string plain = "return {KEYS[1], KEYS[2], ARGV[1]}";
  const std::string around = "return {_G.KEYS[1], _G['KE' .. 'YS'][2], loadstring('return AR' .. 'GV[1]')()}";
  const std::string changing = "KEYS[2] = 'mine' KEYS[7] = 'too' return {KEYS[1], KEYS[2], ARGV[1]}";
  ASSERT_FALSE(shape_of(plain).may_touch_words);
  Engine engine;
  FakeHost host;
  int turn = 0;
  for (const std::string* text :
       {&plain, &around, &plain, &changing, &plain, &around, &changing, &around, &plain}) {
    const std::string first = "k" + std::to_string(++turn), arg = "a" + std::to_string(turn);
    const Reply one = run_script(engine, *text, host, {first}, {arg});
    const Reply two = run_script(engine, *text, host, {first, "second"}, {arg});
    ASSERT_NE(one.array(), nullptr) << *text << printed(one);
    const bool changes = text == &changing;
    EXPECT_EQ(*one.array()->front().bulk(), first) << *text;
    EXPECT_EQ(two, Reply(Reply::Array{first, std::string(changes ? "mine" : "second"), arg})) << *text;
    EXPECT_EQ(one.array()->size(), changes ? 3u : 1u) << *text;
  }
}

TEST(Engine, AnswersTheSameWhicheverWayAScriptIsRun) {
  const std::string script = "return {redis.call('echo', KEYS[1]), ARGV[2] or 'none', type(tonumber), #'x'}";
  const std::string spelled_out = script + " -- for _ENV, redis, KEYS and ARGV";
  ASSERT_FALSE(shape_of(script).may_write_globals || shape_of(script).may_loop);
  ASSERT_TRUE(shape_of(spelled_out).may_write_globals && shape_of(spelled_out).may_loop);
  Engine engine;
  FakeHost host;
  EXPECT_EQ(run_script(engine, script, host, {"k"}, {"a"}),
            run_script(engine, spelled_out, host, {"k"}, {"a"}));
  for (const char* text : {"return nosuch", "nosuch = 1", "return _G.nosuch", "rawset(_G, 'x', 1)"}) {
    ASSERT_FALSE(shape_of(text).may_write_globals);
    ASSERT_NE(run_script(engine, text).error(), nullptr) << text;
  }
}

TEST(Engine, CanBeMoved) {
  Engine first;
  first.load("return 1");
  Engine second = std::move(first);
  FakeHost host;
  EXPECT_EQ(second.eval(sha1_hex("return 1"), {}, {}, host), Reply(std::int64_t{1}));
}

}  // namespace
}  // namespace lockstep::lua
