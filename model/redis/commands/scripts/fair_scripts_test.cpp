// The scripts of the fair lock on a server: what they call, in which order, and what they leave behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lua/scripts/embedded_scripts.h"
#include "model/redis/testing/test_client.h"

namespace lockstep::redis {
namespace {

using testing::render;
using ::testing::ElementsAre;
using ::testing::StartsWith;
using Calls = std::vector<std::string>;

std::string fair_script(const std::string& name) {
  for (const lua::EmbeddedFile& file : lua::embedded_scripts())
    if (file.name == name + ".lua") return std::string(file.text);
  ADD_FAILURE() << "no script " << name;
  return {};
}

/// A server, and threads "A:1", "B:1" … that send it scripts. Scores are said as what is left of them.
class FairServer {
 public:
  std::string lock(const std::string& who, const std::string& script = "fair-lock",
                   std::int64_t wait = 5'000) {
    const bool adds = script == "fair-lock-behind-head";
    const std::string said = std::to_string(adds ? now() + wait : wait);
    return run(script, {"L", "Q", "D"}, {"30000", who, said, said_now()});
  }
  std::string try_lock(const std::string& who, const std::string& script = "fair-try-lock") {
    std::vector<std::string> args{"30000", who, said_now()};
    if (script != "fair-try-lock-behind-head") args.push_back("5000");
    return run(script, {"L", "Q", "D"}, args);
  }
  std::string gives_up(const std::string& who, const std::string& script = "fair-acquire-failed") {
    return run(script, {"Q", "D"}, {who, "5000"});
  }
  std::string unlock(const std::string& who, const std::string& script = "fair-unlock") {
    std::vector<std::string> keys{"L", "Q", "D", "C"}, args{"0", "30000", who, said_now()};
    if (script != "fair-unlock-wants-scores") args.emplace_back("PUBLISH");
    if (script == "fair-unlock" || script == "fair-unlock-latch-wants-scores") {
      keys.emplace_back("A");
      args.emplace_back("16000");
    }
    return run(script, keys, args);
  }
  std::string force(const std::string& script = "fair-force-unlock") {
    std::vector<std::string> args{"0", said_now()};
    if (script != "fair-force-unlock-wants-scores") args.emplace_back("PUBLISH");
    return run(script, {"L", "Q", "D", "C"}, args);
  }
  FairServer& pass(std::int64_t ms) {
    client_.pass(ms);
    return *this;
  }
  std::string operator()(const std::string& line) { return client_(line); }

  /// What the last script called; instants relative to the clock.
  Calls calls() const {
    Calls told;
    for (const Command& call : client_.calls) {
      std::string line;
      for (const std::string& word : call) {
        const bool instant = word.size() == 13 && word.starts_with("17");
        const std::string told_word = instant ? "now+" + std::to_string(std::stoll(word) - now()) : word;
        line += (line.empty() ? "" : " ") + told_word;
      }
      told.push_back(line);
    }
    return told;
  }
  std::string queue() { return client_("LRANGE Q 0 -1"); }
  /// How long from now on somebody's place is kept.
  std::int64_t left(const std::string& who) {
    const std::string score = client_("ZSCORE D " + who);
    return score == "(nil)" ? -1 : std::stoll(score.substr(1)) - now();
  }

 private:
  std::int64_t now() const { return client_.wall_ms; }
  std::string said_now() const { return std::to_string(now()); }
  std::string run(const std::string& script, const std::vector<std::string>& keys,
                  const std::vector<std::string>& args) {
    client_.calls.clear();
    return render(client_.eval(fair_script(script), keys, args));
  }

