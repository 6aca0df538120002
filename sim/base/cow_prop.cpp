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
      case 3: static_cast<void>(shared[to].digest()); break;  // now it is remembered
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

TEST(Cow, ACopySharesUntilOneOfThemIsWritten) {
  Cow<Component> a{Component{{1, 2}}};
  const Cow<Component> b = a;
  EXPECT_EQ(&*a, &*b);
  a.write().values.push_back(3);
  EXPECT_NE(&*a, &*b);
  EXPECT_EQ(b->values, (std::vector<int>{1, 2}));
  EXPECT_EQ(a->values, (std::vector<int>{1, 2, 3}));
}

TEST(Cow, AWriteToAnUnsharedComponentDoesNotCopyIt) {
  Cow<Component> a{Component{{1}}};
  const Component* before = &*a;
  a.write().values.push_back(2);
  EXPECT_EQ(&*a, before);
}

TEST(Cow, AWriteForgetsTheDigest) {
  Cow<Component> a{Component{{1}}};
  const Digest before = a.digest();
  a.write().values.push_back(2);
  EXPECT_NE(a.digest(), before);
  EXPECT_EQ(a.digest(), digest_of(Component{{1, 2}}));
}

}  // namespace
}  // namespace lockstep::sim
