#include "sim/search/seen_set.h"

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/search/workers.h"

namespace lockstep::sim {
namespace {

TEST(SeenSet, NumbersDigestsInTheOrderOfInsertionAcrossGrowth) {
  DigestSet set;
  Random random{1};
  std::vector<Digest> all;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    all.push_back({random.next(), random.next() % 5000});  // low words repeat, so probing is put to the test
    const Seen seen = set.insert(all.back());
    ASSERT_TRUE(seen.fresh);
    ASSERT_EQ(seen.id, i);
  }
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const Seen seen = set.insert(all[i]);
    ASSERT_FALSE(seen.fresh);
    ASSERT_EQ(seen.id, i);
    ASSERT_EQ(set.find(all[i]), i);
  }
  EXPECT_EQ(set.size(), all.size());
  EXPECT_FALSE(set.find({0, 1}).has_value());
}

TEST(SeenSet, TellsKeysApartThatShareAPlaceOrAllThatASlotSaysOfThem) {
  constexpr std::uint64_t other_tag = std::uint64_t{1} << 63, beyond_tag = std::uint64_t{1} << 40;
  const std::vector<Digest> all{{7, 5}, {7, 5 | other_tag}, {8, 5}, {7, 5 | beyond_tag}, {8, 5 | other_tag}};
  DigestSet set;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    set.expect(all[i]);
    set.expect_met(all[i]);
    EXPECT_FALSE(set.find(all[i]).has_value());
    EXPECT_EQ(set.insert(all[i]).id, i);
  }
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    set.expect_met(all[i]);
    EXPECT_EQ(set.find(all[i]), i);
  }
  EXPECT_FALSE(set.find({7, 6}).has_value());
}

TEST(SeenSet, NumbersAnewAfterAllWereRemoved) {
  DigestSet set;
  Random random{3};
  std::vector<Digest> all;
  for (int i = 0; i < 5000; ++i) all.push_back({random.next(), random.next()});
  for (const std::size_t count : {all.size(), std::size_t{10}, all.size(), std::size_t{0}}) {
    set.clear();
    for (std::size_t i = 0; i < count; ++i) EXPECT_TRUE(set.insert(all[i]).fresh);
    EXPECT_EQ(set.size(), count);
    EXPECT_EQ(set.find(all.back()).has_value(), count == all.size());
  }
}

/// Claimed by two at once, from either end, and settled in the order of the keys.
TEST(SeenSet, SettlesWhatSeveralWorkersClaimedAtOnce) {
  Random random{4};
  std::vector<Digest> all;
  for (std::uint64_t i = 0; i < 3000; ++i)
    all.push_back({i, i % 3 == 0 ? random.next() : 1019 + i % 5});  // many share a place and a tag
  DigestSet set;
  for (std::size_t i = 0; i < 300; ++i) set.insert(all[i]);
  const std::size_t base = set.size(), count = all.size();
  EXPECT_TRUE(set.make_room(base + 2 * count));
  EXPECT_FALSE(set.make_room(base + 2 * count));
  std::vector<DigestSet::Claim> claims[2] = {std::vector<DigestSet::Claim>(count), {}};
  claims[1] = claims[0];
  const auto claim = [&](std::size_t worker, std::size_t i) {
    return set.claim(all[i], static_cast<std::uint32_t>(base + 2 * i + worker),
                     [&](std::uint32_t other) { return all[(other - base) / 2] == all[i]; });
  };
  side_by_side(2, [&](std::size_t worker) {
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t i = worker == 0 ? n : count - 1 - n;
      claims[worker][i] = claim(worker, i);
    }
  });
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(claims[0][i].number, claims[1][i].number);
    ASSERT_EQ(claims[0][i].fresh + claims[1][i].fresh, i < base ? 0 : 1);
    ASSERT_EQ(claim(0, i).number, claims[0][i].number);
    ASSERT_TRUE(i >= base || claims[0][i].number == i);
  }
  for (std::size_t i = base; i < count; ++i) set.append(all[i]);
  for (std::size_t i = base; i < count; ++i) set.settle(claims[0][i].place, static_cast<std::uint32_t>(i));
  for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(set.find(all[i]), i);
}

TEST(SeenSet, ClaimsThatAreNotWantedAreDroppedAndThoseThatARoomTookAreMadeAgain) {
  DigestSet set;
  const auto nobodys = [](std::uint32_t) { return false; };
  const auto key = [](std::uint64_t i) { return Digest{i, i}; };
  for (std::uint64_t i = 0; i < 10; ++i) set.insert(key(i));
  EXPECT_TRUE(set.claim(key(10), 10, nobodys).fresh);
  EXPECT_TRUE(set.claim(key(11), 11, nobodys).fresh);
  EXPECT_TRUE(set.make_room(5000));
  const std::size_t place = set.claim_again(key(11), 11);
  EXPECT_EQ(set.claim(key(11), 12, [](std::uint32_t n) { return n == 11; }).number, 11U);
  set.append(key(11));
  set.settle(place, 10);
  EXPECT_EQ(set.find(key(11)), 10U);
  EXPECT_FALSE(set.find(key(10)).has_value());
  EXPECT_TRUE(set.claim(key(12), 12, nobodys).fresh);
  set.drop_claims();
  EXPECT_FALSE(set.find(key(12)).has_value());
  for (std::uint64_t i = 0; i < 10; ++i) EXPECT_EQ(set.find(key(i)), i);
  EXPECT_EQ(set.insert(key(12)).id, 11U);
}

TEST(SeenSet, DistinguishesEncodingsOfAnyLength) {
  EncodingSet set;
  std::string text;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    ASSERT_EQ(set.insert(text).id, i);  // the first is the empty encoding
    text += 'x';
  }
  EXPECT_FALSE(set.insert("xxx").fresh);
  EXPECT_EQ(set.find("xx"), 2u);
  EXPECT_FALSE(set.find("y").has_value());
}

TEST(SeenSet, TakesAboutTwentyFourBytesForADigest) {
  DigestSet set;
  Random random{2};
  for (int i = 0; i < 100'000; ++i) set.insert({random.next(), random.next()});
  EXPECT_LT(set.bytes(), 100'000u * 33);  // vectors that have just doubled are the worst case
}

}  // namespace
}  // namespace lockstep::sim
