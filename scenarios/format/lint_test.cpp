#include "scenarios/format/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/format/test_library.h"

namespace lockstep::scenarios {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> warned(const std::string& processes) {
  const auto setup = read_scenario("format = 1\n" + processes, "x.toml", test_library(), test_vocabulary());
  EXPECT_TRUE(setup.ok()) << (setup.ok() ? "" : setup.problem().text);
  return setup.ok() ? warnings(*setup) : std::vector<std::string>{};
}

TEST(Lint, AMisspeltLockIsReleasedAndNeverTakenAndTheOtherTakenAndNeverReleased) {
  EXPECT_THAT(warned("[process.A]\nthreads = [[\"lock orders\", \"unlock ordres\"]]"),
              ElementsAre("A1: `lock orders`: the lock `orders` is taken and never released; "
                          "did you mean `ordres`?",
                          "A1: `unlock ordres`: the lock `ordres` is released and never taken; "
                          "did you mean `orders`?"));
}

TEST(Lint, ALockThatSomebodyTakesAndSomebodyReleasesIsFine) {
  EXPECT_THAT(warned("[process.A]\nthreads = [[\"lock a\", \"crash\"]]\n"
                     "[process.B]\nthreads = [[\"lock a\", \"is-held a\", \"unlock a\"]]"),
              IsEmpty());
  EXPECT_THAT(warned("[process.A]\nthreads = [[\"trylock a\", \"force-unlock a\"]]"), IsEmpty());
  EXPECT_THAT(warned("[process.A]\nthreads = [[\"lock a lease=1s\"]]"), IsEmpty()) << "its lease ends it";
}

TEST(Lint, AnEventThatNoServerPublishesIsWaitedForInVain) {
  const std::string scheme = R"([scheme.mine]
acquire = { send = "SETNX {lock} {token}", reply = { 1 = "granted", 0 = "refused" } }
release = { send = "DEL {lock}", reply = { 1 = "released", 0 = "not the holder" } }
retry = { keyspace-event = ["del", "expired"] }
holder = { string = "{token}" }
[process.A]
threads = [["lock mine:a", "unlock mine:a"]]
)";
  EXPECT_THAT(warned(scheme + "[redis]\nnotify-keyspace-events = \"Kg\""),
              ElementsAre("[scheme.mine] waits for the event `expired`, which no server publishes: [redis] "
                          "wants `notify-keyspace-events = \"Kx\"`"));
  EXPECT_EQ(warned(scheme).size(), 2U);
  EXPECT_THAT(warned(scheme + "[redis]\nnotify-keyspace-events = \"KA\""), IsEmpty());
  const std::string told = "[process.B]\nthreads = [[\"redis CONFIG SET Notify-Keyspace-Events ";
  EXPECT_THAT(warned(scheme + told + "KA\"]]"), IsEmpty());
  EXPECT_EQ(warned(scheme + told + "Kg\"]]").size(), 1U);
}

TEST(Lint, KindsOfOneNameAreDifferentLocks) {
  const std::string later = "scripts = \"redisson@3.15.0\"\n";
  EXPECT_EQ(warned(later + "[process.A]\nthreads = [[\"lock spin:a\", \"unlock a\"]]").size(), 2U);
}

TEST(Lint, ALockThatIsOnlyAskedAbout) {
  EXPECT_THAT(warned("[process.A]\nthreads = [[\"is-locked a\"]]"),
              ElementsAre("A1: `is-locked a`: the lock `a` is asked about and never taken"));
}

TEST(Lint, ATrylockInsideOfATryWhoseFinallyUnlocks) {
  EXPECT_THAT(
      warned("[process.A]\n"
             "threads = [[\"try { trylock x wait=1s; work 1s } finally { unlock x }\"]]"),
      ElementsAre("A1: `trylock x wait=1s`: if it is refused no step is skipped, and `unlock x`, outside of "
                  "its block, releases what was not taken; it belongs in front of that block"));
  EXPECT_EQ(warned("[process.A]\nthreads = [[\"repeat 2 { trylock x; work 1s }\", \"unlock x\"]]").size(),
            1U);
  EXPECT_EQ(warned("[process.A]\n"
                   "threads = [[\"try { trylock x; expect false; work 1s } finally { unlock x }\"]]")
                .size(),
            1U);
}

TEST(Lint, ATrylockWhoseRefusalLeadsBehindItsUnlock) {
  for (const std::string steps :
       {"trylock x; try { work 1s } finally { unlock x }",
        "try { trylock x; work 1s; unlock x } finally { think 1s }", "trylock x; work 1s; unlock x",
        "lock x; try { trylock x; work 1s } finally { unlock x; unlock x }",
        "try { trylock x; expect true; work 1s } finally { unlock x }",
        "repeat 2 { trylock x; work 1s; unlock x }"})
    EXPECT_THAT(warned("[process.A]\nthreads = [[\"" + steps + "\"]]"), IsEmpty()) << steps;
}

