#include <gtest/gtest.h>
#include "lua/scripts/embedded_scripts.h"
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::render;
using testing::TestClient;

constexpr ConnectionId waiter{9};

std::string_view script(std::string_view name) {
  for (const lua::EmbeddedFile& file : lua::embedded_scripts()) {
    if (file.name == name) return file.text;
  }
  ADD_FAILURE() << name << " is not embedded";
  return {};
}

std::string calls_of(const TestClient& client) {
  std::string text;
  for (const Command& call : client.calls) {
    if (!text.empty()) text += "; ";
    for (std::size_t i = 0; i < call.size(); ++i) text += (i > 0 ? " " : "") + call[i];
  }
  return text;
}

Outcome eval(TestClient& client, std::string_view text, const Command& keys, const Command& args) {
  Command command{"EVAL", std::string(text), std::to_string(keys.size())};
  command.insert(command.end(), keys.begin(), keys.end());
  command.insert(command.end(), args.begin(), args.end());
  client.calls.clear();
  return client.execute(command);
}

// ---- the lock's own scripts ---------------------------------------------------------------------

TEST(LockScripts, AFreeLockIsTakenWithItsLease) {
  TestClient client;
  const Outcome outcome = eval(client, script("lock-hset.lua"), {"lock"}, {"30000", "A:1"});
  EXPECT_EQ(outcome.reply, Reply());
  EXPECT_EQ(render(outcome.effects), "hset lock A:1 1; PEXPIREAT lock @30000");
  EXPECT_EQ(calls_of(client), "exists lock; hset lock A:1 1; pexpire lock 30000") << "as MONITOR shows it";
  EXPECT_FALSE(outcome.read_now);
}

