#include "sim/base/boxed.h"

#include <gtest/gtest.h>

#include "sim/base/bag.h"
#include "sim/base/digest.h"

namespace lockstep::sim {
namespace {

struct Waiting {
  static constexpr std::string_view kind = "waiting";
  int for_what = 0;
  bool operator==(const Waiting&) const = default;
  static auto fields(auto& w) { return std::tie(w.for_what); }
};
struct Sleeping {
  static constexpr std::string_view kind = "sleeping";
  int for_what = 0;
  bool operator==(const Sleeping&) const = default;
  static auto fields(auto& s) { return std::tie(s.for_what); }
};
struct Nameless {
  bool operator==(const Nameless&) const = default;
};
static_assert(Boxable<Waiting> && !Boxable<Nameless>, "what goes into a box states its name");

using Box = Boxed<struct BoxTag>;
static_assert(std::regular<Box>);

struct Holder {
  Box box;
  int number = 0;
  bool operator==(const Holder&) const = default;
  static auto fields(auto& h) { return std::tie(h.box, h.number); }
};
static_assert(State<Holder>);

TEST(Boxed, ACopyIsAValueOfItsOwn) {
  Box a = Waiting{1};
  const Box b = a;
  a.write<Waiting>().for_what = 2;
  EXPECT_EQ(a.get<Waiting>().for_what, 2);
  EXPECT_EQ(b.get<Waiting>().for_what, 1);
  EXPECT_NE(a, b);
  a = b;
  EXPECT_EQ(a, b);
  a = Sleeping{1};
  EXPECT_FALSE(a.is<Waiting>());
  EXPECT_EQ(a.get_if<Waiting>(), nullptr);
  EXPECT_EQ(a.get<Sleeping>().for_what, 1);
}

TEST(Boxed, EncodingsDifferWhereBoxesDoTheNameOfTheTypeIncluded) {
  const std::vector<Box> boxes{Box{}, Waiting{1}, Waiting{2}, Sleeping{1}};
  for (const Box& a : boxes)
    for (const Box& b : boxes) EXPECT_EQ(a == b, digest_of(a) == digest_of(b));
}

TEST(Boxed, AnEmptyOneHoldsNothingAndNothingHappensToIt) {
  Box box;
  EXPECT_TRUE(box.empty());
  EXPECT_EQ(box, Box{});
  EXPECT_EQ(box.kind(), "");
  pass(box, Passed::alike(1ms));
  rename(box, Renaming(Names{}));
  EXPECT_EQ(next_deadline(box), never);
  Box moved_from = Waiting{1};
  const Box moved_to = std::move(moved_from);
  EXPECT_EQ(moved_from, Box{});  // NOLINT: a box that was moved from is empty
}

TEST(BoxedDeathTest, AskingForAnotherTypeIsAMistakeOfOurs) {
  const Box box = Waiting{1};
  EXPECT_EXIT(box.get<Sleeping>(), testing::ExitedWithCode(70), "is<T>");
}

TEST(Bag, HoldsTheSameWhateverTheOrderOfInsertion) {
  Bag<Box> a, b;
  for (const int number : {3, 1, 2, 1}) a.insert(Waiting{number});
  for (const int number : {1, 2, 1, 3}) b.insert(Waiting{number});
  EXPECT_EQ(a, b);
  EXPECT_EQ(digest_of(a), digest_of(b));
  EXPECT_EQ(a.take(0), Box{Waiting{1}});
  EXPECT_NE(a, b);
  EXPECT_EQ(a.size(), 3u);
  b.erase_if([](const Box& box) { return box.get<Waiting>().for_what != 3; });
  EXPECT_EQ(b, Bag<Box>{{Waiting{3}}});
}

}  // namespace
}  // namespace lockstep::sim
