// The read/write lock: what its halves send, and what scenarios with one schedule do not show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/test_told.h"

namespace lockstep::scenarios {
namespace {

using testing::ElementsAre;

TEST(ReadWrite, AWriterThatReadsSendsTheWordsThatRedissonSends) {
  EXPECT_THAT(
      told_by(R"("lock write:o", "lock read:o", "unlock write:o", "unlock read:o")", "redisson@3.10.5"),
      ElementsAre("EVAL 1 o 30000 a:1:write",  //
                  "lua: hget o mode", "lua: hset o mode write", "lua: hset o a:1:write 1",
                  "lua: pexpire o 30000",                                 //
                  "EVAL 2 o {o}:a:1:rwlock_timeout 30000 a:1 a:1:write",  //
                  "lua: hget o mode", "lua: hexists o a:1:write", "lua: hincrby o a:1 1",
                  "lua: set {o}:a:1:rwlock_timeout:1 1", "lua: pexpire {o}:a:1:rwlock_timeout:1 30000",
                  "lua: pexpire o 30000",                            //
                  "EVAL 2 o redisson_rwlock:{o} 1 30000 a:1:write",  //
                  "lua: hget o mode", "lua: hexists o a:1:write", "lua: hincrby o a:1:write -1",
                  "lua: hdel o a:1:write", "lua: hlen o", "lua: hset o mode read",  //
                  "EVAL 4 o redisson_rwlock:{o} {o}:a:1:rwlock_timeout {o} 0 a:1",  //
                  "lua: hget o mode", "lua: hexists o a:1", "lua: hincrby o a:1 -1", "lua: hdel o a:1",
                  "lua: del {o}:a:1:rwlock_timeout:1", "lua: hlen o", "lua: del o",
                  "lua: publish redisson_rwlock:{o} 0"));
}

TEST(ReadWrite, ARenewalOfAReaderRenewsTheKeysOfItsHolds) {
  const auto told = told_by(R"("lock read:o", "lock read:o lease=20s", "work 11s")", "redisson@3.12.2");
  ASSERT_GT(told.size(), 24U);
  EXPECT_THAT(
      std::vector(told.begin() + 7, told.begin() + 23),
      ElementsAre("EVAL 2 o {o}:a:1:rwlock_timeout 20000 a:1 a:1:write",  //
                  "lua: hget o mode", "lua: hincrby o a:1 1", "lua: set {o}:a:1:rwlock_timeout:2 1",
                  "lua: pexpire {o}:a:1:rwlock_timeout:2 20000", "lua: pttl o", "lua: pexpire o 30000",
                  "EVAL 2 o {o} 20000 a:1",  // what its object asked for last
                  "lua: hget o a:1", "lua: pexpire o 20000", "lua: hlen o", "lua: hkeys o",
                  "lua: hget o mode", "lua: hget o a:1", "lua: pexpire {o}:a:1:rwlock_timeout:2 20000",
                  "lua: pexpire {o}:a:1:rwlock_timeout:1 20000"));
}

TEST(ReadWrite, EqualReadersAreOneOrbit) {
  const auto found = search(setup_of(R"([process.P]
count = 2
threads = [["lock read:orders", "work 1s", "unlock read:orders"]])"));
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(names_of(found.violated), "");
  EXPECT_NE(found.witnesses & properties::bit(Witness::shared), 0U);
  EXPECT_EQ(found.witnesses & properties::bit(Witness::contention), 0U) << "a reader keeps nobody out";
}

TEST(ReadWrite, AReaderWhoseOwnTimeIsOverLosesNothingWhenAnotherLeaves) {
  const auto found = search(setup_of(R"([process.A]
threads = [["lock read:orders lease=1s", "work 3s"]]
[process.B]
threads = [["start 500ms", "lock read:orders lease=10s", "work 2s", "unlock read:orders"]]
[process.W]
threads = [["start 1s", "lock write:orders lease=5s", "work 2s", "unlock write:orders"]])"));
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(names_of(found.violated), "mutual-exclusion")
      << "beyond its lease only, and it was nobody's to take";
}

TEST(ReadWrite, AnswersAreCountedForEachHalf) {
  const auto found = search(setup_of(R"([process.A]
threads = [["lock read:orders", "trylock read:orders", "trylock write:orders"]]
[expect.answers]
"trylock read:orders" = { true = 1, false = 0 }
"trylock write:orders" = { true = 0, false = 1 })"));
  EXPECT_EQ(found.violated & properties::bit(Property::answers), 0U);
}

}  // namespace
}  // namespace lockstep::scenarios
