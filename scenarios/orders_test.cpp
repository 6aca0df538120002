// Which of the runs that lead to a state comes first decides nothing: breadth first, depth first and over
// whole states a search counts the same, whatever the properties on request remember beside the world.
//
// If two states that are taken for one could go on differently, which of them stands for both would depend on
// the order, and so would the counts.
#include <gtest/gtest.h>

#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

struct OrdersWorld {
  const char* name;
  const char* text;
};

void PrintTo(const OrdersWorld& world, std::ostream* out) { *out << world.name; }

constexpr OrdersWorld ordered_worlds[] = {
    {"holder_that_is_done", R"(
[process.A]
threads = [["lock orders lease=2s", "work 1s", "unlock orders"]]
[process.B]
threads = [["lock orders", "unlock orders"]]
)"},
    {"two_alike_that_may_crash", R"(scripts = "redisson@3.44.0"
[time]
watchdog = "9s"
grain = "1s"
[redis]
persistence = "append-only"
[process.P]
count = 2
threads = [["lock orders async", "get", "work 10s", "unlock orders async", "get"]]
[faults]
crash-process = 1
)"},
    {"round_and_round", R"(
[process.A]
threads = [["lock orders", "unlock orders", "lock orders", "unlock orders"]]
[process.B]
threads = [["lock orders", "unlock orders"]]
)"},
    {"connection_may_break", R"(
[process.A]
threads = [["lock orders lease=2s", "work 1s", "unlock orders"]]
[process.B]
threads = [["lock orders", "unlock orders"]]
[faults]
break-connection = 1
)"},
    {"two_locks", R"(
[process.A]
threads = [["lock x lease=2s", "unlock x", "lock y lease=2s", "unlock y"]]
[process.B]
threads = [["lock y", "unlock y", "lock x", "unlock x"]]
)"},
    {"readers_and_writer", R"(
[process.A]
threads = [["lock read:orders", "unlock read:orders"]]
[process.B]
threads = [["lock write:orders", "unlock write:orders"]]
)"},
    {"red_lock_taken_twice", R"(
[process.A]
threads = [["lock red:a+b+c lease=2s", "work 1s", "trylock red:a+b+c wait=1s lease=2s", "work 1s",
            "unlock red:a+b+c", "unlock red:a+b+c"]]
[process.B]
threads = [["trylock red:a+b+c wait=1s lease=2s", "unlock red:a+b+c"]]
)"},
    {"not_reentrant", R"(scripts = "redisson@4.4.0"
[process.A]
threads = [["lock non-reentrant:orders lease=3s", "work 2s", "unlock non-reentrant:orders"]]
[process.B]
threads = [["trylock non-reentrant:orders", "work 2s", "unlock non-reentrant:orders"]]
)"}};

sim::Outcome<Checked> searched_in(const model::Setup& setup, sim::PropertyMask watched,
                                  sim::SearchOrder order, properties::Memories memory) {
  Checked system(setup, {.watched = watched});
  sim::SearchOptions<Checked> options;
  options.order = order;
  options.limits.states_max = 400'000;
  return properties::search(system, std::move(options), memory);
}

void expect_the_same_in_any_order(const model::Setup& setup, sim::PropertyMask watched) {
  using sim::SearchOrder;
  using properties::Memories;
  SCOPED_TRACE(names_of(watched));
  const auto broad = searched_in(setup, watched, SearchOrder::breadth_first, Memories::usual);
  ASSERT_TRUE(broad.complete());
  for (const auto& [order, memory] : {std::pair{SearchOrder::depth_first, Memories::usual},
                                      std::pair{SearchOrder::depth_first, Memories::none},
                                      std::pair{SearchOrder::breadth_first, Memories::none}}) {
    const auto other = searched_in(setup, watched, order, memory);
    EXPECT_TRUE(other.complete());
    EXPECT_EQ(other.states, broad.states);
    EXPECT_EQ(other.transitions, broad.transitions);
    EXPECT_EQ(names_of(other.violated), names_of(broad.violated));
    EXPECT_EQ(other.witnesses, broad.witnesses);
  }
}

class AnyOrder : public testing::TestWithParam<OrdersWorld> {};

TEST_P(AnyOrder, CountsTheSameWithPropertiesOnRequest) {
  model::Setup setup = setup_of(GetParam().text);
  setup.poll_bound = 20;
  sim::PropertyMask on_request = 0;
  for (const properties::PropertyInfo& one : properties::catalog) {
    if (!one.on_request) continue;
    on_request |= properties::bit(one.property);
    expect_the_same_in_any_order(setup, properties::bit(one.property));
  }
  expect_the_same_in_any_order(setup, on_request);
  expect_the_same_in_any_order(setup, on_request | properties::bit(Property::mutual_exclusion) |
                                          properties::bit(Property::granted_in_time));
}

INSTANTIATE_TEST_SUITE_P(Worlds, AnyOrder, testing::ValuesIn(ordered_worlds),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace lockstep::scenarios
