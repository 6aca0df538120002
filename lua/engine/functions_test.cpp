// Libraries of functions. That texts and errors are a server's is shown beside one, in
// model/redis/scripting_differential_test.cpp.
#include "lua/engine/functions.h"

#include <gtest/gtest.h>

#include "lua/testing/fake_host.h"

namespace lockstep::lua {
namespace {

const std::string header = "#!lua name=lib\n";

// Loads a library and calls one of its functions, "f".
Reply load_and_call(Engine& engine, const std::string& body, Host& host) {
  Library library;
  const Reply loaded = engine.load_library(header + body, library);
  if (loaded.error() != nullptr) return loaded;
  const std::string_view keys[] = {"k1", "k2"}, args[] = {"a"};
  return engine.call_function(library.digest, "f", keys, args, host);
}

Reply load_and_call(const std::string& body) {
  Engine engine;
  FakeHost host;
  return load_and_call(engine, body, host);
}

TEST(Functions, ALibrarySaysWhatItRegisters) {
  Engine engine;
  Library library;
  const std::string code = header +
                           "redis.register_function('plain', function() end)\n"
                           "redis.register_function{function_name = 'full', callback = function() end, "
                           "description = 'words', flags = {'allow-stale', 'NO-WRITES'}}";
  const Reply loaded = engine.load_library(code, library);
  EXPECT_EQ(loaded, Reply(Status{sha1_hex(code)}));
  EXPECT_TRUE(engine.knows_library(sha1_hex(code)));
  EXPECT_EQ(library.name, "lib");
  ASSERT_EQ(library.functions.size(), 2u);
  EXPECT_EQ(library.functions[0], (Function{.name = "plain", .description = std::nullopt, .flags = {}}));
  EXPECT_EQ(library.functions[1].description, "words");
  EXPECT_EQ(library.functions[1].flags.names(), (std::vector<std::string_view>{"no-writes", "allow-stale"}));
  Library again;
  EXPECT_EQ(engine.load_library(code, again), loaded);
  EXPECT_EQ(again, library) << "a text that is known is not run again";
}

TEST(Functions, ATextThatFailsIsNotKept) {
  Engine engine;
  Library library;
  for (const char* body : {"bad", "redis.nosuch()", "return 1"}) {
    EXPECT_NE(engine.load_library(header + body, library).error(), nullptr) << body;
    EXPECT_FALSE(engine.knows_library(sha1_hex(header + body))) << body;
  }
}

TEST(Functions, KeysAndArgumentsAreParameters) {
  EXPECT_EQ(printed(load_and_call(
                "redis.register_function('f', function(keys, args) return {#keys, keys[2], args[1]} "
                "end)")),
            R"([2, "k2", "a"])");
}

TEST(Functions, CallTheHost) {
  Engine engine;
  FakeHost host;
  load_and_call(engine, "redis.register_function('f', function(keys) return redis.call('get', keys[1]) end)",
                host);
  EXPECT_EQ(host.calls, std::vector<std::string>{"get k1"});
}

TEST(Functions, ErrorsCarryTheFunctionsName) {
  EXPECT_EQ(load_and_call("\nredis.register_function('f', function() error('x') end)"),
            Reply(Error{"ERR user_function:3: x script: f, on @user_function:3."}));
}

TEST(Functions, AnUnknownFunctionOrLibraryIsNotFound) {
  Engine engine;
  FakeHost host;
  Library library;
  engine.load_library(header + "redis.register_function('g', function() end)", library);
  const Reply missing = Error{"ERR Function not found"};
  EXPECT_EQ(engine.call_function(library.digest, "f", {}, {}, host), missing);
  EXPECT_EQ(engine.call_function(library.digest, "G", {}, {}, host), missing)
      << "the server knows the exact name";
  EXPECT_EQ(engine.call_function("nosuch", "g", {}, {}, host), missing);
}

TEST(Functions, VariablesOfALibraryBeginAnewInEveryCall) {  // Redis keeps them
  Engine engine;
  FakeHost host;
  const std::string body = "local n = 0 redis.register_function('f', function() n = n + 1 return n end)";
  EXPECT_EQ(load_and_call(engine, body, host), Reply(std::int64_t{1}));
  EXPECT_EQ(load_and_call(engine, body, host), Reply(std::int64_t{1}));
}

TEST(Functions, NeitherSeeTheWordsOfAnEvalNorLeaveItOthers) {
  Engine engine;
  FakeHost host;
  const char* eval = "return {KEYS[1], loadstring('return KEYS[1]')(), tostring(redis.breakpoint())}";
  const std::string expected = R"(["key", "key", "false"])";
  EXPECT_EQ(printed(run_script(engine, eval, host, {"key"})), expected);
  for (const char* look : {"return KEYS", "return _G.KEYS", "return loadstring('return KEYS')()"}) {
    const Reply reply =
        load_and_call(engine, "redis.register_function('f', function() " + std::string(look) + " end)", host);
    ASSERT_NE(reply.error(), nullptr) << look;
    EXPECT_NE(reply.error()->text.find("nonexistent global variable 'KEYS'"), std::string::npos) << look;
    EXPECT_EQ(printed(run_script(engine, eval, host, {"key"})), expected) << look;
  }
}

TEST(Functions, ABodyThatDoesNotEndIsGivenUpAsRedisGivesItUp) {
  Engine engine({.steps_max = 100'000});
  FakeHost host;
  EXPECT_EQ(load_and_call(engine, "while true do end", host),
            Reply(Error{"ERR Error registering functions: ERR FUNCTION LOAD timeout"}));
  EXPECT_EQ(run_script(engine, "return 1"), Reply(std::int64_t{1}));
}

TEST(Functions, AFunctionThatDoesNotEndIsStopped) {
  Engine engine({.steps_max = 100'000});
  FakeHost host;
  EXPECT_EQ(load_and_call(engine, "redis.register_function('f', function() while true do end end)", host),
            Reply(Error{"ERR Lockstep stopped the script after 100000 steps (it may loop for ever)"}));
  EXPECT_EQ(load_and_call(engine, "redis.register_function('f', function() return 1 end)", host),
            Reply(std::int64_t{1}));
}

TEST(Functions, AnOverseerIsAskedAboutFunctionsAndNotAboutBodies) {
  struct Never final : Overseer {
    void begin(std::string_view name, Kind kind) override { begun = std::string(name), is = kind; }
    bool goes_on() override { return false; }
    std::string begun;
    Kind is = Kind::script;
  } overseer;
  Engine engine({.steps_max = 100'000, .overseer = &overseer});
  FakeHost host;
  EXPECT_EQ(load_and_call(engine, "while true do end", host),
            Reply(Error{"ERR Error registering functions: ERR FUNCTION LOAD timeout"}));
  EXPECT_EQ(overseer.begun, "");
  EXPECT_EQ(load_and_call(engine, "redis.register_function('f', function() while true do end end)", host),
            Reply(Error{"ERR Script killed by user with SCRIPT KILL... script: f, on @user_function:2."}));
  EXPECT_EQ(overseer.begun, "f");
  EXPECT_EQ(overseer.is, Overseer::Kind::function);
}

TEST(Functions, AGreedyBodyIsStopped) {
  Engine engine({.steps_max = 10'000'000, .memory_max = std::size_t{8} << 20});
  FakeHost host;
  const Reply reply = load_and_call(engine, "local s = 'x' while true do s = s .. s end", host);
  EXPECT_EQ(reply,
            Reply(Error{"ERR Lockstep stopped the script because it needed too much memory (limit 8388608 "
                        "bytes)"}));
}

TEST(Shebang, WordsMayBeQuoted) {
  EXPECT_EQ(split_words(R"(a "b c" 'd\'e' "\x41\n")"), (std::vector<std::string>{"a", "b c", "d'e", "A\n"}));
  EXPECT_EQ(split_words("  "), std::vector<std::string>{});
  for (const char* wrong : {"\"a", "'a", "\"a\"b", "'a'b"})
    EXPECT_EQ(split_words(wrong), std::nullopt) << wrong;
}

TEST(Shebang, FlagsOfAScriptAreKeptWithIt) {
  Engine engine;
  const Reply loaded = engine.load("#!lua flags=no-writes,allow-oom\nreturn 1");
  EXPECT_EQ(engine.find(loaded.status()->text)->flags.names(),
            (std::vector<std::string_view>{"no-writes", "allow-oom"}));
  EXPECT_FALSE(engine.find(loaded.status()->text)->flags.eval_compatible);
  EXPECT_TRUE(engine.find(engine.load("return 1").status()->text)->flags.eval_compatible);
}

}  // namespace
}  // namespace lockstep::lua
