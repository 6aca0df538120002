#include "sim/search/seen_set.h"

#include <gtest/gtest.h>

#include "sim/base/random.h"

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

/// By parts, of which most keys belong at the end of one: it has no room for all, and the next takes them in.
TEST(SeenSet, TakesManyNewKeysInByPartsInAnyOrderOfTheParts) {
  for (const std::size_t parts : {1U, 2U, 3U, 8U}) {
    DigestSet set;
    std::vector<Digest> all;
    const auto next = [&] {
      return Digest{all.size(), all.size() % 3 == 0 ? all.size() * 7919 : 1019 + all.size() % 5};
    };
    std::size_t left_over = 0;
    for (const std::size_t more : {400U, 0U, 1U, 3000U, 20U}) {
      for (std::size_t i = 0; i < more; ++i) {
        all.push_back(next());
        set.append(all.back());
      }
      set.make_room();
      std::vector<std::vector<std::uint32_t>> left(parts);
      for (std::size_t part = parts; part-- > 0;) set.place(part, parts, left[part]);
      for (const auto& of_part : left) left_over += of_part.size();
      set.place_left(left);
      all.push_back(next());
      EXPECT_EQ(set.insert(all.back()).id, all.size() - 1);
      for (std::uint32_t i = 0; i < all.size(); ++i) ASSERT_EQ(set.find(all[i]), i) << parts;
      EXPECT_FALSE(set.find({all.size(), 1019}).has_value());
    }
    EXPECT_GT(left_over, 0U) << parts;
  }
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
