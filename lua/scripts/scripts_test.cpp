#include <gtest/gtest.h>

#include <map>

#include "lua/scripts/embedded_scripts.h"
#include "lua/scripts/words_read.h"
#include "lua/testing/fake_host.h"

namespace lockstep::lua {
namespace {

std::string_view text_of(std::string_view name) {
  for (const EmbeddedFile& file : embedded_scripts()) {
    if (file.name == name) return file.text;
  }
  ADD_FAILURE() << "no file " << name;
  return {};
}

struct Row {
  const char* what;
  std::map<std::string, Reply> server;  // answers to reads; everything else answers 1
  std::vector<std::string> calls;
  Reply reply;
};

void expect_rows(const char* file, std::vector<std::string_view> keys, std::vector<std::string_view> args,
                 const std::vector<Row>& rows) {
  Engine engine;
  for (const Row& row : rows) {
    FakeHost host(row.server);
    const Reply reply = run_script(engine, text_of(file), host, keys, args);
    EXPECT_EQ(printed(reply), printed(row.reply)) << file << ", " << row.what;
    EXPECT_EQ(host.calls, row.calls) << file << ", " << row.what;
  }
}

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
  expect_rows("non-reentrant-lock.lua", {"L"}, {"30000", "A:1", "NON_REENTRANT_REACQUIRE"},
              {{"free",
                {{"exists L", integer(0)}},
                {"exists L", "hincrby L A:1 1", "pexpire L 30000"},
                Nil{}},
               {"mine", {}, {"exists L", "hexists L A:1"}, Reply{Error{"ERR NON_REENTRANT_REACQUIRE"}}},
               {"another's",
                {{"hexists L A:1", integer(0)}, {"pttl L", integer(17000)}},
                {"exists L", "hexists L A:1", "pttl L"},
                integer(17000)}});
}

TEST(Scripts, ReadIsGrantedBesideReadersAndToTheWriterItselfAndGivesEachHoldAKey) {
  for (const std::string file : {"read-lock.lua", "read-lock-keeps-longer.lua"}) {
    const bool keeps = file == "read-lock-keeps-longer.lua";
    const std::vector<std::string> time = keeps ? std::vector<std::string>{"pttl L", "pexpire L 40000"}
                                                : std::vector<std::string>{"pexpire L 30000"};
    const auto then = [&](std::vector<std::string> calls) {
      calls.insert(calls.end(), time.begin(), time.end());
      return calls;
    };
    expect_rows(
        file.c_str(), {"L", "T"}, {"30000", "A:1", "A:1:write"},
        {{"free",
          {{"hget L mode", Nil{}}},
          {"hget L mode", "hset L mode read", "hset L A:1 1", "set T:1 1", "pexpire T:1 30000",
           "pexpire L 30000"},
          Nil{}},
         {"read",
          {{"hget L mode", bulk("read")}, {"hincrby L A:1 1", integer(2)}, {"pttl L", integer(40000)}},
          then({"hget L mode", "hincrby L A:1 1", "set T:2 1", "pexpire T:2 30000"}),
          Nil{}},
         {"written by me",
          {{"hget L mode", bulk("write")}, {"pttl L", integer(40000)}},
          then({"hget L mode", "hexists L A:1:write", "hincrby L A:1 1", "set T:1 1", "pexpire T:1 30000"}),
          Nil{}},
         {"written by another",
          {{"hget L mode", bulk("write")}, {"hexists L A:1:write", integer(0)}, {"pttl L", integer(17000)}},
          {"hget L mode", "hexists L A:1:write", "pttl L"},
          integer(17000)}});
  }
}

TEST(Scripts, ReadUnlockLeavesTheLongestTimeOfTheHoldsLeftAndTellsTheChannelAtTheEnd) {
  const Reply fields = Reply::Array{bulk("mode"), bulk("B:1")};
  expect_rows(
      "read-unlock.lua", {"L", "C", "T", "P"}, {"0", "A:1"},
      {{"no lock", {{"hget L mode", Nil{}}}, {"hget L mode", "publish C 0"}, integer(1)},
       {"not mine",
        {{"hget L mode", bulk("read")}, {"hexists L A:1", integer(0)}},
        {"hget L mode", "hexists L A:1"},
        Nil{}},
       {"others are left",
        {{"hget L mode", bulk("read")},
         {"hincrby L A:1 -1", integer(0)},
         {"hlen L", integer(2)},
         {"hkeys L", fields},
         {"hget L B:1", bulk("2")},
         {"pttl P:B:1:rwlock_timeout:2", integer(700)},
         {"pttl P:B:1:rwlock_timeout:1", integer(900)}},
        {"hget L mode", "hexists L A:1", "hincrby L A:1 -1", "hdel L A:1", "del T:1", "hlen L", "hkeys L",
         "hget L mode", "hget L B:1", "pttl P:B:1:rwlock_timeout:2", "pttl P:B:1:rwlock_timeout:1",
         "pexpire L 900"},
        integer(0)},
       {"their time is over",
        {{"hget L mode", bulk("read")},
         {"hincrby L A:1 -1", integer(0)},
         {"hlen L", integer(2)},
         {"hkeys L", fields},
         {"hget L B:1", bulk("1")},
         {"pttl P:B:1:rwlock_timeout:1", integer(-2)}},
        {"hget L mode", "hexists L A:1", "hincrby L A:1 -1", "hdel L A:1", "del T:1", "hlen L", "hkeys L",
         "hget L mode", "hget L B:1", "pttl P:B:1:rwlock_timeout:1", "del L", "publish C 0"},
        integer(1)},
       {"the last",
        {{"hget L mode", bulk("read")}, {"hincrby L A:1 -1", integer(0)}},
        {"hget L mode", "hexists L A:1", "hincrby L A:1 -1", "hdel L A:1", "del T:1", "hlen L", "del L",
         "publish C 0"},
        integer(1)}});
}

TEST(Scripts, WriteIsGrantedOnceMoreWithTheLeaseAddedToWhatIsLeft) {
  expect_rows("write-lock.lua", {"L"}, {"30000", "A:1:write"},
              {{"free",
                {{"hget L mode", Nil{}}},
                {"hget L mode", "hset L mode write", "hset L A:1:write 1", "pexpire L 30000"},
                Nil{}},
               {"mine",
                {{"hget L mode", bulk("write")}, {"pttl L", integer(20000)}},
                {"hget L mode", "hexists L A:1:write", "hincrby L A:1:write 1", "pttl L", "pexpire L 50000"},
                Nil{}},
               {"read",
                {{"hget L mode", bulk("read")}, {"pttl L", integer(17000)}},
                {"hget L mode", "pttl L"},
                integer(17000)}});
}

TEST(Scripts, WriteUnlockBecomesAReadLockInSilenceOrTellsAllWhoWait) {
  expect_rows(
      "write-unlock.lua", {"L", "C"}, {"1", "30000", "A:1:write"},
      {{"no lock", {{"hget L mode", Nil{}}}, {"hget L mode", "publish C 1"}, integer(1)},
       {"read", {{"hget L mode", bulk("read")}}, {"hget L mode"}, Nil{}},
       {"not mine",
        {{"hget L mode", bulk("write")}, {"hexists L A:1:write", integer(0)}},
        {"hget L mode", "hexists L A:1:write"},
        Nil{}},
       {"nested",
        {{"hget L mode", bulk("write")}},
        {"hget L mode", "hexists L A:1:write", "hincrby L A:1:write -1", "pexpire L 30000"},
        integer(0)},
       {"reads on",
        {{"hget L mode", bulk("write")}, {"hincrby L A:1:write -1", integer(0)}, {"hlen L", integer(2)}},
        {"hget L mode", "hexists L A:1:write", "hincrby L A:1:write -1", "hdel L A:1:write", "hlen L",
         "hset L mode read"},
        integer(1)},
       {"the last",
        {{"hget L mode", bulk("write")}, {"hincrby L A:1:write -1", integer(0)}},
        {"hget L mode", "hexists L A:1:write", "hincrby L A:1:write -1", "hdel L A:1:write", "hlen L",
         "del L", "publish C 1"},
        integer(1)}});
}

TEST(Scripts, ForceUnlocksOfAReadWriteLockTakeItOnlyInTheirMode) {
  for (const std::string mode : {"read", "write"}) {
    expect_rows((mode + "-force-unlock.lua").c_str(), {"L", "C"}, {"0"},
                {{"held so", {{"hget L mode", mode}}, {"hget L mode", "del L", "publish C 0"}, integer(1)},
                 {"free", {{"hget L mode", Nil{}}}, {"hget L mode"}, integer(0)}});
  }
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

TEST(Scripts, RenewalOfSeveralLocksAnswersForEach) {
  expect_rows("renew-all.lua", {"L", "M"}, {"30000", "A:1", "A:2"},
              {{"one is not held",
                {{"hexists L A:1", integer(0)}},
                {"hexists L A:1", "hexists M A:2", "pexpire M 30000"},
                Reply{Reply::Array{integer(0), integer(1)}}}});
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