TEST(LockScripts, AHolderTakesItsLockAgainAndTheLeaseStartsAnew) {
  TestClient client;
  eval(client, script("lock-hset.lua"), {"lock"}, {"30000", "A:1"});
  client.pass(10'000);
  EXPECT_EQ(eval(client, script("lock-hset.lua"), {"lock"}, {"30000", "A:1"}).reply, Reply());
  EXPECT_EQ(client("HGETALL lock"), "[\"A:1\", \"2\"]");
  EXPECT_EQ(client("PTTL lock"), "(integer) 30000");
}

TEST(LockScripts, AHeldLockAnswersHowLongItsLeaseStillRuns) {
  TestClient client;
  eval(client, script("lock-hincrby.lua"), {"lock"}, {"30000", "A:1"});
  client.pass(10'000);
  const Outcome outcome = eval(client, script("lock-hincrby.lua"), {"lock"}, {"30000", "B:1"});
  EXPECT_EQ(outcome.reply, Reply(20'000));
  EXPECT_TRUE(outcome.effects.empty());
  EXPECT_EQ(calls_of(client), "exists lock; hexists lock B:1; pttl lock");
}

TEST(LockScripts, TheLastUnlockDeletesTheLockAndTellsTheWaiters) {
  TestClient client;
  client("SUBSCRIBE channel", waiter);
  for (int i = 0; i < 2; ++i) eval(client, script("lock-hset.lua"), {"lock"}, {"30000", "A:1"});
  const Command keys{"lock", "channel"}, args{"0", "30000", "A:1"};

  const Outcome first = eval(client, script("unlock.lua"), keys, args);
  EXPECT_EQ(first.reply, Reply(0));
  EXPECT_TRUE(first.pushes.empty());
  EXPECT_EQ(render(first.effects), "hincrby lock A:1 -1; PEXPIREAT lock @30000");

  const Outcome last = eval(client, script("unlock.lua"), keys, args);
  EXPECT_EQ(last.reply, Reply(1));
  EXPECT_EQ(render(last.effects), "hincrby lock A:1 -1; del lock; publish channel 0");
  ASSERT_EQ(last.pushes.size(), 1u);
  EXPECT_EQ(last.pushes[0].to, waiter);
  EXPECT_EQ(render(last.pushes[0].message), "[\"message\", \"channel\", \"0\"]");
  EXPECT_EQ(calls_of(client), "hexists lock A:1; hincrby lock A:1 -1; del lock; publish channel 0");
}

TEST(LockScripts, AnUnlockByAnotherChangesNothing) {
  TestClient client;
  eval(client, script("lock-hset.lua"), {"lock"}, {"30000", "A:1"});
  for (const char* const name : {"unlock.lua", "unlock-publish-if-absent.lua"}) {
    const Outcome outcome = eval(client, script(name), {"lock", "channel"}, {"0", "30000", "B:1"});
    EXPECT_EQ(outcome.reply, Reply()) << name;
    EXPECT_TRUE(outcome.effects.empty()) << name;
  }
}

TEST(LockScripts, TheOlderUnlockPublishesWhenTheLockIsAlreadyGone) {
  TestClient client;
  client("SUBSCRIBE channel", waiter);
  const Outcome outcome =
      eval(client, script("unlock-publish-if-absent.lua"), {"lock", "channel"}, {"0", "30000", "A:1"});
  EXPECT_EQ(outcome.reply, Reply(1));
  EXPECT_EQ(outcome.pushes.size(), 1u);
}

TEST(LockScripts, RenewalGivesAHolderAFullLeaseAndOthersNothing) {
  TestClient client;
  eval(client, script("lock-hset.lua"), {"lock"}, {"30000", "A:1"});
  client.pass(10'000);
  EXPECT_EQ(eval(client, script("renew.lua"), {"lock"}, {"30000", "B:1"}).reply, Reply(0));
  EXPECT_EQ(client("PTTL lock"), "(integer) 20000");
  EXPECT_EQ(eval(client, script("renew.lua"), {"lock"}, {"30000", "A:1"}).reply, Reply(1));
  EXPECT_EQ(client("PTTL lock"), "(integer) 30000");
}

TEST(LockScripts, TheFairLockQueuesAWaiterWithItsTimeout) {
  TestClient client;
  const Command keys{"lock", "queue", "timeouts"};
  EXPECT_EQ(eval(client, script("fair-lock-simplified.lua"), keys, {"30000", "A:1", "5000", "1000"}).reply,
            Reply());
  const Outcome waits =
      eval(client, script("fair-lock-simplified.lua"), keys, {"30000", "B:1", "5000", "1000"});
  EXPECT_EQ(waits.reply, Reply(30'000));
  EXPECT_EQ(client("ZRANGE timeouts 0 -1 WITHSCORES"), "[\"B:1\", \"36000\"]");
  EXPECT_EQ(client("LRANGE queue 0 -1"), "[\"B:1\"]");
}

TEST(LockScripts, ALeaseThatRanOutIsRemovedByTheScriptThatFindsIt) {
  TestClient client(Role::master, Expiry::lazy);
  eval(client, script("lock-hset.lua"), {"lock"}, {"30000", "A:1"});
  client.pass(30'001);
  const Outcome outcome = eval(client, script("lock-hset.lua"), {"lock"}, {"30000", "B:1"});
  EXPECT_EQ(render(outcome.effects), "DEL lock; hset lock B:1 1; PEXPIREAT lock @30000");
}

// ---- EVAL, EVALSHA, SCRIPT ----------------------------------------------------------------------

TEST(Scripting, AnErrorKeepsWhatTheScriptDidBefore) {
  TestClient client;
  client("SUBSCRIBE c", waiter);
  const Outcome outcome = eval(
      client, "redis.call('set','k','v') redis.call('publish','c','m') redis.call('lpush','k','x')", {}, {});
  ASSERT_NE(outcome.reply.error(), nullptr);
  EXPECT_EQ(outcome.reply.error()->text.rfind(
                "WRONGTYPE Operation against a key holding the wrong kind of value script: ", 0),
            0u);
  EXPECT_EQ(render(outcome.effects), "set k v; publish c m");
  EXPECT_EQ(outcome.pushes.size(), 1u);
  EXPECT_EQ(client("GET k"), "\"v\"");
}

TEST(Scripting, CommandsThatCannotRunAreRefusedWithTextsOfTheirOwn) {
  TestClient client;
  const auto refused = [&](const std::string& call) {
    return render(eval(client, "return redis.pcall(" + call + ")", {}, {}).reply);
  };
  EXPECT_EQ(refused("'nosuch'"), "(error) ERR Unknown Redis command called from script");
  EXPECT_EQ(refused("'script','nosuch'"), "(error) ERR Unknown Redis command called from script");
  EXPECT_EQ(refused("'get'"), "(error) ERR Wrong number of args calling Redis command from script");
  EXPECT_EQ(refused("'subscribe','c'"), "(error) ERR This Redis command is not allowed from script");
  EXPECT_EQ(refused("'eval','return 1',0"), "(error) ERR This Redis command is not allowed from script");
  EXPECT_EQ(refused("'hset','h','f','v','g'"), "(error) ERR wrong number of arguments for 'hset' command");
  EXPECT_TRUE(client.calls.size() == 1) << "only the last one ran, and only it is shown by MONITOR";
}

TEST(Scripting, AScriptOnAReplicaReadsAndFailsAtItsFirstWrite) {
  TestClient replica(Role::replica);
  EXPECT_EQ(eval(replica, "return redis.call('exists', 'k')", {}, {}).reply, Reply(0));
  const Outcome outcome = eval(replica, script("lock-hset.lua"), {"lock"}, {"30000", "A:1"});
  ASSERT_NE(outcome.reply.error(), nullptr);
  EXPECT_EQ(
      outcome.reply.error()->text.rfind("READONLY You can't write against a read only replica. script: ", 0),
      0u);
  EXPECT_EQ(calls_of(replica), "exists lock");
}

TEST(Scripting, AReadOnlyScriptMayNotWrite) {
  TestClient client;
  EXPECT_EQ(client("EVAL_RO \"return redis.pcall('set','k','v')\" 0"),
            "(error) ERR Write commands are not allowed from read-only scripts.");
  EXPECT_EQ(client("EVAL_RO \"return redis.call('exists','k')\" 0"), "(integer) 0");
}

// PUBLISH is no write, but replicas get it, and that is enough (script.c, scriptVerifyWriteCommandAllow).
TEST(Scripting, AReadOnlyScriptMayNotPublishEither) {
  TestClient client;
  for (const char* name : {"publish", "spublish"}) {
    EXPECT_EQ(client("EVAL_RO \"return redis.pcall('" + std::string(name) + "','c','m')\" 0"),
              "(error) ERR Write commands are not allowed from read-only scripts.");
    EXPECT_EQ(client("EVAL \"return redis.pcall('" + std::string(name) + "','c','m')\" 0"), "(integer) 0");
  }
}

TEST(Scripting, TheServerKnowsAScriptOnceItHasSeenIt) {
  TestClient client;
  const std::string sha = lua::sha1_hex("return 1");
  EXPECT_EQ(client("EVALSHA " + sha + " 0"), "(error) NOSCRIPT No matching script. Please use EVAL.");
  client("EVAL 'return 1' 0");
  EXPECT_EQ(client("EVALSHA " + sha + " 0"), "(integer) 1");
  EXPECT_EQ(client("SCRIPT EXISTS " + sha + " none"), "[(integer) 1, (integer) 0]");
  EXPECT_EQ(client("SCRIPT FLUSH"), "OK");
  EXPECT_EQ(client("EVALSHA " + sha + " 0"), "(error) NOSCRIPT No matching script. Please use EVAL.");
  EXPECT_EQ(client("SCRIPT LOAD 'return 1'"), '"' + sha + '"');
  EXPECT_EQ(client.node.scripts, Scripts{sha});
}

TEST(Scripting, TheNameOfAScriptIsReadInAnyCaseAndItsLengthFirst) {
  TestClient client;
  client("EVAL 'return 1' 0");
  std::string upper = lua::sha1_hex("return 1");
  for (char& c : upper) c = c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
  EXPECT_EQ(client("EVALSHA " + upper + " 0"), "(integer) 1");
  EXPECT_EQ(client("SCRIPT EXISTS " + upper), "[(integer) 1]");
  EXPECT_EQ(client("EVALSHA short x"), "(error) NOSCRIPT No matching script. Please use EVAL.");
  EXPECT_EQ(client("EVALSHA " + std::string(40, 'f') + " x"),
            "(error) ERR value is not an integer or out of range");
}

TEST(Scripting, TheNumberOfKeysIsCheckedBeforeTheScriptIsCompiled) {
  TestClient client;
  EXPECT_EQ(client("EVAL ) x"), "(error) ERR value is not an integer or out of range");
  EXPECT_EQ(client("EVAL ) 2 k"), "(error) ERR Number of keys can't be greater than number of args");
  EXPECT_EQ(client("EVAL ) -1"), "(error) ERR Number of keys can't be negative");
  EXPECT_TRUE(client.node.scripts.empty());
}

TEST(Scripting, AScriptThatDoesNotCompileIsNotRemembered) {
  TestClient client;
  const std::string text = client("SCRIPT LOAD 'return )'");
  EXPECT_EQ(text.rfind("(error) ERR Error compiling script (new function): user_script:1: ", 0), 0u) << text;
  EXPECT_TRUE(client.node.scripts.empty());
  EXPECT_EQ(client("SCRIPT FLUSH now"), "(error) ERR SCRIPT FLUSH only support SYNC|ASYNC option");
  EXPECT_EQ(client("SCRIPT KILL"), "(error) NOTBUSY No scripts in execution right now.");
}

TEST(Scripting, NumbersReachCommandsWithSeventeenDigits) {
  TestClient client;
  eval(client, "redis.call('set', 'k', 0.1) redis.call('zadd', 'z', 1700000000000 + 5000, 'm')", {}, {});
  EXPECT_EQ(calls_of(client), "set k 0.10000000000000001; zadd z 1700000005000 m");
}

TEST(Scripting, AScriptThatReadsTheTimeSaysSo) {
  TestClient client;
  const Outcome outcome = eval(client, "return redis.call('time')[1]", {}, {});
  EXPECT_EQ(render(outcome.reply), "\"1700000000\"");
  EXPECT_TRUE(outcome.read_now);
}

TEST(Scripting, EverybodyHearsOfADeathWhateverTheScriptChose) {
  TestClient client(Role::master, Expiry::lazy);
  client("SET k v PX 1"), client.pass(2);
  const Outcome outcome = client.execute(
      {"EVAL", "redis.set_repl(redis.REPL_NONE) redis.call('GET', 'k') redis.call('SET', 'x', 1)", "0"});
  EXPECT_EQ(render(outcome.effects), "DEL k");
  EXPECT_EQ(outcome.effects.at(0).target, Target::everywhere);
}

TEST(Scripting, AScriptChoosesWhoIsToldOfItsWrites) {
  TestClient client;
  const Outcome outcome = client.execute(
      {"EVAL",
       "redis.set_repl(redis.REPL_NONE) redis.call('SET', 'a', 1) redis.set_repl(redis.REPL_REPLICA) "
       "redis.call('SET', 'b', 1) redis.set_repl(redis.REPL_AOF) redis.call('SET', 'c', 1)",
       "0"});
  EXPECT_EQ(render(outcome.effects), "SET b 1; SET c 1");
  EXPECT_EQ(outcome.effects.at(0).target, Target::replicas);
  EXPECT_EQ(outcome.effects.at(1).target, Target::file);
}

/// Runs on by so much each time that somebody looks.
class Ticking final : public RunningClock {
 public:
  Ticking(std::int64_t now, std::int64_t tick) : now_(now), tick_(tick) {}
  std::int64_t wall_ms() override { return now_ += tick_; }

 private:
  std::int64_t now_, tick_;
};

Outcome run_with(RunningClock* clock, TestClient& client, const std::string& script) {
  return execute(client.node, ConnectionId{}, {"EVAL", script, "0"},
                 {.engine = client.engine, .wall_ms = client.wall_ms, .running = clock});
}

TEST(RunningTime, WithinAScriptAKeyIsAliveAsOfItsBeginning) {
  TestClient client;
  client("SET k v PX 30");
  Ticking clock(client.wall_ms, 60);
  const Outcome outcome = run_with(
      &clock, client, "return {redis.call('EXISTS', 'k'), redis.call('GET', 'k'), redis.call('PTTL', 'k')}");
  EXPECT_EQ(render(outcome.reply), R"([(integer) 1, "v", (integer) 0])");
}

TEST(RunningTime, RelativeExpiriesCountFromTheTimeThatHasCome) {
  TestClient client;
  Ticking clock(client.wall_ms, 50);
  run_with(&clock, client, "redis.call('SET', 'k', 'v', 'PX', '1000')");
  const std::int64_t begun = client.wall_ms;
  const std::int64_t deadline = begun + client.node.db.find("k")->remaining->count();
  EXPECT_GT(deadline, begun + 1'000);
}

TEST(RunningTime, StandsUnlessTheEnvironmentBringsAClock) {
  TestClient client;
  const Outcome outcome = run_with(nullptr, client,
                                   "local a = redis.call('TIME') for i = 1, 1000 do redis.call('PING') end "
                                   "local b = redis.call('TIME') return a[1] == b[1] and a[2] == b[2]");
  EXPECT_EQ(render(outcome.reply), "(integer) 1");
}

}  // namespace
}  // namespace lockstep::redis
