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

TEST(Lint, KindsOfOneNameAreDifferentLocks) {
  EXPECT_THAT(warned("[process.A]\nthreads = [[\"lock spin:a\", \"unlock a\"]]").size(), 2U);
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

}  // namespace
}  // namespace lockstep::scenarios
