// Locks made of others: what they take, what they give back, and what cannot be said of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/test_told.h"

namespace lockstep::scenarios {
namespace {

std::string on_three_masters(const std::string& text) {
  return "[redis]\nmode = \"independent\"\nnodes = 3\n" + text;
}

TEST(Multi, AMemberThatIsRefusedLetsTheOthersGo) {
  const auto found = search(setup_of(R"([process.A]
threads = [["lock b", "signal held", "await tried", "unlock b"]]
[process.B]
threads = [["await held", "trylock multi:a+b", "expect false", "trylock a", "expect true", "unlock a",
            "signal tried"]])"));
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(names_of(found.violated), "");
}

TEST(Multi, ItsLeaseIsSetOnceAllMembersAreTaken) {
  const std::string taken = "threads = [[\"trylock multi:a+b wait=10s lease=2s\", \"signal held\"]]\n";
  const auto free_after = [&](const char* time) {
    const auto found = search(setup_of("[process.A]\n" + taken +
                                       "[process.B]\nthreads = [[\"await held\", \"think " + time +
                                       "\", \"trylock a\", \"expect true\", \"trylock b\", "
                                       "\"expect true\"]]\n"));
    return names_of(found.violated & properties::bit(Property::expectations));
  };
  EXPECT_EQ(free_after("2001ms"), "");
  EXPECT_EQ(free_after("1999ms"), "expectations");
}

TEST(Multi, UnlockThrowsIfAMemberIsNotHeldAndRedDoesNot) {
  const auto unlocked = [](const std::string& lock) {
    return search(setup_of("scripts = \"redisson@3.12.2\"\n[process.A]\nthreads = [[\"lock " + lock +
                           "\", \"redis DEL b\", \"unlock " + lock + "\", \"expect true\"]]\n"));
  };
  EXPECT_EQ(names_of(unlocked("multi:a+b+c").violated & ~properties::bit(Property::owner_only) &
                     ~properties::bit(Property::nothing_left_behind)),
            "expectations no-uncaught-exception");
  EXPECT_EQ(names_of(unlocked("red:a+b+c").violated & properties::bit(Property::expectations)), "");
}

TEST(Multi, IsAskedWhetherItIsHeldSince3272) {
  const auto answered = [](const std::string& version, const std::string& answer) {
    const auto found = search(setup_of("scripts = \"redisson@" + version + R"("
[process.A]
threads = [["lock multi:a+b", "is-held multi:a+b", "expect )" + answer + "\"]]"));
    return (found.violated & properties::bit(Property::expectations)) == 0;
  };
  EXPECT_TRUE(answered("3.27.1", "exception"));
  EXPECT_TRUE(answered("3.27.2", "true"));
  EXPECT_FALSE(answered("3.27.2", "exception"));
}

TEST(Multi, ForceUnlockOfTheWholeThrowsAndLeavesItHeld) {
  for (const std::string lock : {"multi:a+b", "red:a+b+c"}) {
    const auto found =
        search(setup_of("scripts = \"redisson@4.7.0\"\n[process.A]\nthreads = [[\"lock " + lock + R"(",
"force-unlock )" + lock + R"(", "expect exception", "is-locked a", "expect true",
"force-unlock )" + lock + R"( async", "get", "expect exception", "is-locked b", "expect true",
"unlock )" + lock + "\", \"is-locked a\", \"expect false\"]]"));
    EXPECT_TRUE(found.complete());
    EXPECT_EQ(names_of(found.violated), "") << lock;
  }
}

TEST(Multi, UnlocksInTurnAndStopsAtTheFirstThatThrowsSince3250) {
  const auto c_is_free = [](const std::string& version) {
    const auto found = search(setup_of("scripts = \"redisson@" + version + R"("
[process.A]
threads = [["lock multi:a+b+c", "redis DEL b", "unlock multi:a+b+c", "expect exception", "signal thrown"]]
[process.B]
threads = [["await thrown", "trylock a", "expect true", "trylock c", "expect true"]])"));
    return (found.violated & properties::bit(Property::expectations)) == 0;
  };
  EXPECT_TRUE(c_is_free("3.24.0"));
  EXPECT_FALSE(c_is_free("3.25.0"));
}

TEST(Multi, AFairMemberSaysItsWaitInMillisecondsAndItsLeaseIsThatOfItsQueue) {
  using testing::Contains;
  using testing::HasSubstr;
  const auto alone = told_by(R"("trylock fair:b wait=3s")", "redisson@3.32.0");
  EXPECT_THAT(alone, Contains(HasSubstr("{b} 30000 a:1 3 "))) << "the number without its unit";
  const auto member = told_by(R"("trylock multi:a+fair:b wait=3s")", "redisson@3.32.0");
  EXPECT_THAT(member, Contains(HasSubstr("{b} 30000 a:1 3000 ")));
  const auto leased = told_by(R"("trylock multi:a+fair:b wait=3s lease=2s")", "redisson@3.32.0");
  EXPECT_THAT(leased, Contains(HasSubstr("{b} 6000 a:1 3000 ")));
  EXPECT_THAT(leased, Contains("lua: pexpire redisson_lock_queue:{b} 2000"));
}

TEST(Multi, OverlapsAreJudgedByTheMemberThatBothName) {
  const std::string programs = R"([process.A]
threads = [["trylock multi:a+b", "work 1s", "unlock multi:a+b"]]
[process.B]
threads = [["trylock multi:b+c", "work 1s", "unlock multi:b+c"]]
)";
  const auto found = search(setup_of(programs));
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(names_of(found.violated), "");
  EXPECT_NE(found.witnesses & properties::bit(Witness::contention), 0U);
  EXPECT_EQ(names_of(search(setup_of(programs + "[faults]\nevict-key = 1\n")).violated &
                     properties::bit(Property::mutual_exclusion)),
            "mutual-exclusion");
}

TEST(Multi, OneNameIsThatOfALockOnEachMaster) {
  const model::Setup setup =
      setup_of(on_three_masters("[process.A]\nthreads = [[\"lock red:orders\", \"unlock red:orders\"]]\n"));
  const model::LockObject* whole = setup.made_of_others("red:orders");
  ASSERT_NE(whole, nullptr);
  ASSERT_EQ(whole->members.size(), 3U);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(setup.objects[whole->members[m]].group.index(), m);
    EXPECT_TRUE(setup.objects[whole->members[m]].part);
  }
}

TEST(Multi, AMemberThatIsAlsoTakenByItselfIsJudgedByItself) {
  const model::Setup setup = setup_of(R"([process.A]
threads = [["lock multi:a+b", "unlock multi:a+b"], ["lock a", "unlock a"]])");
  EXPECT_FALSE(setup.is_part("a"));
  EXPECT_TRUE(setup.is_part("b"));
}

TEST(Multi, ASpinLockMayBeAMember) {
  const auto found = search(setup_of(R"(scripts = "redisson@3.15.0"
[process.P]
count = 2
threads = [["lock multi:a+spin:b", "unlock multi:a+spin:b"]])"));
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(names_of(found.violated), "");
}

}  // namespace
}  // namespace lockstep::scenarios
