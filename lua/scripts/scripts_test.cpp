#include <gtest/gtest.h>

#include "lua/scripts/test_rows.h"
#include "lua/scripts/words_read.h"

namespace lockstep::lua {
namespace {

TEST(Scripts, LockIsGrantedWhenFreeDeepenedByItsHolderAndAnswersTheTimeLeftToOthers) {
  for (const std::string file : {"lock-hset.lua", "lock-hincrby.lua"}) {
    const std::string first = file == "lock-hset.lua" ? "hset L A:1 1" : "hincrby L A:1 1";
    expect_rows(file.c_str(), {"L"}, {"30000", "A:1"},
                {{"free", {{"exists L", integer(0)}}, {"exists L", first, "pexpire L 30000"}, Nil{}},
                 {"mine", {}, {"exists L", "hexists L A:1", "hincrby L A:1 1", "pexpire L 30000"}, Nil{}},
                 {"another's",
                  {{"hexists L A:1", integer(0)}, {"pttl L", integer(17000)}},
                  {"exists L", "hexists L A:1", "pttl L"},
                  integer(17000)},
                 {"another's, for ever",
                  {{"hexists L A:1", integer(0)}, {"pttl L", integer(-1)}},
                  {"exists L", "hexists L A:1", "pttl L"},
                  integer(-1)}});
  }
}

TEST(Scripts, UnlockIsRefusedToOthersCountsDownAndTellsTheChannelAtTheEnd) {
  expect_rows("unlock.lua", {"L", "C"}, {"0", "30000", "A:1"},
              {{"not mine", {{"hexists L A:1", integer(0)}}, {"hexists L A:1"}, Nil{}},
               {"nested",
                {{"hincrby L A:1 -1", integer(1)}},
                {"hexists L A:1", "hincrby L A:1 -1", "pexpire L 30000"},
                integer(0)},
               {"the last",
                {{"hincrby L A:1 -1", integer(0)}},
                {"hexists L A:1", "hincrby L A:1 -1", "del L", "publish C 0"},
                integer(1)}});
}

TEST(Scripts, OldUnlockAlsoTellsTheChannelThatThereIsNoLock) {
  expect_rows("unlock-publish-if-absent.lua", {"L", "C"}, {"0", "30000", "A:1"},
              {{"no lock", {{"exists L", integer(0)}}, {"exists L", "publish C 0"}, integer(1)},
               {"not mine", {{"hexists L A:1", integer(0)}}, {"exists L", "hexists L A:1"}, Nil{}},
               {"nested",
                {{"hincrby L A:1 -1", integer(2)}},
                {"exists L", "hexists L A:1", "hincrby L A:1 -1", "pexpire L 30000"},
                integer(0)},
               {"the last",
                {{"hincrby L A:1 -1", integer(0)}},
                {"exists L", "hexists L A:1", "hincrby L A:1 -1", "del L", "publish C 0"},
                integer(1)}});
}

TEST(Scripts, RenewSetsTheLeaseOfTheHolderOnly) {
  expect_rows("renew.lua", {"L"}, {"30000", "A:1"},
              {{"mine", {}, {"hexists L A:1", "pexpire L 30000"}, integer(1)},
               {"not mine", {{"hexists L A:1", integer(0)}}, {"hexists L A:1"}, integer(0)}});
}

TEST(Scripts, ForceUnlockTellsTheChannelOnlyIfThereWasALock) {
  expect_rows("force-unlock.lua", {"L", "C"}, {"0"},
              {{"locked", {}, {"del L", "publish C 0"}, integer(1)},
               {"free", {{"del L", integer(0)}}, {"del L"}, integer(0)}});
}

TEST(Scripts, SpinUnlockIsRefusedToOthersCountsDownAndTellsNobody) {
  expect_rows("spin-unlock.lua", {"L"}, {"30000", "A:1"},
              {{"not mine", {{"hexists L A:1", integer(0)}}, {"hexists L A:1"}, Nil{}},
               {"nested",
                {{"hincrby L A:1 -1", integer(1)}},
                {"hexists L A:1", "hincrby L A:1 -1", "pexpire L 30000"},
                integer(0)},
               {"the last",
                {{"hincrby L A:1 -1", integer(0)}},
                {"hexists L A:1", "hincrby L A:1 -1", "del L"},
                integer(1)}});
}

TEST(Scripts, SpinForceUnlockAnswersWhetherThereWasALock) {
  expect_rows(
      "spin-force-unlock.lua", {"L"}, {},
      {{"locked", {}, {"del L"}, integer(1)}, {"free", {{"del L", integer(0)}}, {"del L"}, integer(0)}});
}

TEST(Scripts, LockUnderOneConditionSendsTheSameCommands) {
  expect_rows(
      "lock-free-or-mine.lua", {"L"}, {"30000", "A:1"},
      {{"free", {{"exists L", integer(0)}}, {"exists L", "hincrby L A:1 1", "pexpire L 30000"}, Nil{}},
       {"mine", {}, {"exists L", "hexists L A:1", "hincrby L A:1 1", "pexpire L 30000"}, Nil{}},
       {"another's",
        {{"hexists L A:1", integer(0)}, {"pttl L", integer(17000)}},
        {"exists L", "hexists L A:1", "pttl L"},
        integer(17000)}});
}

TEST(Scripts, UnlockOf3220PublishesByTheCommandThatItIsSent) {
  expect_rows("unlock-by-command.lua", {"L", "C"}, {"0", "30000", "A:1", "SPUBLISH"},
              {{"not mine", {{"hexists L A:1", integer(0)}}, {"hexists L A:1"}, Nil{}},
               {"nested",
                {{"hincrby L A:1 -1", integer(1)}},
                {"hexists L A:1", "hincrby L A:1 -1", "pexpire L 30000"},
                integer(0)},
               {"the last",
                {{"hincrby L A:1 -1", integer(0)}},
                {"hexists L A:1", "hincrby L A:1 -1", "del L", "SPUBLISH C 0"},
                integer(1)}});
  expect_rows("force-unlock-by-command.lua", {"L", "C"}, {"0", "PUBLISH"},
              {{"locked", {}, {"del L", "PUBLISH C 0"}, integer(1)},
               {"free", {{"del L", integer(0)}}, {"del L"}, integer(0)}});
}

TEST(Scripts, FencedIsGrantedAsThePlainLockAndCountsEachGrant) {
  for (const std::string file : {"lock-free-or-mine.lua", "fenced-lock.lua", "fenced-lock-token.lua"}) {
    const bool tells = file == "fenced-lock-token.lua";
    const auto granted = [&](std::vector<std::string> calls) {
      if (file != "lock-free-or-mine.lua") calls.emplace_back("incr T");
      calls.insert(calls.end(), {"hincrby L A:1 1", "pexpire L 30000"});
      return calls;
    };
    const Reply grant = tells ? Reply{Reply::Array{integer(-1), integer(8)}} : Reply{Nil{}};
    const Reply refusal = tells ? Reply{Reply::Array{integer(17000), integer(-1)}} : integer(17000);
    std::vector<std::string_view> keys{"L", "T"};
    if (file == "lock-free-or-mine.lua") keys.pop_back();
    expect_rows(file.c_str(), keys, {"30000", "A:1"},
                {{"free", {{"exists L", integer(0)}, {"incr T", integer(8)}}, granted({"exists L"}), grant},
                 {"mine", {{"incr T", integer(8)}}, granted({"exists L", "hexists L A:1"}), grant},
                 {"another's",
                  {{"hexists L A:1", integer(0)}, {"pttl L", integer(17000)}},
                  {"exists L", "hexists L A:1", "pttl L"},
                  refusal}});
  }
}

TEST(Scripts, NonReentrantIsRefusedToItsHolderByAnError) {
  expect_rows(
      "non-reentrant-lock.lua", {"L"}, {"30000", "A:1", "NON_REENTRANT_REACQUIRE"},
      {{"free", {{"exists L", integer(0)}}, {"exists L", "hincrby L A:1 1", "pexpire L 30000"}, Nil{}},
       {"mine", {}, {"exists L", "hexists L A:1"}, Reply{Error{"ERR NON_REENTRANT_REACQUIRE"}}},
       {"another's",
        {{"hexists L A:1", integer(0)}, {"pttl L", integer(17000)}},
        {"exists L", "hexists L A:1", "pttl L"},
        integer(17000)}});
}

TEST(Scripts, UnlockWithALatchLeavesItsAnswerForACopyOfItself) {
  const std::vector<std::string_view> args{"0", "30000", "A:1", "PUBLISH", "13500"};
  expect_rows(
      "unlock-with-latch.lua", {"L", "C", "U"}, args,
      {{"a copy", {{"get U", std::string("0")}}, {"get U"}, integer(0)},
       {"not mine", {{"get U", Nil{}}, {"hexists L A:1", integer(0)}}, {"get U", "hexists L A:1"}, Nil{}},
       {"nested",
        {{"get U", Nil{}}, {"hincrby L A:1 -1", integer(1)}},
        {"get U", "hexists L A:1", "hincrby L A:1 -1", "pexpire L 30000", "set U 0 px 13500"},
        integer(0)},
       {"the last",
        {{"get U", Nil{}}, {"hincrby L A:1 -1", integer(0)}},
        {"get U", "hexists L A:1", "hincrby L A:1 -1", "del L", "PUBLISH C 0", "set U 1 px 13500"},
        integer(1)}});
  expect_rows("spin-unlock-with-latch.lua", {"L", "U"}, {"30000", "A:1", "13500"},
              {{"a copy", {{"get U", std::string("1")}}, {"get U"}, integer(1)},
               {"nested",
                {{"get U", Nil{}}, {"hincrby L A:1 -1", integer(1)}},
                {"get U", "hexists L A:1", "hincrby L A:1 -1", "pexpire L 30000", "set U 0 px 13500"},
                integer(0)},
               {"the last",
                {{"get U", Nil{}}, {"hincrby L A:1 -1", integer(0)}},
                {"get U", "hexists L A:1", "hincrby L A:1 -1", "del L", "set U 1 px 13500"},
                integer(1)}});
}

TEST(Scripts, NonReentrantFairIsRefusedToItsHolderByAnErrorAndGrantedInTurn) {
  for (const std::string form : {"lock", "try-lock"}) {
    const std::vector<std::string_view> args =
        form == "lock" ? std::vector<std::string_view>{"30000", "A:1", "5000", "1700000000000", "REFUSED"}
                       : std::vector<std::string_view>{"30000", "A:1", "1700000000000", "5000", "REFUSED"};
    expect_rows(("non-reentrant-fair-" + form + ".lua").c_str(), {"L", "Q", "D"}, args,
                {{"mine",
                  {{"lindex Q 0", Nil{}}},
                  {"lindex Q 0", "exists L", "hexists L A:1"},
                  Reply{Error{"ERR REFUSED"}}},
                 {"free",
                  {{"lindex Q 0", Nil{}},
                   {"exists L", integer(0)},
                   {"exists Q", integer(0)},
                   {"zrange D 0 -1", Reply{Reply::Array{}}}},
                  {"lindex Q 0", "exists L", "exists Q", "lpop Q", "zrem D A:1", "zrange D 0 -1",
                   "hset L A:1 1", "pexpire L 30000"},
                  Nil{}}});
  }
}

TEST(Scripts, FairExpireIsOfTheLockItsQueueAndItsDeadlines) {
  expect_rows("fair-expire.lua", {"L", "Q", "D"}, {"2000"},
              {{"only the lock is there",
                {{"pexpire Q 2000", integer(0)}, {"pexpire D 2000", integer(0)}},
                {"pexpire L 2000", "pexpire Q 2000", "pexpire D 2000"},
                integer(1)}});
}

TEST(Scripts, FencedExpireIsOfTheLockAndItsCounter) {
  expect_rows("fenced-expire.lua", {"L", "T"}, {"2000"},
              {{"neither is there",
                {{"pexpire L 2000", integer(0)}, {"pexpire T 2000", integer(0)}},
                {"pexpire L 2000", "pexpire T 2000"},
                integer(0)},
               {"the lock is free, and was held before",
                {{"pexpire L 2000", integer(0)}},
                {"pexpire L 2000", "pexpire T 2000"},
                integer(1)}});
}

TEST(Scripts, RenewalOfSeveralLocksAnswersForEach) {
  expect_rows("renew-all.lua", {"L", "M"}, {"30000", "A:1", "A:2"},
              {{"one is not held",
                {{"hexists L A:1", integer(0)}},
                {"hexists L A:1", "hexists M A:2", "pexpire M 30000"},
                Reply{Reply::Array{integer(0), integer(1)}}}});
}

TEST(Scripts, WhoGaveUpAFairLockLeftItsQueueAtFirstAndNothingElse) {
  expect_rows("fair-acquire-failed-alone.lua", {"Q", "D"}, {"A:1"},
              {{"any place", {}, {"zrem D A:1", "lrem Q 0 A:1"}, Nil{}}});
}

TEST(Scripts, CompareAndDeleteDeletesOnlyItsOwnToken) {
  expect_rows("compare-and-delete.lua", {"L"}, {"token"},
              {{"mine", {{"get L", std::string("token")}}, {"get L", "del L"}, integer(1)},
               {"another's", {{"get L", std::string("other")}}, {"get L"}, integer(0)},
               {"free", {{"get L", Nil{}}}, {"get L"}, integer(0)}});
}

TEST(Scripts, FairLockServesTheQueueInOrder) {
  const std::vector<std::string_view> keys{"L", "Q", "D"}, args{"30000", "A:1", "5000", "1700000000000"};
  expect_rows(
      "fair-lock-simplified.lua", keys, args,
      {{"free, nobody waits",
        {{"lindex Q 0", Nil{}}, {"exists L", integer(0)}, {"exists Q", integer(0)}},
        {"lindex Q 0", "exists L", "exists Q", "lpop Q", "zrem D A:1", "hset L A:1 1", "pexpire L 30000"},
        Nil{}},
       {"free, I am first",
        {{"lindex Q 0", std::string("A:1")},
         {"zscore D A:1", std::string("1700000001000")},
         {"exists L", integer(0)}},
        {"lindex Q 0", "zscore D A:1", "exists L", "exists Q", "lindex Q 0", "lpop Q", "zrem D A:1",
         "hset L A:1 1", "pexpire L 30000"},
        Nil{}},
       {"mine",
        {{"lindex Q 0", Nil{}}},
        {"lindex Q 0", "exists L", "hexists L A:1", "hincrby L A:1 1", "pexpire L 30000"},
        Nil{}},
       {"another's: I am queued with a deadline that prints as an integer",
        {{"lindex Q 0", Nil{}}, {"hexists L A:1", integer(0)}, {"pttl L", integer(20000)}},
        {"lindex Q 0", "exists L", "hexists L A:1", "pttl L", "zadd D 1700000025000 A:1", "rpush Q A:1"},
        integer(20000)}});
}

TEST(WordsRead, AreTheHighestNumbersOutsideOfCommentsAndStrings) {
  const auto read = [](std::string_view script) {
    const WordsRead words = words_read(script);
    return std::pair{words.keys, words.args};
  };
  EXPECT_EQ(read("return redis.call('get', KEYS[1], ARGV[ 3 ])"), std::pair(std::size_t{1}, std::size_t{3}));
  EXPECT_EQ(read("-- KEYS[9]\nreturn 'ARGV[7]' .. \"KEYS[8]\" .. KEYS[2]"),
            std::pair(std::size_t{2}, std::size_t{0}));
  EXPECT_EQ(read("--[==[ ARGV[4]\n]==] local a = [[KEYS[3]]] return ARGV[i]"),
            std::pair(std::size_t{0}, std::size_t{0}));
}

}  // namespace
}  // namespace lockstep::lua