TEST(Lint, ATrylockWhoseRefusalLeavesARoundWithoutTime) {
  const auto rounds = [](const std::string& steps) {
    return warned("[process.A]\nthreads = [[\"repeat forever { " + steps + " }\"]]");
  };
  EXPECT_THAT(rounds("trylock x; work 1s; unlock x"),
              ElementsAre("A1: `trylock x`: if it is refused, the round of `repeat forever` takes no time, "
                          "and the next begins at once; a `work` or `think` belongs behind its unlock"));
  EXPECT_EQ(rounds("trylock x wait=0s lease=1s; work 1s; unlock x").size(), 1U);
  EXPECT_THAT(rounds("trylock x; work 1s; unlock x; think 1s"), IsEmpty());
  EXPECT_THAT(rounds("think 1s; trylock x; work 1s; unlock x"), IsEmpty());
  EXPECT_THAT(rounds("trylock x wait=1s; work 1s; unlock x"), IsEmpty()) << "a refusal takes a second";
  EXPECT_THAT(warned("[process.A]\nthreads = [[\"repeat 2 { trylock x; work 1s; unlock x }\"]]"), IsEmpty());
}

TEST(Lint, ObjectsOfALockAreLookedAtByTheirNames) {
  EXPECT_THAT(
      warned("[process.A]\nthreads = [[\"lock a via=first\", \"unlock a via=frist\"]]"),
      ElementsAre("A1: `lock a via=first`: the object `first` of the lock `a` is taken and never "
                  "released; did you mean `frist`?",
                  "A1: `unlock a via=frist`: the object `frist` of the lock `a` is released and never "
                  "taken; did you mean `first`?"));
  EXPECT_THAT(warned("[process.A]\nthreads = [[\"lock a via=one\", \"unlock a via=one\"]]"), IsEmpty());
  EXPECT_THAT(warned("[process.A]\ncount = 2\nthreads = [[\"lock a via=object\", \"is-held a via=objekt\", "
                     "\"unlock a via=object\"]]"),
              ElementsAre("A-1.1: `is-held a via=objekt`: the object `objekt` of the lock `a` is asked about "
                          "and never taken; did you mean `object`?"));
  EXPECT_THAT(warned("[process.A]\nthreads = [[\"trylock a wait=1s lease=1s via=one\", \"expect true\"], "
                     "[\"trylock a wait=1s lease=1s via=two\"]]"),
              IsEmpty())
      << "two objects, each used once";
  EXPECT_THAT(warned("[process.A]\nthreads = [[\"lock a via=get1\", \"unlock a via=get2\"]]"), IsEmpty())
      << "objects that are numbered are meant to be several";
  EXPECT_THAT(warned("[process.A]\nthreads = [[\"lock a via=one\"]]").size(), 1U) << "it is the lock's slip";
}

TEST(Lint, ALeaseThatIsAlwaysOverBeforeTheRelease) {
  const std::string rest = "\n[process.B]\nthreads = [[\"lock a lease=2s\", \"work 1s\", \"unlock a\"]]";
  const std::string late =
      "[process.A]\nthreads = [[\"lock a lease=2s\", \"work 1s\", \"think 1001ms..5s\", \"unlock a\"]]";
  EXPECT_THAT(warned(late),
              ElementsAre("A1: `unlock a`: the lease of the lock `a` (2s) is always over before "
                          "its release"));
  EXPECT_THAT(warned(late + rest), IsEmpty()) << "B is in time";
  EXPECT_THAT(warned("[process.A]\nthreads = [[\"lock a lease=2s\", \"work 2s\", \"unlock a\"]]"), IsEmpty());
  EXPECT_THAT(warned("[process.A]\nthreads = [[\"lock a\", \"work 60s\", \"unlock a\"]]"), IsEmpty());
  EXPECT_THAT(warned("[process.A]\nthreads = [[\"lock a lease=2s\", \"work 60s\"]]"), IsEmpty());
}

