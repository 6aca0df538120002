// Laws of encodings and digests, on nested values drawn at random from small ranges, so that equal pairs
// occur too.
#include "sim/base/encode.h"

#include <array>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/base/digest.h"
#include "sim/base/time.h"

namespace lockstep::sim {
namespace {

struct Leaf {
  std::string text;
  std::optional<int> maybe;
  bool operator==(const Leaf&) const = default;
  static auto fields(auto& l) { return std::tie(l.text, l.maybe); }
};
static_assert(State<Leaf>);

struct Tree {
  std::vector<Leaf> leaves;
  std::map<std::string, std::vector<int>> table;
  std::variant<std::monostate, int, std::string> either;
  std::deque<Duration> queue;
  std::set<std::string> names;
  std::array<std::string, 2> two;
  bool operator==(const Tree&) const = default;
  static auto fields(auto& t) { return std::tie(t.leaves, t.table, t.either, t.queue, t.names, t.two); }
};
static_assert(State<Tree>);

// Texts of up to two letters, one of them NUL: the shapes that collide if lengths are not encoded.
std::string any_text() {
  const auto length = *rc::gen::inRange<std::size_t>(0, 3);
  return *rc::gen::container<std::string>(length, rc::gen::element('a', '\0'));
}
int any_number() { return *rc::gen::inRange(-1, 2); }

template <class Make>
auto up_to_two(Make make) {
  std::vector<decltype(make())> all;
  for (int left = *rc::gen::inRange(0, 3); left > 0; --left) all.push_back(make());
  return all;
}

Leaf any_leaf() {
  Leaf leaf{any_text(), {}};
  if (*rc::gen::arbitrary<bool>()) leaf.maybe = any_number();
  return leaf;
}

Tree any_tree() {
  Tree tree;
  tree.leaves = up_to_two(any_leaf);
  for (const std::string& key : up_to_two(any_text)) tree.table[key] = up_to_two(any_number);
  const int which = *rc::gen::inRange(0, 3);
  if (which == 1) tree.either = any_number();
  if (which == 2) tree.either = any_text();
  for (const int left : up_to_two(any_number)) tree.queue.push_back(Duration{left});
  for (const std::string& name : up_to_two(any_text)) tree.names.insert(name);
  tree.two = {any_text(), any_text()};
  return tree;
}

template <class T>
std::string encoded(const T& value) {
  Encoder out;
  encode(out, value);
  return std::string(out.bytes());
}

/// Puts a part of `b` into `a`, so that pairs differ in little.
Tree mixed(Tree a, const Tree& b) {
  if (*rc::gen::arbitrary<bool>()) a.leaves = b.leaves;
  if (*rc::gen::arbitrary<bool>()) a.table = b.table;
  if (*rc::gen::arbitrary<bool>()) a.either = b.either;
  if (*rc::gen::arbitrary<bool>()) a.queue = b.queue;
  if (*rc::gen::arbitrary<bool>()) a.names = b.names;
  if (*rc::gen::arbitrary<bool>()) a.two = b.two;
  return a;
}

RC_GTEST_PROP(Encode, ValuesAreEqualIfAndOnlyIfTheirEncodingsAre, ()) {
  const Tree a = any_tree();
  const Tree b = mixed(a, any_tree());
  RC_TAG(a == b);
  RC_ASSERT((a == b) == (encoded(a) == encoded(b)));
  RC_ASSERT((a == b) == (digest_of(a) == digest_of(b)));
}

RC_GTEST_PROP(Encode, LeavesThatDifferHaveDifferentEncodings, ()) {
  const Leaf a = any_leaf();
  const Leaf b = any_leaf();
  RC_TAG(a == b);
  RC_ASSERT((a == b) == (encoded(a) == encoded(b)));
}

RC_GTEST_PROP(Encode, NoEncodingOfASequenceIsTheBeginningOfAnother, ()) {
  // This is what lets encodings stand one after the other without separators.
  const std::vector<Leaf> a = up_to_two(any_leaf);
  const std::vector<Leaf> b = up_to_two(any_leaf);
  RC_ASSERT(a == b || !encoded(b).starts_with(encoded(a)));
}

TEST(Encode, NegativeAndPositiveNumbersDiffer) {
  EXPECT_NE(encoded(-1), encoded(1));
  EXPECT_EQ(encoded(std::int64_t{-1}), encoded(-1));
}

TEST(Encode, TheLettersOfNeighbouringTextsDoNotRunTogether) {
  EXPECT_NE(encoded(Leaf{"ab", {}}), encoded(Leaf{"a", {}}));
  EXPECT_NE(encoded(std::pair<std::string, std::string>("ab", "c")),
            encoded(std::pair<std::string, std::string>("a", "bc")));
}

TEST(Digest, IsXxh3OfTheBytesOnEveryPlatform) {
  EXPECT_EQ(hex(digest_bytes("")),
            "99aa06d3014798d86001c324468d497f");  // XXH3-128 of nothing, as xxHash publishes it
}

}  // namespace
}  // namespace lockstep::sim