  testing::TestClient client_;
};

const std::vector<std::string> waits_for_tail{"fair-lock", "fair-lock-time-left", "fair-lock-score-left",
                                              "fair-lock-wants-scores"};

TEST(FairScripts, WhoFindsItFreeTakesItAndTheOthersMoveUp) {
  for (const std::string& script : waits_for_tail) {
    FairServer server;
    EXPECT_EQ(server.lock("A:1", script), "(nil)") << script;
    EXPECT_EQ(server.calls(), (Calls{"lindex Q 0", "exists L", "exists Q", "lpop Q", "zrem D A:1",
                                     "zrange D 0 -1", "hset L A:1 1", "pexpire L 30000"}));
    EXPECT_EQ(server.lock("A:1", script), "(nil)");
    EXPECT_EQ(server.calls(), (Calls{"lindex Q 0", "exists L", "hexists L A:1", "hincrby L A:1 1",
                                     "pexpire L 30000"}));
  }
}

TEST(FairScripts, TheFirstWaitsForTheHolderAndEachOtherForTheOneBefore) {
  for (const std::string& script : waits_for_tail) {
    FairServer server;
    server.lock("A:1", script);
    EXPECT_EQ(server.pass(1'000).lock("B:1", script), "(integer) 29000") << script;
    EXPECT_EQ(server.calls(), (Calls{"lindex Q 0", "exists L", "hexists L B:1", "zscore D B:1",
                                     "lindex Q -1", "pttl L", "zadd D now+34000 B:1", "rpush Q B:1"}));
    EXPECT_EQ(server.lock("C:1", script, 300), "(integer) 34000");
    Calls wanted{"lindex Q 0",  "zscore D B:1", "exists L",     "hexists L C:1",
                 "zscore D C:1", "lindex Q -1",  "zscore D B:1", "zscore D B:1",
                 "zadd D now+34300 C:1", "rpush Q C:1"};
    if (script != "fair-lock") wanted.erase(wanted.begin() + 7);
    EXPECT_EQ(server.calls(), wanted) << script;
    EXPECT_EQ(server.queue(), "[\"B:1\", \"C:1\"]");
  }
}

TEST(FairScripts, WhoIsQueuedIsToldWhatItsVersionTells) {
  const auto told = [](const std::string& script, std::int64_t later) {
    FairServer server;
    server.lock("A:1", script);
    server.lock("B:1", script, 300'000);
    server("PEXPIRE L 50000");  // the watchdog
    return server.pass(later).lock("B:1", script, 300'000);
  };
  EXPECT_EQ(told("fair-lock", 20'000), "(integer) 30000");
  EXPECT_EQ(told("fair-lock-time-left", 20'000), "(integer) 30000");
  EXPECT_EQ(told("fair-lock-score-left", 20'000), "(integer) 10000") << "as if nobody had renewed it";
  EXPECT_EQ(told("fair-lock-wants-scores", 31'000), "(integer) -1000") << "which means: for ever";
}

TEST(FairScripts, OneBehindADeadHeadIsToldZeroOnceTheLockIsFree) {
  FairServer server;
  server.lock("A:1");
  server.lock("B:1");
  server.lock("C:1");
  EXPECT_EQ(server.pass(30'001).lock("C:1"), "(integer) 0");
  EXPECT_EQ(server.calls(), (Calls{"lindex Q 0", "zscore D B:1", "exists L", "exists Q", "lindex Q 0",
                                   "hexists L C:1", "zscore D C:1", "pttl L"}));
}

TEST(FairScripts, ADeadlineIsOverAtItsInstantAndItsPlaceGoesWithTheNextScript) {
  FairServer server;
  server.lock("A:1");
  server.lock("B:1");
  server.lock("C:1");
  EXPECT_EQ(server.pass(34'999).try_lock("D:1"), "(integer) 1");
  EXPECT_EQ(server.queue(), "[\"B:1\", \"C:1\"]");
  EXPECT_EQ(server.pass(1).lock("C:1"), "(nil)") << "nobody is left before it";
  EXPECT_EQ(server.calls(), (Calls{"lindex Q 0", "zscore D B:1", "zrem D B:1", "lpop Q", "lindex Q 0",
                                   "zscore D C:1", "exists L", "exists Q", "lindex Q 0", "lpop Q",
                                   "zrem D C:1", "zrange D 0 -1", "hset L C:1 1", "pexpire L 30000"}));
}

TEST(FairScripts, AGrantTakesTheWaitOffTheDeadlinesOfAllOthers) {
  FairServer server;
  server.lock("A:1");
  server.lock("B:1");
  server.lock("C:1");
  server("DEL L");
  EXPECT_EQ(server.left("C:1"), 40'000);
  EXPECT_EQ(server.lock("B:1"), "(nil)");
  EXPECT_THAT(server.calls(), ::testing::Contains("zincrby D -5000 C:1"));
  EXPECT_EQ(server.left("C:1"), 35'000);
}

TEST(FairScripts, OldOnesSetTheDeadlineAnewWithEachAttemptSoThatItDrifts) {
  FairServer server;
  const std::string script = "fair-lock-behind-head";
  server.lock("A:1", script);
  server.lock("B:1", script);
  EXPECT_EQ(server.lock("C:1", script), "(integer) 35000") << "until the deadline of the first";
  EXPECT_EQ(server.calls(), (Calls{"lindex Q 0", "zscore D B:1", "exists L", "hexists L C:1", "lindex Q 0",
                                   "zscore D B:1", "zadd D now+40000 C:1", "rpush Q C:1"}));
  server("PEXPIRE L 60000");
  EXPECT_EQ(server.lock("B:1", script), "(integer) 60000");
  EXPECT_EQ(server.calls().back(), "zadd D now+65000 B:1") << "and no second place in the queue";
  server.lock("C:1", script);
  EXPECT_EQ(server.left("C:1"), 70'000);
  server("DEL L");
  EXPECT_EQ(server.lock("B:1", script), "(nil)");
  EXPECT_EQ(server.left("C:1"), 70'000) << "a grant takes nothing off";
}

TEST(FairScripts, ATryTakesOnlyWhatNobodyWaitsForAndIsNeverQueued) {
  for (const std::string script :
       {"fair-try-lock", "fair-try-lock-wants-scores", "fair-try-lock-behind-head"}) {
    FairServer server;
    EXPECT_EQ(server.try_lock("A:1", script), "(nil)");
    EXPECT_EQ(server.try_lock("A:1", script), "(nil)");
    EXPECT_EQ(server.try_lock("B:1", script), "(integer) 1");
    EXPECT_EQ(server.calls(), (Calls{"lindex Q 0", "exists L", "hexists L B:1"}));
    server.lock("B:1");
    server("DEL L");
    EXPECT_EQ(server.try_lock("C:1", script), "(integer) 1") << "another is first";
    EXPECT_EQ(server.queue(), "[\"B:1\"]");
  }
}

TEST(FairScripts, WhoGivesUpLeavesAndThoseBehindMoveUp) {
  FairServer server;
  for (const char* who : {"A:1", "B:1", "C:1", "D:1"}) server.lock(who);
  EXPECT_EQ(server.gives_up("C:1"), "(nil)");
  EXPECT_EQ(server.calls(), (Calls{"lrange Q 0 -1", "zincrby D -5000 D:1", "zrem D C:1", "lrem Q 0 C:1"}));
  EXPECT_EQ(server.left("B:1"), 35'000);
  EXPECT_EQ(server.left("D:1"), 40'000);
  EXPECT_EQ(server.gives_up("X:1"), "(nil)");
  EXPECT_EQ(server.calls(), (Calls{"lrange Q 0 -1", "zrem D X:1", "lrem Q 0 X:1"}));
}

TEST(FairScripts, InOldOnesOnlyTheFirstThatGivesUpMovesTheOthersUp) {
  FairServer server;
  for (const char* who : {"A:1", "B:1", "C:1"}) server.lock(who);
  server.gives_up("C:1", "fair-acquire-failed-at-head");
  EXPECT_EQ(server.calls(), (Calls{"lindex Q 0", "zrem D C:1", "lrem Q 0 C:1"}));
  server.lock("C:1");
  server.gives_up("B:1", "fair-acquire-failed-at-head");
  EXPECT_EQ(server.calls(), (Calls{"lindex Q 0", "zrange D 0 -1", "zincrby D -5000 B:1",
                                   "zincrby D -5000 C:1", "zrem D B:1", "lrem Q 0 B:1"}));
}

TEST(FairScripts, UnlockTellsTheChannelOfTheFirstInTheQueue) {
  FairServer server;
  server.lock("A:1");
  server.lock("A:1");
  server.lock("B:1");
  EXPECT_EQ(server.unlock("B:1"), "(nil)");
  EXPECT_EQ(server.unlock("A:1"), "(integer) 0");
  EXPECT_EQ(server.calls(), (Calls{"get A", "lindex Q 0", "zscore D B:1", "exists L", "hexists L A:1",
                                   "hincrby L A:1 -1", "pexpire L 30000", "set A 0 px 16000"}));
  EXPECT_EQ(server.unlock("A:1"), "(integer) 0") << "the latch answers";
  EXPECT_EQ(server.calls(), (Calls{"get A"}));
  server("DEL A");
  EXPECT_EQ(server.unlock("A:1"), "(integer) 1");
  EXPECT_EQ(server.calls(), (Calls{"get A", "lindex Q 0", "zscore D B:1", "exists L", "hexists L A:1",
                                   "hincrby L A:1 -1", "del L", "set A 1 px 16000", "lindex Q 0",
                                   "PUBLISH C:B:1 0"}));
  server("DEL A");
  EXPECT_EQ(server.unlock("X:1"), "(integer) 1") << "of a lock that nobody holds, whoever asks";
  EXPECT_EQ(server.calls(), (Calls{"get A", "lindex Q 0", "zscore D B:1", "exists L", "lindex Q 0",
                                   "PUBLISH C:B:1 0", "set A 1 px 16000"}));
}

TEST(FairScripts, UnlocksWithoutALatchCallTheSameButForIt) {
  for (const std::string script : {"fair-unlock-publish-wants-scores", "fair-unlock-wants-scores"}) {
    const std::string publish = script == "fair-unlock-wants-scores" ? "publish" : "PUBLISH";
    FairServer server;
    server.lock("A:1");
    server.lock("B:1");
    EXPECT_EQ(server.unlock("A:1", script), "(integer) 1");
    EXPECT_EQ(server.calls(), (Calls{"lindex Q 0", "zscore D B:1", "exists L", "hexists L A:1",
                                     "hincrby L A:1 -1", "del L", "lindex Q 0", publish + " C:B:1 0"}));
    EXPECT_EQ(server.unlock("A:1", script), "(integer) 1");
    EXPECT_EQ(server.calls(),
              (Calls{"lindex Q 0", "zscore D B:1", "exists L", "lindex Q 0", publish + " C:B:1 0"}));
  }
}

TEST(FairScripts, ForceUnlockTellsTheFirstOnlyIfThereWasALock) {
  for (const std::string script : {"fair-force-unlock", "fair-force-unlock-publish-wants-scores",
                                   "fair-force-unlock-wants-scores"}) {
    FairServer server;
    EXPECT_EQ(server.force(script), "(integer) 0");
    EXPECT_EQ(server.calls(), (Calls{"lindex Q 0", "del L"}));
    server.lock("A:1");
    server.lock("B:1");
    EXPECT_EQ(server.force(script), "(integer) 1");
    EXPECT_THAT(server.calls(), ElementsAre("lindex Q 0", "zscore D B:1", "del L", "lindex Q 0",
                                            ::testing::AnyOf("PUBLISH C:B:1 0", "publish C:B:1 0")));
  }
}

TEST(FairScripts, AQueuedOneWithoutADeadlineStopsThePurgeAndWasAnErrorOnce) {
  const auto without_deadline = [] {
    FairServer server;
    server.lock("A:1");
    server("RPUSH Q B:1");
    return server;
  };
  EXPECT_THAT(without_deadline().lock("C:1", "fair-lock-wants-scores"), StartsWith("(error)"));
  EXPECT_THAT(without_deadline().try_lock("C:1", "fair-try-lock-wants-scores"), StartsWith("(error)"));
  EXPECT_THAT(without_deadline().unlock("A:1", "fair-unlock-latch-wants-scores"), StartsWith("(error)"));
  EXPECT_THAT(without_deadline().force("fair-force-unlock-wants-scores"), StartsWith("(error)"));
  EXPECT_EQ(without_deadline().try_lock("C:1"), "(integer) 1");
  EXPECT_EQ(without_deadline().unlock("A:1"), "(integer) 1");
  EXPECT_EQ(without_deadline().force(), "(integer) 1");
  EXPECT_THAT(without_deadline().lock("C:1", "fair-lock-time-left"), StartsWith("(error)"))
      << "the last one still wants a deadline, until 3.45.0";
  EXPECT_EQ(without_deadline().lock("C:1"), "(integer) 30000");
}

}  // namespace
}  // namespace lockstep::redis