TEST(Lint, FixedFaultsThatCanDoNothing) {
  const auto why = [](const std::string& fixed, const std::string& more = "") {
    const auto found = warned(
        "[redis]\nmode = \"replicated\"\nnodes = 2\n" + more +
        "[process.A]\nthreads = [[\"lock a lease=60s\", \"work 10s\", \"unlock a\"], [\"think 1s\"]]\n"
        "[faults]\nfixed = [" + fixed + "]\n");
    std::string all;
    for (const std::string& one : found) all += one.substr(one.find("nothing: ") + 9) + "\n";
    return all;
  };
  EXPECT_EQ(why("'crash R0 at 1s', 'restart R0 at 2s', 'crash A at 3s', 'restart A at 4s'"), "");
  EXPECT_EQ(why("'restart R0 at 1s', 'crash R0 at 2s'"), "R0 does not crash before\n");
  EXPECT_EQ(why("'restart A at 1s'"), "A does not crash before\n");
  EXPECT_EQ(why("'crash R0 at 1s', 'flush-scripts R0 at 2s'", "script-cache = true\n"), "R0 is down then\n");
  EXPECT_EQ(why("'crash A at 1s', 'stall A1 at 1s', 'interrupt A1 at 2s'"), "A is down then\n");
  EXPECT_EQ(why("'crash R0 at 1s', 'restart R0 at 2s', 'evict R0 a at 2s'"), "");
  EXPECT_EQ(why("'resume A at 1s', 'pause A at 2s'"), "what it ends begins later\n");
  EXPECT_EQ(why("'power-loss R0 at 1s', 'crash R0 at 2s'", "persistence = \"append-only\"\n"),
            "no crash of R0 falls on that instant\n");
  EXPECT_EQ(why("'power-loss R0 at 2s', 'crash R0 at 2s'", "persistence = \"append-only\"\n"), "");
  EXPECT_EQ(why("'flush-scripts R0 at 1s'"), "nobody could notice (`script-cache` is false)\n");
  EXPECT_EQ(why("'evict R0 b at 1s', 'evict R1 a at 1s'"),
            "no program names the key `b`\nR1 is no master\n");
  EXPECT_EQ(why("'lag R0 at 1s'"), "R0 is no replica\n");
  EXPECT_EQ(why("'failover R0 at 1s'"), "R0 is no replica\n");
  EXPECT_EQ(why("'failover R1 at 1s', 'cut R0 at 20s', 'evict R1 a at 2s'"), "");
  EXPECT_EQ(why("'interrupt A2 at 1s'"), "A2 waits for no lock\n");
  EXPECT_EQ(why("'lose reply to renew a', 'lose reply to lock a of A2', 'crash A after A2 acquires a'"),
            "what it waits for never comes\nwhat it waits for never comes\nwhat it waits for never comes\n");
  EXPECT_EQ(why("'lose reply to unlock a of A1', 'crash A after A1 acquires a', 'crash R0 before effects'"),
            "");
}

TEST(Lint, NamesThatAreUsedOnce) {
  EXPECT_THAT(warned("[process.A]\nthreads = [[\"lock a\", \"write ledger\", \"unlock a\"]]\n"
                     "[process.B]\nthreads = [[\"write ledgr\", \"signal go\"]]"),
              ElementsAre("A1: `write ledger`: the resource `ledger` is named nowhere else; "
                          "did you mean `ledgr`?",
                          "B1: `write ledgr`: the resource `ledgr` is named nowhere else; "
                          "did you mean `ledger`?",
                          "B1: `signal go`: the signal `go` is named nowhere else"));
  EXPECT_THAT(warned("[process.A]\ncount = 2\nthreads = [[\"write ledger\"]]"), IsEmpty());
}

TEST(Lint, ALimitWithoutItsFault) {
  const std::string process = "[process.A]\nthreads = [[\"lock a lease=1s\"]]\n";
  EXPECT_THAT(warned(process + "[faults]\npause-max = \"9s\""),
              ElementsAre("`pause-max` is about `pause-process`, which never happens: give it a budget, or "
                          "fix one"));
  EXPECT_THAT(warned(process + "[faults]\npause-max = \"9s\"\npause-process = 1"), IsEmpty());
  EXPECT_THAT(warned(process + "[faults]\npause-max = \"9s\"\nfixed = [\"pause A at 1s\"]"), IsEmpty());
  EXPECT_EQ(warned(process + "[faults]\nclock-jumps = [\"1s\"]").size(), 1U);
  EXPECT_EQ(warned(process + "[faults]\nconnection-timeout = \"1s\"").size(), 1U);
}

TEST(Lint, AMessageThatIsCalledOtherwise) {
  EXPECT_THAT(warned("scripts = \"redisson@4.4.0\"\n"
                     "[process.A]\nthreads = [[\"lock non-reentrant:a\", \"unlock non-reentrant:a\"]]\n"
                     "[faults]\nfixed = [\"lose reply to lock a of A\"]"),
              ElementsAre("the fixed fault `lose reply to lock a of A` can do nothing: what it waits for "
                          "never comes; the request of a is called `non-reentrant-lock`"));
}

TEST(Lint, MessagesAboutTheMembersOfALock) {
  const std::string process = "[process.A]\nthreads = [[\"lock multi:a+b\", \"unlock multi:a+b\"]]\n";
  EXPECT_THAT(warned(process + "[faults]\nfixed = [\"lose reply to unlock b of A\"]"), IsEmpty());
  EXPECT_THAT(warned(process + "[faults]\nfixed = [\"crash A after A acquires b\"]"), IsEmpty());
  EXPECT_EQ(warned(process + "[faults]\nfixed = [\"lose reply to fair-unlock b of A\"]").size(), 1U);
}

}  // namespace
}  // namespace lockstep::scenarios
