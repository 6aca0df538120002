#include "properties/histories/linearizable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "properties/histories/testing/written_history.h"

namespace lockstep::histories {
namespace {

LockVerdict verdict_of(LockSpec spec, const std::string& text, JudgeOptions options = {}) {
  options.spec = spec;
  return judge(written(text), options).front();
}

Explained with(LockSpec spec, const std::string& text, JudgeOptions options = {}) {
  return verdict_of(spec, text, std::move(options)).explained;
}

constexpr Explained yes = Explained::yes, no = Explained::no, unknown = Explained::unknown;

TEST(MutexSpec, OneThreadAtATime) {
  EXPECT_EQ(with(LockSpec::mutex, "A lock|A ok|A unlock|A ok|B lock|B ok"), yes);
  EXPECT_EQ(with(LockSpec::mutex, "A lock|A ok|B lock|B ok|A unlock|A ok"), no);
  EXPECT_EQ(with(LockSpec::mutex, "A lock|A ok|A unlock|B lock|B ok|A ok"), yes)
      << "it was given back in time";
  EXPECT_EQ(with(LockSpec::mutex, "A lock|A ok|A lock|A ok"), no) << "not even to its holder";
}

TEST(MutexSpec, ACallThatWasNeverAnsweredMayHaveTakenEffectOrNot) {
  EXPECT_EQ(with(LockSpec::mutex, "A lock|B lock|B ok"), yes);
  EXPECT_EQ(with(LockSpec::mutex, "A lock|B trylock|B no"), yes);
  EXPECT_EQ(with(LockSpec::mutex, "A lock|A ok|A unlock|B trylock|B no|B lock|B ok"), yes)
      << "and ever after";
  EXPECT_EQ(with(LockSpec::mutex, "A unlock|B lock|B ok|C lock|C ok"), no) << "it was never A's to give back";
}

TEST(MutexSpec, WhoIsRefusedIsRefusedBecauseOfSomebody) {
  EXPECT_EQ(with(LockSpec::mutex, "A trylock|A no"), no);
  EXPECT_EQ(with(LockSpec::mutex, "A trylock|A nothing"), yes) << "nobody says why";
  EXPECT_EQ(with(LockSpec::mutex, "B lock|B ok|A trylock|B unlock|B ok|A no"), yes);
  EXPECT_EQ(with(LockSpec::mutex, "B lock|B ok|B unlock|B ok|A trylock|A no"), no);
}

TEST(MutexSpec, OnlyTheHolderGivesBack) {
  EXPECT_EQ(with(LockSpec::mutex, "A lock|A ok|B unlock|B ok"), no);
  EXPECT_EQ(with(LockSpec::mutex, "A lock|A ok|B unlock|B no"), yes);
  EXPECT_EQ(with(LockSpec::mutex, "A lock|A ok|A unlock|A no"), no);
  EXPECT_EQ(with(LockSpec::mutex, "A lock|A ok|B force-unlock|B ok|B lock|B ok"), yes);
}

TEST(MutexSpec, QuestionsAreAnsweredByTheState) {
  EXPECT_EQ(with(LockSpec::mutex, "A lock|A ok|B is-locked|B ok|B is-held|B no|A is-held|A ok"), yes);
  EXPECT_EQ(with(LockSpec::mutex, "A lock|A ok|B is-locked|B no"), no);
  EXPECT_EQ(with(LockSpec::mutex, "A is-held|A ok"), no);
}

TEST(ReentrantSpec, AsManyReleasesAsGrants) {
  EXPECT_EQ(with(LockSpec::reentrant, "A lock|A ok|A lock|A ok|A unlock|A ok|A unlock|A ok|B lock|B ok"),
            yes);
  EXPECT_EQ(with(LockSpec::reentrant, "A lock|A ok|A lock|A ok|A unlock|A ok|B lock|B ok"), no);
  EXPECT_EQ(with(LockSpec::reentrant, "A lock|A ok|A unlock|A ok|A unlock|A ok"), no);
  EXPECT_EQ(with(LockSpec::reentrant, "A lock|A ok|A trylock|A no"), no) << "its holder is never refused";
}

TEST(LeaseSpec, AGrantEndsByItselfAfterItsLeaseAndNotBefore) {
  EXPECT_EQ(with(LockSpec::lease, "A lock 10|A ok|@10 B lock|B ok"), yes);
  EXPECT_EQ(with(LockSpec::lease, "A lock 10|A ok|@9 B lock|B ok"), no);
  EXPECT_EQ(with(LockSpec::lease, "A lock 10|A ok|@9 B lock|@11 B ok"), yes) << "it waited";
  EXPECT_EQ(with(LockSpec::lease, "A lock 10|@5 A ok|@10 B lock|B ok"), yes)
      << "it may have been given at once";
  EXPECT_EQ(with(LockSpec::lease, "A lock|A ok|@99 B lock|B ok"), no) << "without a lease it does not end";
  EXPECT_EQ(with(LockSpec::mutex, "A lock 10|A ok|@10 B lock|B ok"), no) << "that looks at no lease";
}

TEST(LeaseSpec, AGrantCountsFromWhenItCanHaveBeenGiven) {
  // B asked at 0, and cannot have been given before A gave it back at 8 s.
  EXPECT_EQ(with(LockSpec::lease, "A lock 20|A ok|B lock 10|@8 A unlock|A ok|B ok|@17 C lock|C ok"), no);
  EXPECT_EQ(with(LockSpec::lease, "A lock 20|A ok|B lock 10|@8 A unlock|A ok|B ok|@18 C lock|C ok"), yes);
}

TEST(LeaseSpec, WhoIsStillSeenToHoldItWasLucky) {
  EXPECT_EQ(with(LockSpec::lease, "A lock 10|A ok|@50 A unlock|A ok|B lock|B ok"), yes);
  EXPECT_EQ(with(LockSpec::lease, "A lock 10|A ok|@50 B trylock|B no"), yes);
  EXPECT_EQ(with(LockSpec::lease, "A lock 10|A ok|@50 B lock|B ok|A unlock|A ok"), no);
  EXPECT_EQ(with(LockSpec::lease, "A lock 10|A ok|@50 B lock|B ok|A unlock|A no"), yes);
}

TEST(LeaseSpec, TheLastGrantOfAHolderCounts) {
  EXPECT_EQ(with(LockSpec::lease, "A lock 10|A ok|@8 A lock 10|A ok|@12 B lock|B ok"), no);
  EXPECT_EQ(with(LockSpec::lease, "A lock 10|A ok|@8 A lock 10|A ok|@18 B lock|B ok"), yes);
  // At 12 s the first may be over, so one release may be all that is needed, or two.
  EXPECT_EQ(with(LockSpec::lease, "A lock 10|A ok|@12 A lock|A ok|A unlock|A ok|B lock|B ok"), yes);
  EXPECT_EQ(with(LockSpec::lease, "A lock 10|A ok|@12 A lock|A ok|A unlock|A ok|A unlock|A ok"), yes);
}

TEST(LeaseSpec, OptionsGiveALeaseAndAnErrorOfTheClock) {
  EXPECT_EQ(with(LockSpec::lease, "A lock|A ok|@30 B lock|B ok", {.lease = 30 * second}), yes);
  EXPECT_EQ(with(LockSpec::mutex, "A lock|A ok|@30 B lock|B ok", {.lease = 30 * second}), yes);
  EXPECT_EQ(with(LockSpec::lease, "A lock 10|A ok|@9 B lock|B ok", {.clock_error = second}), yes);
  EXPECT_EQ(with(LockSpec::lease, "A lock 10|A ok|@8 B lock|B ok", {.clock_error = second}), no);
}

TEST(LeaseSpec, WithoutTimesItIsUnknown) {
  History history = written("A lock 10|A ok|B lock|B ok");
  for (Operation& operation : history.operations) operation.begin.time = operation.end->time = std::nullopt;
  const LockVerdict verdict = judge(history, {.spec = LockSpec::lease}).front();
  EXPECT_EQ(verdict.explained, unknown);
  EXPECT_EQ(verdict.why, "line 1: a lock is asked for a lease, and nobody says when");
  history.operations[0].lease = std::nullopt;
  EXPECT_EQ(judge(history, {.spec = LockSpec::lease}).front().explained, no) << "no time would help";
}

TEST(FairSpec, WhoIsKnownToWaitIsNotOvertaken) {
  EXPECT_EQ(with(LockSpec::fair, "A lock|A ok|B lock|B waits|C lock|C waits|A unlock|A ok|B ok"), yes);
  EXPECT_EQ(
      with(LockSpec::fair, "A lock|A ok|B lock|B waits|C lock|C waits|A unlock|A ok|C ok|C unlock|C ok|B ok"),
      no);
  EXPECT_EQ(with(LockSpec::fair, "A lock|A ok|B lock|B waits|C lock|C waits|A unlock|A ok|C ok"), yes)
      << "nobody knows whether B is still there";
  EXPECT_EQ(with(LockSpec::fair, "A lock|A ok|B lock|C lock|C waits|A unlock|A ok|C ok"), yes)
      << "B may be slow";
  EXPECT_EQ(
      with(LockSpec::fair, "A lock|A ok|B lock|B waits|C trylock|A unlock|A ok|C ok|C unlock|C ok|B ok"), no);
}

TEST(FairSpec, WhoGivesUpLeavesTheQueue) {
  EXPECT_EQ(with(LockSpec::fair, "A lock|A ok|B trylock|B waits|C lock|C waits|B no|A unlock|A ok|C ok"),
            yes);
  EXPECT_EQ(with(LockSpec::fair, "A lock|A ok|B lock|B waits|C lock|C waits|B nothing|A unlock|A ok|C ok"),
            yes);
  EXPECT_EQ(with(LockSpec::fair, "A lock|A ok|B lock|B waits|C lock|C waits|A unlock|A ok|C ok|B ok"), no);
}

TEST(FairSpec, ItsHolderGoesInAgainPastTheQueue) {
  EXPECT_EQ(with(LockSpec::fair, "A lock|A ok|B lock|B waits|A lock|A ok|A unlock|A ok|A unlock|A ok|B ok"),
            yes);
}

TEST(FairSpec, ARefusalMayBeBecauseOfAQueue) {
  EXPECT_EQ(with(LockSpec::fair, "A lock|A ok|B lock|B waits|A unlock|A ok|C trylock|C no|B ok"), yes);
  EXPECT_EQ(with(LockSpec::reentrant, "A lock|A ok|A unlock|A ok|C trylock|C no"), no);
}

TEST(ReadWriteSpec, ReadersShareAndWritersDoNot) {
  EXPECT_EQ(with(LockSpec::read_write, "A read|A ok|B read|B ok"), yes);
  EXPECT_EQ(with(LockSpec::read_write, "A read|A ok|B lock|B ok"), no);
  EXPECT_EQ(with(LockSpec::read_write, "A lock|A ok|B read|B ok"), no);
  EXPECT_EQ(with(LockSpec::read_write, "A read|A ok|B read|B ok|A readunlock|A ok|C lock|C ok"), no);
  EXPECT_EQ(with(LockSpec::read_write, "A read|A ok|B trylock|B no|C readtry|C no"), no);
  EXPECT_EQ(with(LockSpec::read_write, "A read|A ok|A unlock|A ok"), no) << "it was not to write";
}

TEST(ReadWriteSpec, AWriterMayReadAndAReaderMayNotWrite) {
  EXPECT_EQ(with(LockSpec::read_write, "A lock|A ok|A read|A ok|A unlock|A ok|B read|B ok|B trylock|B no"),
            yes);
  EXPECT_EQ(with(LockSpec::read_write, "A lock|A ok|A read|A ok|A unlock|A ok|B lock|B ok"), no);
  EXPECT_EQ(with(LockSpec::read_write, "A read|A ok|A lock|A ok"), no);
  EXPECT_EQ(with(LockSpec::read_write, "A read|A ok|A trylock|A no"), yes);
}

TEST(ReadWriteSpec, ReadersLeasesEndEachForItself) {
  const JudgeOptions options{.lease = 30 * second};
  const std::string readers = "A read 10|A ok|@5 B read 10|B ok|";
  EXPECT_EQ(with(LockSpec::read_write, readers + "@12 C lock|C ok", options), no);
  EXPECT_EQ(with(LockSpec::read_write, readers + "@15 C lock|C ok", options), yes);
}

TEST(FencedSpec, EachGrantHasAGreaterToken) {
  EXPECT_EQ(with(LockSpec::fenced, "A lock|A 1|A unlock|A ok|B lock|B 2"), yes);
  EXPECT_EQ(with(LockSpec::fenced, "A lock|A 2|A unlock|A ok|B lock|B 2"), no);
  EXPECT_EQ(with(LockSpec::fenced, "A lock|A 1|A lock|A 5|A unlock|A ok|A unlock|A ok|B lock|B 4"), no);
  EXPECT_EQ(with(LockSpec::fenced, "A lock|B lock|B 2|B unlock|B ok|A 1"), no) << "B gave it back only then";
  EXPECT_EQ(with(LockSpec::fenced, "A lock|B lock|B 2|B unlock|B ok|A 3"), yes);
}

TEST(FencedSpec, AGrantThatNobodySawHadATokenToo) {
  const std::string unseen = "A lock|A 1|A unlock|A ok|B lock|C trylock|C no|";
  EXPECT_EQ(with(LockSpec::fenced, unseen + "B unlock|D lock|D 3"), yes);
  EXPECT_EQ(with(LockSpec::fenced, "A lock|A ok"), unknown) << "a grant without its token";
  EXPECT_EQ(with(LockSpec::fenced, "A lock|A ok|B lock|B ok"), no);
  EXPECT_EQ(with(LockSpec::fenced, "A lock|A 1|A lock|A ok|A lock|A 2"), no) << "there is none between";
}

TEST(Linearizable, AFailureHasTheLongestPrefixAndWhatWasPossible) {
  const LockVerdict verdict =
      verdict_of(LockSpec::mutex, "A lock|A ok|C trylock|B trylock|B ok|A unlock|A ok|C no");
  EXPECT_EQ(verdict.explained, no);
  EXPECT_EQ(verdict.stuck, 2u) << "B's";
  EXPECT_EQ(verdict.last_line, 4u);
  EXPECT_EQ(verdict.endings, (std::vector<Ending>{{"held by A", "refused"}}));
  EXPECT_THAT(verdict.order, testing::Contains(0u));
}

TEST(Linearizable, UntilACallIsToldToHaveFailedItMayHaveDoneWhatItIsFor) {
  const LockVerdict verdict =
      verdict_of(LockSpec::mutex, "A lock|A ok|C force-unlock|B trylock|B ok|B is-held|C nothing|B ok");
  EXPECT_EQ(verdict.explained, no);
  EXPECT_EQ(verdict.stuck, 1u) << "C's";
  EXPECT_EQ(verdict.last_line, 6u);
  EXPECT_EQ(verdict.order, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(Linearizable, WhatWasPossibleIsToldOfStatesInWhichTheCallHasDoneNothingYet) {
  const LockVerdict refused = verdict_of(LockSpec::mutex, "B lock|B ok|B unlock|B ok|A trylock|A no");
  EXPECT_EQ(refused.stuck, 2u) << "A's";
  EXPECT_EQ(refused.endings, (std::vector<Ending>{{"free", "granted"}}));
  EXPECT_EQ(verdict_of(LockSpec::reentrant, "A trylock|A no").endings,
            (std::vector<Ending>{{"free", "granted"}}));
}

TEST(Linearizable, LocksAreAskedForThemselves) {
  History history = written("A lock|A ok|B lock|B ok");
  history.operations[1].lock = "payments";
  EXPECT_EQ(all_explained(judge(history, {})), yes);
  history.operations.push_back(history.operations[0]);
  history.operations.back().begin.event = 4;
  history.operations.back().end->event = 5;
  history.lines.insert(history.lines.end(), {5, 6});
  const auto verdicts = judge(history, {});
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0].explained, no);
  EXPECT_EQ(verdicts[1].explained, yes);
}

TEST(Linearizable, ALimitEndsInUnknown) {
  std::string text;
  for (int i = 0; i < 14; ++i) text += fmt::format("T{} lock|", i);
  text += "A lock|A ok|B lock|B ok";
  EXPECT_EQ(with(LockSpec::mutex, text), no);
  const LockVerdict verdict = verdict_of(LockSpec::mutex, text, {.states_max = 10});
  EXPECT_EQ(verdict.explained, unknown);
  EXPECT_EQ(verdict.why, "there are more than 10 states to look at");
}

TEST(Linearizable, ALimitThatIsMetInAskingForThePrefixIsTold) {
  std::string text = "A lock|A ok|";
  for (int i = 0; i < 6; ++i) text += fmt::format("T{} force-unlock|", i);
  text += "B lock|B ok";
  for (int i = 0; i < 6; ++i) text += fmt::format("|T{} no", i);
  const LockVerdict sure = verdict_of(LockSpec::mutex, text);
  ASSERT_EQ(sure.explained, no);
  EXPECT_FALSE(sure.perhaps_further);
  std::size_t times = 0;
  for (std::uint64_t states = 1; states < 500; ++states) {
    const LockVerdict verdict = verdict_of(LockSpec::mutex, text, {.states_max = states});
    if (verdict.explained != no) continue;
    times += verdict.perhaps_further;
    if (verdict.perhaps_further) EXPECT_LE(verdict.last_line, sure.last_line);
    else EXPECT_EQ(verdict.last_line, sure.last_line);
  }
  EXPECT_GT(times, 0u);
}

TEST(Linearizable, AStrangerMakesAFailureUnknownAndAnExplanationNoWorse) {
  History history = written("A lock|A ok|B lock|B ok");
  history.strangers.push_back({3, "redis DEL orders"});
  EXPECT_EQ(judge(history, {}).front().explained, unknown);
  history.operations.pop_back();
  EXPECT_EQ(judge(history, {}).front().explained, yes);
}

}  // namespace
}  // namespace lockstep::histories
