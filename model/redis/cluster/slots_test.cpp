#include "model/redis/cluster/slots.h"

#include <bitset>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep::redis::cluster {
namespace {

TEST(Slots, KnownKeysHaveTheSlotsThatARealServerSays) {
  EXPECT_EQ(crc16("123456789"), 0x31C3);  // the check value of CRC16-XMODEM
  EXPECT_EQ(slot_of("123456789"), 12'739);
  EXPECT_EQ(slot_of("foo"), 12'182);
  EXPECT_EQ(slot_of("bar"), 5'061);
  EXPECT_EQ(slot_of(""), 0);
}

TEST(Slots, KeysWithOneHashTagShareASlot) {
  EXPECT_EQ(slot_of("{user}.a"), 5'474);
  EXPECT_EQ(slot_of("{user}.b"), 5'474);
  EXPECT_EQ(slot_of("user"), 5'474);
}

TEST(Slots, TheTagIsTheFirstThatIsOpenedAndItMustNotBeEmpty) {
  EXPECT_EQ(hash_tag("{}x"), "{}x");
  EXPECT_EQ(hash_tag("{}{a}"), "{}{a}");
  EXPECT_EQ(hash_tag("{{x}}"), "{x");
  EXPECT_EQ(hash_tag("a}{b}"), "b");
  EXPECT_EQ(hash_tag("{a"), "{a");
  EXPECT_EQ(hash_tag("{a}{b}"), "a");
}

RC_GTEST_PROP(Slots, ASetOfRangesIsTheSetOfItsSlots, ()) {
  SlotSet set;
  std::bitset<64> naive;
  for (int steps = *rc::gen::inRange(1, 30); steps > 0; --steps) {
    const auto a = *rc::gen::inRange<std::size_t>(0, 64), b = *rc::gen::inRange<std::size_t>(0, 64);
    const SlotRange range{static_cast<Slot>(std::min(a, b)), static_cast<Slot>(std::max(a, b))};
    const bool add = *rc::gen::arbitrary<bool>();
    if (add) set.insert(range);
    else set.erase(range);
    for (std::size_t slot = range.first; slot <= range.last; ++slot) naive[slot] = add;
  }
  RC_ASSERT(set.size() == naive.count());
  for (std::size_t slot = 0; slot < naive.size(); ++slot)
    RC_ASSERT(set.contains(static_cast<Slot>(slot)) == naive[slot]);
  for (std::size_t i = 1; i < set.ranges.size(); ++i)
    RC_ASSERT(set.ranges[i - 1].last + 1 < set.ranges[i].first);
}

TEST(Slots, SetsMeetWhenTheyShareASlotAndNotWhenTheyTouch) {
  SlotSet odd = slots_between(1, 3);
  odd.insert({7, 9});
  EXPECT_TRUE(odd.meets(slots_between(9, 12)));
  EXPECT_FALSE(odd.meets(slots_between(4, 6)));
  EXPECT_FALSE(odd.meets(SlotSet{}));
}

}  // namespace
}  // namespace lockstep::redis::cluster
