// Laws of Cow: a shared component behaves exactly as a copied one.
#include "sim/base/cow.h"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep::sim {
namespace {

struct Component {
  std::vector<int> values;
  bool operator==(const Component&) const = default;
  static auto fields(auto& c) { return std::tie(c.values); }
};
static_assert(State<Component>);

std::string encoded(const Cow<Component>& component) {
  Encoder out;
  encode(out, component);
  return std::string(out.bytes());
}

RC_GTEST_PROP(Cow, AnyMixOfCopiesAndWritesActsAsIfEverythingWereCopied, ()) {
  std::vector<Cow<Component>> shared(3);
  std::vector<Component> plain(3);
  for (int left = *rc::gen::inRange(0, 30); left > 0; --left) {
    const auto to = *rc::gen::inRange<std::size_t>(0, 3);
    const auto from = *rc::gen::inRange<std::size_t>(0, 3);
    switch (*rc::gen::inRange(0, 4)) {
      case 0: shared[to] = shared[from]; plain[to] = plain[from]; break;
      case 1: {
        const int value = *rc::gen::inRange(0, 3);
        shared[to].write().values.push_back(value);
        plain[to].values.push_back(value);
        break;
      }
      case 2: shared[to].write().values.clear(); plain[to].values.clear(); break;
      case 3: shared[to].freeze(); break;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      RC_ASSERT(*shared[i] == plain[i]);
      RC_ASSERT(shared[i].digest() == digest_of(plain[i]));
      for (std::size_t j = 0; j < 3; ++j) {
        RC_ASSERT((shared[i] == shared[j]) == (plain[i] == plain[j]));
        RC_ASSERT((shared[i].digest() == shared[j].digest()) == (plain[i] == plain[j]));
        RC_ASSERT((encoded(shared[i]) == encoded(shared[j])) == (plain[i] == plain[j]));
      }
    }
  }
}

TEST(Cow, AFrozenOneIsSharedUntilOneOfTheCopiesIsWritten) {
  Cow<Component> a{Component{{1, 2}}};
  a.freeze();
  const Cow<Component> b = a;
  EXPECT_EQ(&*a, &*b);
  a.write().values.push_back(3);
  EXPECT_NE(&*a, &*b);
  EXPECT_FALSE(a.is_frozen());
  EXPECT_TRUE(b.is_frozen());
  EXPECT_EQ(b->values, (std::vector<int>{1, 2}));
  EXPECT_EQ(a->values, (std::vector<int>{1, 2, 3}));
}

TEST(Cow, ACopyOfAnOpenOneIsACopyOfItsValue) {
  Cow<Component> a{Component{{1}}};
  Cow<Component> b = a;
  EXPECT_NE(&*a, &*b);
  b.write().values.push_back(2);
  EXPECT_EQ(a->values, (std::vector<int>{1}));
}

TEST(Cow, AWriteToAnOpenOneDoesNotCopyIt) {
  Cow<Component> a{Component{{1}}};
  const Component* before = &*a;
  a.write().values.push_back(2);
  EXPECT_EQ(&*a, before);
  a.freeze();
  EXPECT_EQ(&*a, before);
}

TEST(Cow, AFrozenOneThatIsNotSharedIsCopiedAllTheSame) {
  Cow<Component> a{Component{{1}}};
  a.freeze();
  const Component* const frozen = &*a;
  const Cow<Component> keeps_the_address = a;
  EXPECT_NE(&a.write(), frozen);
}

TEST(Cow, FreezingFreezesWhatIsInside) {
  std::vector<Cow<std::vector<Cow<Component>>>> nested(1);
  nested[0].write().emplace_back(Component{{1}});
  freeze(nested);
  EXPECT_TRUE(nested[0].is_frozen());
  EXPECT_TRUE((*nested[0])[0].is_frozen());
}

TEST(Cow, AWatchedOneTellsThatItIsRead) {
  Cow<Component> a{Component{{1}}};
  a.freeze();
  bool read = false;
  a.watch(&read);
  const auto told = [&](auto use) {
    read = false;
    use();
    return read;
  };
  EXPECT_TRUE(told([&] { (void)a->values; }));
  EXPECT_TRUE(told([&] { (void)a.digest(); }));
  EXPECT_TRUE(told([&] { (void)(a == Cow<Component>{}); }));
  EXPECT_TRUE(told([&] { const Cow<Component> copy = a; }));
  EXPECT_TRUE(told([&] { a.write().values.push_back(2); })) << "what it was lives on in what it becomes";
  EXPECT_FALSE(told([&] { a.freeze(); }));
  EXPECT_FALSE(told([&] { a = Cow<Component>{Component{{3}}}; })) << "it is overwritten as a whole";
  EXPECT_TRUE(told([&] { (void)a->values; })) << "the place is watched, whatever lies there";
  Cow<Component> copy = a;
  EXPECT_FALSE(told([&] { copy.write().values.push_back(4); }));
}

TEST(Cow, TimePassesWithoutAWriteWhereNothingCountsDown) {
  Cow<std::vector<Timer>> timers{{Timer{5ms}}};
  timers.freeze();
  const Cow<std::vector<Timer>> before = timers;
  timers.pass(Passed::alike(2ms));
  EXPECT_EQ(timers->front().left, 3ms);
  EXPECT_EQ(before->front().left, 5ms);
  timers.pass(Passed::alike(3ms));
  timers.freeze();
  timers.pass(Passed::alike(1ms));
  EXPECT_TRUE(timers.is_frozen());
}

}  // namespace
}  // namespace lockstep::sim
