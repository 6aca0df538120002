// The checks here are made by the compiler: this file compiles only if forgotten members are noticed.
#include "sim/base/fields.h"

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "sim/base/id.h"
#include "sim/base/cow.h"
#include "sim/base/time.h"

namespace lockstep::sim {
namespace {

struct Complete {
  int a = 0;
  std::string b;
  bool operator==(const Complete&) const = default;
  static auto fields(auto& c) { return std::tie(c.a, c.b); }
};
static_assert(State<Complete>);

struct Forgetful {
  int a = 0;
  std::string b;
  int forgotten = 0;
  bool operator==(const Forgetful&) const = default;
  static auto fields(auto& f) { return std::tie(f.a, f.b); }
};
static_assert(!State<Forgetful>, "a member that fields() leaves out must be noticed");

struct Unlisted {
  int a = 0;
  bool operator==(const Unlisted&) const = default;
};
static_assert(!State<Unlisted>, "a type without fields() is not a state");

struct Empty {
  bool operator==(const Empty&) const = default;
};
static_assert(State<Empty>);

struct Incomparable {
  int a = 0;
  static auto fields(auto& i) { return std::tie(i.a); }
};
static_assert(!State<Incomparable>, "a state can be compared");

enum class Colour { red };

/// One member of every kind that states are made of: each must count as exactly one.
struct Everything {
  int number = 0;
  bool flag = false;
  double score = 0;
  Colour colour{};
  Duration left{};
  Instant at{};
  NodeId node{};
  std::string text;
  std::optional<int> maybe;
  std::optional<std::string> maybe_text;
  std::variant<Empty, Complete> either;
  std::vector<int> list;
  std::vector<Complete> parts;
  std::array<int, 3> few{};
  std::deque<int> queue;
  std::map<std::string, int> table;
  std::set<int> members;
  std::pair<int, std::string> pair;
  Complete part;
  Cow<Complete> shared;
  bool operator==(const Everything&) const = default;
};
static_assert(arity<Everything>() == 20);

TEST(Fields, ArityCountsTheMembersOfAnAggregate) {
  EXPECT_EQ(arity<Empty>(), 0u);
  EXPECT_EQ(arity<Complete>(), 2u);
  EXPECT_EQ(arity<Forgetful>(), 3u);
  EXPECT_EQ(arity<Everything>(), 20u);
}

}  // namespace
}  // namespace lockstep::sim
