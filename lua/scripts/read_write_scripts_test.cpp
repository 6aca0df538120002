// The scripts of the read/write lock: each branch, each reply.
#include <gtest/gtest.h>

#include "lua/scripts/test_rows.h"

namespace lockstep::lua {
namespace {

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
    expect_rows((mode + "-force-unlock-by-command.lua").c_str(), {"L", "C"}, {"0", "SPUBLISH"},
                {{"held so", {{"hget L mode", mode}}, {"hget L mode", "del L", "SPUBLISH C 0"}, integer(1)},
                 {"free", {{"hget L mode", Nil{}}}, {"hget L mode"}, integer(0)}});
    expect_rows((mode + "-force-unlock.lua").c_str(), {"L", "C"}, {"0"},
                {{"held so", {{"hget L mode", mode}}, {"hget L mode", "del L", "publish C 0"}, integer(1)},
                 {"free", {{"hget L mode", Nil{}}}, {"hget L mode"}, integer(0)}});
  }
}

/// The calls of an unlock that publishes by a command, with its latch around them if it has one.
std::vector<std::string> latched(bool has_latch, std::vector<std::string> calls, const std::string& answer) {
  if (!has_latch) return calls;
  calls.insert(calls.begin(), "get U");
  if (!answer.empty()) calls.push_back("set U " + answer + " px 13500");
  return calls;
}

TEST(Scripts, ReadUnlocksOfLaterVersionsAreToldTheCommandAndLeaveTheirAnswer) {
  for (const std::string file :
       {"read-unlock-by-command.lua", "read-unlock-latch-if-absent.lua", "read-unlock-with-latch.lua"}) {
    const bool has_latch = file != "read-unlock-by-command.lua",
               refuses = file == "read-unlock-with-latch.lua";
    std::vector<std::string_view> keys{"L", "C", "T", "P"}, args{"0", "A:1", "SPUBLISH"};
    if (has_latch) keys.push_back("U"), args.push_back("13500");
    const auto calls = [&](std::vector<std::string> those, const std::string& answer) {
      return latched(has_latch, std::move(those), answer);
    };
    const Reply fields = Reply::Array{bulk("mode"), bulk("A:1:write")};
    const std::pair<const std::string, Reply> fresh{"get U", Nil{}};
    expect_rows(
        file.c_str(), keys, args,
        {{"no lock",
          {fresh, {"hget L mode", Nil{}}},
          calls({"hget L mode", "SPUBLISH C 0"}, "1"),
          refuses ? Reply{Nil{}} : integer(1)},
         {"not mine",
          {fresh, {"hget L mode", bulk("read")}, {"hexists L A:1", integer(0)}},
          calls({"hget L mode", "hexists L A:1"}, ""),
          Nil{}},
         {"writes on",
          {fresh,
           {"hget L mode", bulk("write")},
           {"hincrby L A:1 -1", integer(0)},
           {"hlen L", integer(2)},
           {"hkeys L", fields},
           {"hget L A:1:write", bulk("1")},
           {"pttl P:A:1:write:rwlock_timeout:1", integer(-2)}},
          calls({"hget L mode", "hexists L A:1", "hincrby L A:1 -1", "hdel L A:1", "del T:1", "hlen L",
                 "hkeys L", "hget L mode", "hget L A:1:write", "pttl P:A:1:write:rwlock_timeout:1"},
                "0"),
          integer(0)},
         {"the last",
          {fresh, {"hget L mode", bulk("read")}, {"hincrby L A:1 -1", integer(0)}},
          calls({"hget L mode", "hexists L A:1", "hincrby L A:1 -1", "hdel L A:1", "del T:1", "hlen L",
                 "del L", "SPUBLISH C 0"},
                "1"),
          integer(1)}});
    if (has_latch)
      expect_rows(file.c_str(), keys, args, {{"a copy", {{"get U", bulk("0")}}, {"get U"}, integer(0)}});
  }
}

