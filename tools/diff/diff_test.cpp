// lockstep diff, on pairs of scripts whose answer is known from thinking.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lua/sha1.h"
#include "model/redisson/versions.h"
#include "tools/cli/load.h"
#include "tools/diff/compare_scripts.h"

namespace lockstep::tools {
namespace {

using reports::Compared;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

lua::ScriptSet scripts_named(const std::string& word) { return *named_scripts(word, "", *script_library()); }

/// A set, that which scenarios have by default, with other texts.
lua::ScriptSet changed_in(const std::string& role, const std::string& from, const std::string& to,
                          const std::string& name = "redisson@3.10.5") {
  lua::ScriptSet set = scripts_named(name);
  std::string& text = set.roles.at(role).text;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << role << " has no " << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  set.roles.at(role).sha1 = lua::sha1_hex(text);
  return set;
}

const reports::KindCompared& of_kind(const reports::ScriptDiff& diff, const std::string& name) {
  for (const reports::KindCompared& kind : diff.kinds)
    if (kind.kind == name) return kind;
  ADD_FAILURE() << name << " was not compared";
  static const reports::KindCompared none;
  return none;
}

TEST(DiffOfScripts, AcquiresByHsetAndByHincrbyAreEquivalent) {
  const auto diff = compare_scripts(scripts_named("lock=lua/scripts/lock-hset.lua"),
                                    scripts_named("lock=lua/scripts/lock-hincrby.lua"), {});
  EXPECT_EQ(outcome_of(diff), Compared::same);
  const reports::KindCompared& plain = of_kind(diff, "plain");
  EXPECT_TRUE(plain.complete);
  EXPECT_EQ(plain.states, 29u);
  EXPECT_THAT(plain.note, HasSubstr("hincrby lock A:1 1"));
}

TEST(DiffOfScripts, RepliesThatClientsReadAsTheSameAreToldApartUnlessTheirReadingIsAsked) {
  const lua::ScriptSet own = scripts_named("redisson@3.10.5");
  const auto outcomes = [&](const std::string& from, const std::string& to) {
    const lua::ScriptSet other = changed_in("unlock", from, to);
    std::vector<Compared> all;
    for (const Replies replies : {Replies::as_sent, Replies::as_read}) {
      const auto diff = compare_scripts(own, other, {.reading = {replies, {}}});
      all.push_back(outcome_of(diff));
      const bool says_so = diff.bounds.find("; replies as clients read them") != std::string::npos;
      EXPECT_EQ(says_so, replies == Replies::as_read);
    }
    return all;
  };
  // Whatever number is not 1 says that some holds are left.
  EXPECT_THAT(outcomes("return 0", "return -1"), ElementsAre(Compared::differ, Compared::same));
  EXPECT_THAT(outcomes("return 0", "return 1"), ElementsAre(Compared::differ, Compared::differ));
  EXPECT_THAT(outcomes("return 0", "return nil"), ElementsAre(Compared::differ, Compared::differ));
  // A reply that clients do not know is no other such reply.
  EXPECT_THAT(outcomes("return 0", "return 'none'"), ElementsAre(Compared::differ, Compared::differ));
  // What is read is not all that counts.
  EXPECT_THAT(outcomes("redis.call('publish'", "redis.call('del', KEYS[1]); redis.call('publish'"),
              ElementsAre(Compared::same, Compared::same));
  EXPECT_THAT(outcomes("redis.call('publish', KEYS[2], ARGV[1]);", ""),
              ElementsAre(Compared::differ, Compared::differ));
}

/// How the set compares with itself, where the script of a role has another text.
Compared read_as(const std::string& name, const std::string& role, const std::string& from,
                 const std::string& to, const std::vector<redisson::Settings>& clients = {}) {
  const lua::ScriptSet own = scripts_named(name);
  return outcome_of(compare_scripts(own, changed_in(role, from, to, name),
                                    {.reading = {Replies::as_read, clients}}));
}

TEST(DiffOfScripts, HoldsThatAreLeftCountWhereAClientThatSendsTheScriptLooksForThem) {
  // From 3.10.6 to 3.23 clients count holds themselves.
  EXPECT_EQ(read_as("redisson@3.10.6", "unlock", "return 0", "return 1"), Compared::same);
  EXPECT_EQ(read_as("redisson@3.10.6", "unlock", "return 1", "return 2"), Compared::same);
  EXPECT_EQ(read_as("redisson@3.22.0", "unlock", "return 0", "return 1"), Compared::same);
  // The script of 3.10.5 is also sent by 3.10.4, that of 3.24.0 also by 3.27.2.
  EXPECT_EQ(read_as("redisson@3.10.5", "unlock", "return 1", "return 2"), Compared::differ);
  EXPECT_EQ(read_as("redisson@3.24.0", "unlock", "return 0", "return 1"), Compared::differ);
  EXPECT_EQ(read_as("redisson@3.24.0", "fair-unlock", "return 1", "return 2"), Compared::differ);
  // All look whether it was theirs.
  EXPECT_EQ(read_as("redisson@3.10.6", "unlock", "return 0", "return nil"), Compared::differ);
  EXPECT_EQ(read_as("redisson@3.10.6", "unlock", "return 1", "return nil"), Compared::differ);
  EXPECT_EQ(read_as("redisson@3.10.6", "unlock", "return 1", "return 'one'"), Compared::differ);
  EXPECT_EQ(read_as("redisson@3.10.6", "renew", "return 0", "return 1"), Compared::differ);
}

TEST(DiffOfScripts, AClientThatIsNamedReadsWithThoseOfTheReleases) {
  redisson::Settings first = *redisson::settings_of("3.10.6");
  EXPECT_EQ(read_as("redisson@3.10.6", "unlock", "return 0", "return 1", {first}), Compared::same);
  first.watchdog_generation = 1;
  EXPECT_EQ(read_as("redisson@3.10.6", "unlock", "return 0", "return 1", {first}), Compared::differ);
  // A script that no release sends, on both sides: whatever client there is, or those that are named.
  const lua::ScriptSet one = changed_in("unlock", "return 0", "return 7", "redisson@3.10.6"),
                       other = changed_in("unlock", "return 0", "return 1", "redisson@3.10.6");
  const auto outcome = [&](const std::vector<redisson::Settings>& clients) {
    return outcome_of(compare_scripts(one, other, {.reading = {Replies::as_read, clients}}));
  };
  EXPECT_EQ(outcome({}), Compared::differ);
  EXPECT_EQ(outcome({*redisson::settings_of("3.10.6")}), Compared::same);
}

TEST(DiffOfScripts, AnAnswerThatIsKeptCountsWhereACallThatComesAgainIsToldIt) {
  const std::string set = "redis.call('set', KEYS[3], 0, 'px', ARGV[5])";
  const auto kept = [&](const std::string& to) { return read_as("redisson@4.0.0", "unlock", set, to); };
  EXPECT_EQ(kept("redis.call('set', KEYS[3], -1, 'px', ARGV[5])"), Compared::same);
  EXPECT_EQ(kept("redis.call('set', KEYS[3], 1, 'px', ARGV[5])"), Compared::differ) << "3.27.2 looks";
  EXPECT_EQ(kept("redis.call('set', KEYS[3], 'x', 'px', ARGV[5])"), Compared::differ) << "not the owner";
  EXPECT_EQ(kept("redis.call('set', KEYS[3], 0, 'px', ARGV[5] + 1)"), Compared::differ) << "kept for longer";
  EXPECT_EQ(kept("redis.call('set', KEYS[3] .. 'x', 0, 'px', ARGV[5])"), Compared::differ);
  EXPECT_EQ(kept(set + " redis.call('set', 'other', 0)"), Compared::differ);
  const lua::ScriptSet other =
      changed_in("unlock", set, "redis.call('set', KEYS[3], -1, 'px', ARGV[5])", "redisson@4.0.0");
  EXPECT_EQ(outcome_of(compare_scripts(scripts_named("redisson@4.0.0"), other, {})), Compared::differ);
}

TEST(DiffOfScripts, WhereAScriptGoesByANumberThatNothingComesToItIsNotEquivalent) {
  // A lock that makes long leases shorter, and one that makes something else of them.
  const auto capped = [](const std::string& condition, const std::string& otherwise,
                         const std::string& role = "lock") {
    const std::string shortens = "return redis.call('pexpire', KEYS[1], " + otherwise + ")";
    return changed_in(role, "", "if " + condition + " then " + shortens + " end; ", "redisson@3.10.6");
  };
  const auto outcome = [&](const std::string& condition, const std::string& one, const std::string& other) {
    return outcome_of(compare_scripts(capped(condition, one), capped(condition, other), {}));
  };
  // Leases are tried that are longer than those of the search, and more holds.
  for (const char* condition :
       {"tonumber(ARGV[1]) > 60000", "ARGV[1] == '29999'", "ARGV[1] / 1000 > 1", "#ARGV[1] > 1",
        "({[60000] = 1})[tonumber(ARGV[1])]", "math.min(ARGV[1], 60000) == 60000", "ARGV[1] == [[60000]]",
        "redis.call('ttl', KEYS[1]) > 0", "redis.call('hincrby', KEYS[1], ARGV[2], 0) == 9"})
    EXPECT_EQ(outcome(condition, "1", "2"), Compared::differ) << condition;
  // What nothing comes to, in a script with a number that nothing comes to.
  EXPECT_EQ(outcome("redis.call('hlen', KEYS[1]) == 3", "1", "2"), Compared::unknown);
  EXPECT_EQ(outcome("#ARGV == 0", "ARGV[3]", "1"), Compared::same) << "no such number";
}

TEST(DiffOfScripts, WhatIsWrittenOtherwiseAndSaysTheSameIsEquivalent) {
  const auto outcome = [](const std::string& one, const std::string& other) {
    return outcome_of(compare_scripts(changed_in("lock", "", one), changed_in("lock", "", other), {}));
  };
  const std::string capped = "local lease = tonumber(ARGV[1]); if lease > 60000 then lease = 60000 end; ",
                    renamed = "local l = tonumber(ARGV[1]); if l > 60000 then l = 60000 end; ",
                    rare = "if redis.call('hlen', KEYS[1]) == 3 then return 1 end; ";
  EXPECT_EQ(outcome(capped, renamed), Compared::same);
  EXPECT_EQ(outcome(rare, "-- three\n" + rare), Compared::same) << "though not all of it ran";
  EXPECT_EQ(outcome(capped, "local lease = 1; " + rare), Compared::unknown);
}

TEST(DiffOfScripts, TimeInMillisecondsIsWithinTheBounds) {
  const auto by_time = [](const std::string& sum) {
    const std::string reads = "local t = redis.call('time'); local now = " + sum + "; ";
    return changed_in("lock", "", reads, "redisson@3.10.6");
  };
  const lua::ScriptSet one = by_time("t[1] * 1000 + math.floor(t[2] / 1000)"),
                       other = by_time("1000 * t[1] + math.floor(t[2] / 1000)");
  const auto diff = compare_scripts(one, other, {.states_max = 500});
  EXPECT_EQ(of_kind(diff, "plain").beyond_reach, "") << "whatever is unknown for another reason";
}

TEST(DiffOfScripts, WhoDoesNotWaitReadsInARefusalThatItIsOne) {
  const auto outcome = [](const std::string& role, const std::string& from, const std::string& to) {
    return outcome_of(compare_scripts(scripts_named("redisson@3.10.5"), changed_in(role, from, to),
                                      {.reading = {Replies::as_read, {}}}));
  };
  EXPECT_EQ(outcome("fair-try-lock", "return 1", "return 7"), Compared::same);
  EXPECT_EQ(outcome("fair-try-lock", "return 1", "return nil"), Compared::differ);
  EXPECT_EQ(outcome("lock", "return redis.call('pttl', KEYS[1])", "return 1 + redis.call('pttl', KEYS[1])"),
            Compared::differ)
      << "who waits sleeps so long";
}

TEST(DiffOfScripts, AFairLockWhoseDeadlinesDriftIsComparedWhole) {
  // Each refused acquire of this version puts the deadline off again: without a bound there is no end of it.
  const auto diff = compare_scripts(scripts_named("redisson@3.10.5"),
                                    changed_in("fair-unlock", "while true do", "while true do "), {});
  EXPECT_EQ(outcome_of(diff), Compared::same);
  const reports::KindCompared& fair = of_kind(diff, "fair");
  EXPECT_TRUE(fair.complete);
  EXPECT_EQ(fair.states, 2'361u);
}

TEST(DiffOfScripts, ALatchThatForgetsWhichCallItAnsweredIsToldApart) {
  const lua::ScriptSet a = scripts_named("redisson@4.0.0");
  lua::ScriptSet b = a;
  std::string& text = b.roles.at("unlock").text;
  for (std::size_t at = text.find("KEYS[3]"); at != std::string::npos; at = text.find("KEYS[3]"))
    text.replace(at, 7, "'latch of ' .. KEYS[1]");
  const auto diff = compare_scripts(a, b, {});
  EXPECT_EQ(outcome_of(diff), Compared::differ);
}

TEST(DiffOfScripts, AnUnlockOfAMissingLockTellsPublishIfAbsentFromItsSuccessor) {
  const auto diff =
      compare_scripts(scripts_named("redisson@3.10.5"), scripts_named("unlock=lua/scripts/unlock.lua"), {});
  EXPECT_EQ(outcome_of(diff), Compared::differ);
  const reports::KindCompared& plain = of_kind(diff, "plain");
  ASSERT_TRUE(plain.difference);
  EXPECT_FALSE(plain.only_minor);
  EXPECT_THAT(plain.difference->in, ElementsAre("replies", "messages", "effects"));
  ASSERT_EQ(plain.difference->steps.size(), 1u);
  EXPECT_EQ(plain.difference->steps[0].a.reply, "(integer) 1 (released)");
  EXPECT_EQ(plain.difference->steps[0].b.reply, "(nil) (not the holder)");
  EXPECT_THAT(diff_text(diff), HasSubstr("they differ\n"));
}

TEST(DiffOfScripts, WhatOnlyALongerSequenceShowsIsFoundByAShortestOne) {
  // A renewal that knows only one lease: a lock that was taken with it, and renewed at once, shows nothing.
  const auto b = changed_in("renew", "ARGV[1]", "'2'");
  const auto diff = compare_scripts(scripts_named("redisson@3.10.5"), b, {});
  const reports::KindCompared& plain = of_kind(diff, "plain");
  ASSERT_TRUE(plain.difference);
  EXPECT_THAT(plain.difference->in, Contains("what is stored"));
  ASSERT_EQ(plain.difference->steps.size(), 2u);
  EXPECT_EQ(plain.difference->steps[1].call, "A: renew, lease 3 ms");
}

TEST(DiffOfScripts, ADifferenceInTheOrderOfMessagesSaysSo) {
  lua::ScriptSet a = scripts_named("redisson@3.10.5"), b = a;
  a.roles.at("renew").text = "redis.call('publish', 'x', '1'); redis.call('publish', 'x', '2'); return 1";
  b.roles.at("renew").text = "redis.call('publish', 'x', '2'); redis.call('publish', 'x', '1'); return 1";
  const auto diff = compare_scripts(a, b, {.states_max = 300});
  const reports::KindCompared& plain = of_kind(diff, "plain");
  ASSERT_TRUE(plain.difference);
  EXPECT_TRUE(plain.only_minor && plain.complete);
  EXPECT_THAT(plain.difference->in, ElementsAre("the order of messages"));
}

TEST(DiffOfScripts, AScriptThatNoCallSendsIsUnknownAndNamed) {
  lua::ScriptSet a = scripts_named("redisson@3.10.5");
  a.roles["sweep"] = {.role = "sweep", .text = "return 1", .keys = {}, .args = {}};
  lua::ScriptSet b = a;
  b.roles.at("sweep").text = "return 2";
  const auto diff = compare_scripts(a, b, {});
  EXPECT_EQ(outcome_of(diff), Compared::unknown);
  EXPECT_THAT(diff.unsent, ElementsAre("sweep"));
  EXPECT_THAT(diff.kinds, IsEmpty());
}

TEST(DiffOfScripts, ALimitMakesItUnknown) {
  const auto diff = compare_scripts(scripts_named("lock=lua/scripts/lock-hset.lua"),
                                    scripts_named("lock=lua/scripts/lock-hincrby.lua"), {.states_max = 10});
  EXPECT_EQ(outcome_of(diff), Compared::unknown);
}

TEST(DiffOfScripts, AScriptThatReadsTheClockIsNotComparedAsIfAllInstantsWereAlike) {
  const auto b = changed_in("renew", "return", "local t = redis.call('time'); return");
  const auto diff = compare_scripts(scripts_named("redisson@3.10.5"), b, {.states_max = 200});
  EXPECT_EQ(outcome_of(diff), Compared::unknown);
  EXPECT_THAT(of_kind(diff, "plain").limit, HasSubstr("what time it is"));
}

}  // namespace
}  // namespace lockstep::tools
