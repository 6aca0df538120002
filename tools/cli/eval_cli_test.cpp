// `lockstep eval`, run as a user runs it.
#include "tools/cli/cli_fixture.h"

namespace lockstep::tools {
namespace {

using Words = std::vector<std::string>;

class EvalCli : public CliTest {
 protected:
  /// The outcome of running a script of one's own.
  Finished eval(const std::string& script) { return lockstep({"eval", file("script.lua", script)}); }
};

constexpr const char* held_by_1 = "state:\n  \"orders\"  hash  TTL 30000 ms\n    \"client:1\" \"1\"\n";

TEST_F(EvalCli, AFreeLockIsGranted) {
  const Finished it = lockstep({"eval", "lock-hset.lua", "orders", ",", "30000", "client:1"});
  EXPECT_EQ(it.status, 0);
  EXPECT_EQ(it.out, std::string("(nil)\n") + held_by_1);
  EXPECT_EQ(it.err, "");
}

TEST_F(EvalCli, AFileAndTheBuiltInScriptOfTheSameTextAreOne) {
  const Words behind{"orders", ",", "30000", "client:1"};
  Words built_in{"eval", "lock-hset"}, from_file{"eval", "lua/scripts/lock-hset.lua"};
  built_in.insert(built_in.end(), behind.begin(), behind.end());
  from_file.insert(from_file.end(), behind.begin(), behind.end());
  EXPECT_EQ(lockstep(built_in).out, lockstep(from_file).out);
}

TEST_F(EvalCli, TheHolderAcquiresOnceMore) {
  const std::string held = file("held.txt", "HSET orders client:1 1\nPEXPIRE orders 500\n");
  const Finished it =
      lockstep({"eval", "--load", held, "lock-hset.lua", "orders", ",", "30000", "client:1"});
  EXPECT_EQ(it.out, "(nil)\nstate:\n  \"orders\"  hash  TTL 30000 ms\n    \"client:1\" \"2\"\n");
}

TEST_F(EvalCli, AnotherIsToldHowLongTheLockIsTaken) {
  const std::string held =
      file("held.txt", "# held\nHSET orders 'client:1' \"1\"\n\nPEXPIRE orders 30000\n");
  const Finished it =
      lockstep({"eval", "--load", held, "lock-hset.lua", "orders", ",", "30000", "client:2"});
  EXPECT_EQ(it.status, 0);
  EXPECT_EQ(it.out, std::string("(integer) 30000\n") + held_by_1);
}

TEST_F(EvalCli, MonitorShowsTheCommandsThatTheScriptCalled) {
  const std::string script = file("s.lua", "return redis.call('incrby', KEYS[1], ARGV[1])");
  const Finished it = lockstep({"eval", "--monitor", script, "n", ",", "5"});
  EXPECT_EQ(it.out,
            "(integer) 5\nstate:\n  \"n\"  string  no TTL\n    \"5\"\n"
            "1700000000.000000 [0 127.0.0.1:56000] \"EVAL\" "
            "\"return redis.call('incrby', KEYS[1], ARGV[1])\" \"1\" \"n\" \"5\"\n"
            "1700000000.000000 [0 lua] \"incrby\" \"n\" \"5\"\n");
}

TEST_F(EvalCli, AllRunsEveryCommandAndPrintsEveryReply) {
  const std::string all = file("all.txt", "SET k \"a b\"\nGET k\nZADD z 1.5 m\nLRANGE none 0 -1\n");
  const Finished it = lockstep({"eval", "--all", all});
  EXPECT_EQ(it.status, 0);
  EXPECT_EQ(it.out,
            "OK\n\"a b\"\n(integer) 1\n(empty array)\nstate:\n  \"k\"  string  no TTL\n    \"a b\"\n"
            "  \"z\"  zset  no TTL\n    \"m\" 1.5\n");
}

TEST_F(EvalCli, AnErrorReplyIsPrintedAndExitsWithOne) {
  const Finished it = eval("return redis.error_reply('ERR no')");
  EXPECT_EQ(it.status, 1);
  EXPECT_EQ(it.out, "(error) ERR no\nstate: no keys\n");
  EXPECT_EQ(it.err, "");
  EXPECT_EQ(lockstep({"eval", "--all", file("all.txt", "SET k v\nINCR k\nGET k\n")}).status, 1);
}

TEST_F(EvalCli, AScriptThatLoopsForEverIsStopped) {
  const Finished it = eval("while true do end");
  EXPECT_EQ(it.status, 1);
  EXPECT_THAT(it.out, ::testing::StartsWith("(error) ERR Lockstep stopped the script after 10000000 steps"));
}

TEST_F(EvalCli, AScriptThatDoesNotCompileAnswersWhatRedisAnswers) {
  const Finished it = eval("return (");
  EXPECT_EQ(it.status, 1);
  EXPECT_THAT(it.out, ::testing::StartsWith("(error) ERR Error compiling script"));
}

TEST_F(EvalCli, WhatIsNoScriptIsOneSentence) {
  expect_one_sentence(lockstep({"eval", at("missing.lua")}), "missing");
  expect_one_sentence(lockstep({"eval", directory_.string()}), "directory");
  expect_one_sentence(lockstep({"eval", file("empty.lua", "")}), "empty");
  expect_one_sentence(lockstep({"eval", file("binary.lua", std::string("\x1bLua\0", 5))}), "binary");
  expect_one_sentence(lockstep({"eval", file("huge.lua", std::string(2u << 20, ' '))}), "huge");
  EXPECT_THAT(lockstep({"eval", "lock-hste.lua"}).err, ::testing::HasSubstr("did you mean `lock-hset.lua`?"));
}

TEST_F(EvalCli, AFileOfCommandsThatCannotBeLoadedIsOneSentenceWithItsPlace) {
  const std::string wrong = file("wrong.txt", "SET k v\nHSET k f v\n");
  const Finished it = lockstep({"eval", "--load", wrong, "lock-hset.lua", "orders", ",", "1", "c"});
  expect_one_sentence(it, "wrong");
  EXPECT_THAT(it.err, ::testing::HasSubstr("wrong.txt:2: the command was answered with an error: WRONGTYPE"));
  for (const char* option : {"--load", "--all"}) {
    for (const std::string& bad : {at("missing"), directory_.string(), file("empty", ""),
                                   file("binary", std::string("\0\x01", 2)), file("open", "SET \"k")}) {
      Words words{"eval", option, bad};
      if (std::string(option) == "--load") words.emplace_back("lock-hset.lua");
      expect_one_sentence(lockstep(words), option + (" " + bad));
    }
  }
}

TEST_F(EvalCli, ACommaThatHangsOnAKeyIsAMistake) {
  const Finished it = lockstep({"eval", "lock-hset.lua", "orders,", "30000", "client:1"});
  EXPECT_EQ(it.status, 2);
  EXPECT_EQ(it.err, "lockstep eval: the comma behind `orders` must be a word of its own: KEY , ARG\n");
}

}  // namespace
}  // namespace lockstep::tools