TEST(Scripts, WriteUnlocksOfLaterVersionsAreToldTheCommandAndLeaveTheirAnswer) {
  for (const std::string file :
       {"write-unlock-by-command.lua", "write-unlock-latch-if-absent.lua", "write-unlock-with-latch.lua"}) {
    const bool has_latch = file != "write-unlock-by-command.lua",
               refuses = file == "write-unlock-with-latch.lua";
    std::vector<std::string_view> keys{"L", "C"}, args{"1", "30000", "A:1:write", "PUBLISH"};
    if (has_latch) keys.push_back("U"), args.push_back("13500");
    const auto calls = [&](std::vector<std::string> those, const std::string& answer) {
      return latched(has_latch, std::move(those), answer);
    };
    const std::pair<const std::string, Reply> fresh{"get U", Nil{}}, written{"hget L mode", bulk("write")};
    expect_rows(
        file.c_str(), keys, args,
        {{"no lock",
          {fresh, {"hget L mode", Nil{}}},
          calls({"hget L mode", "PUBLISH C 1"}, "1"),
          refuses ? Reply{Nil{}} : integer(1)},
         {"read", {fresh, {"hget L mode", bulk("read")}}, calls({"hget L mode"}, ""), Nil{}},
         {"nested",
          {fresh, written},
          calls({"hget L mode", "hexists L A:1:write", "hincrby L A:1:write -1", "pexpire L 30000"}, "0"),
          integer(0)},
         {"reads on",
          {fresh, written, {"hincrby L A:1:write -1", integer(0)}, {"hlen L", integer(2)}},
          calls({"hget L mode", "hexists L A:1:write", "hincrby L A:1:write -1", "hdel L A:1:write", "hlen L",
                 "hset L mode read"},
                "1"),
          integer(1)},
         {"the last",
          {fresh, written, {"hincrby L A:1:write -1", integer(0)}},
          calls({"hget L mode", "hexists L A:1:write", "hincrby L A:1:write -1", "hdel L A:1:write", "hlen L",
                 "del L", "PUBLISH C 1"},
                "1"),
          integer(1)}});
    if (has_latch)
      expect_rows(file.c_str(), keys, args, {{"a copy", {{"get U", bulk("1")}}, {"get U"}, integer(1)}});
  }
}

/// Two locks with one reader each; the second has a reader of another client beside.
const std::map<std::string, Reply> two_read_locks{
    {"hget L A:1", bulk("1")},
    {"hget M A:1", bulk("1")},
    {"hlen L", integer(2)},
    {"hlen M", integer(3)},
    {"hget L mode", bulk("read")},
    {"hget M mode", bulk("read")},
    {"hkeys L", Reply::Array{bulk("mode"), bulk("A:1")}},
    {"hkeys M", Reply::Array{bulk("mode"), bulk("A:1"), bulk("B:1")}},
    {"hget M B:1", bulk("1")},
};
const Reply both_renewed{Reply::Array{integer(1), integer(1)}};

TEST(Scripts, RenewalsOfReadersTookTheNumberOfAHoldForThatOfTheLock) {
  for (const std::string file : {"read-renew-all-astray.lua", "read-renew-all.lua"}) {
    const std::string second = file == "read-renew-all.lua" ? "Q" : "P";
    expect_rows(
        file.c_str(), {"L", "P", "M", "Q"}, {"30000", "A:1", "A:1"},
        {{"two locks",
          two_read_locks,
          {"hget L A:1", "pexpire L 30000", "hlen L", "hkeys L", "hget L mode", "hget L A:1",
           "pexpire P:A:1:rwlock_timeout:1 30000", "hget M A:1", "pexpire M 30000", "hlen M", "hkeys M",
           "hget M mode", "hget M A:1", "pexpire " + second + ":A:1:rwlock_timeout:1 30000", "hget M B:1",
           "pexpire " + second + ":B:1:rwlock_timeout:1 30000"},
          both_renewed},
         {"not read any more",
          {{"hget L A:1", Nil{}}, {"hget M A:1", Nil{}}},
          {"hget L A:1", "hget M A:1"},
          Reply{Reply::Array{integer(0), integer(0)}}}});
  }
}

TEST(Scripts, ARenewalGoneAstrayFailsAtASecondHoldBehindTheLastLock) {
  Engine engine;
  FakeHost host({{"hget L A:1", bulk("2")}, {"hlen L", integer(2)}, {"hkeys L", Reply::Array{bulk("A:1")}}});
  const std::vector<std::string_view> keys{"L", "P"}, args{"30000", "A:1"};
  const Reply reply = run_script(engine, text_of("read-renew-all-astray.lua"), host, keys, args);
  EXPECT_NE(reply.error(), nullptr);
  EXPECT_EQ(host.calls,
            (std::vector<std::string>{"hget L A:1", "pexpire L 30000", "hlen L", "hkeys L", "hget L A:1"}))
      << "the lock has its lease, the holds do not";
}

TEST(Scripts, RenewalsOfReadersAreOfTheirOwnThreadsSince440) {
  expect_rows("read-renew-own.lua", {"L", "P", "M", "Q"}, {"30000", "2", "A:1", "A:2", "1", "A:1"},
              {{"one of three",
                {{"hget L A:1", Nil{}}, {"hget L A:2", bulk("2")}, {"hget M A:1", Nil{}}},
                {"hget L A:1", "hget L A:2", "pexpire P:A:2:rwlock_timeout:2 30000",
                 "pexpire P:A:2:rwlock_timeout:1 30000", "pexpire L 30000", "hget M A:1"},
                Reply{Reply::Array{integer(1), integer(0)}}}});
}

}  // namespace
}  // namespace lockstep::lua
