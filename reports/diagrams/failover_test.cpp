// The failover grid: which epochs there are, and what stands in their cells.
#include "reports/diagrams/failover.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "reports/diagrams/failover_grid.h"
#include "reports/testing/real_trace.h"
#include "reports/text/wording.h"

namespace lockstep::reports {
namespace {

constexpr Window whole{{}, {}, 100'000};

/// R0 and R1 take turns, `promotions` times.
sim::Trace turns(int promotions) {
  sim::Trace trace;
  trace.actors = {{.id = "R0", .kind = "redis", .role = "master"},
                  {.id = "R1", .kind = "redis", .role = "replica"}};
  const auto add = [&trace](sim::TraceEvent event) {
    event.index = static_cast<std::int64_t>(trace.events.size());
    trace.events.push_back(std::move(event));
  };
  for (int i = 0; i < promotions; ++i) {
    const std::string from = i % 2 == 0 ? "R0" : "R1", to = i % 2 == 0 ? "R1" : "R0";
    add({.kind = TraceKind::crash, .who = from});
    add({.kind = TraceKind::promote, .who = to});
    add({.kind = TraceKind::restart, .who = from});
    add({.kind = TraceKind::demote, .who = from});
  }
  return trace;
}

TEST(FailoverGrid, AnEpochBeginsWhenANodeBecomesMaster) {
  const FailoverGrid grid = failover_grid(real_trace("failover"), whole, 9);
  ASSERT_EQ(grid.epochs.size(), 2u);
  EXPECT_EQ(grid.epochs[0].end, first(real_trace("failover"), TraceKind::promote, "R1"));
  EXPECT_EQ(grid.nodes, (std::vector<std::string>{"R0", "R1"}));
  EXPECT_EQ(grid.cells[0][0].first_role, "master");
  EXPECT_EQ(grid.cells[0][0].role, "down");
  EXPECT_EQ(grid.cells[1][1].first_role, "replica");
  EXPECT_EQ(grid.cells[1][1].role, "master");
}

TEST(FailoverGrid, ACellTellsTheKeysAsThisNodeStoresThem) {
  const FailoverGrid grid = failover_grid(real_trace("failover"), whole, 9);
  EXPECT_EQ(grid.cells[0][0].stored, (std::vector<StoredKey>{{"orders {A1: 1} until 30 s", false}}));
  EXPECT_EQ(grid.cells[0][1].stored, (std::vector<StoredKey>{{"orders: nothing", true}}));
  EXPECT_EQ(grid.cells[1][1].stored, (std::vector<StoredKey>{{"orders {B1: 1} until 33 s", false}}));
  EXPECT_TRUE(grid.cells[1][0].stored.empty()) << "who is down answers nothing";
}

TEST(FailoverGrid, WritesThatNeverReachedAReplicaAreToldApart) {
  const FailoverGrid grid = failover_grid(real_trace("failover"), whole, 9);
  ASSERT_EQ(grid.copying[0].size(), 1u);
  EXPECT_EQ(grid.copying[0][0].to, "R1");
  EXPECT_EQ(grid.copying[0][0].lost.size(), 1u);
  EXPECT_TRUE(grid.copying[0][0].applied.empty());
  EXPECT_TRUE(grid.copying[1].empty());
}

TEST(FailoverGrid, ARunWithoutFailoverIsOneEpoch) {
  const FailoverGrid grid = failover_grid(real_trace("pause"), whole, 9);
  ASSERT_EQ(grid.epochs.size(), 1u);
  EXPECT_EQ(grid.cells[0][0].first_role, "master");
}

TEST(FailoverGrid, PromotionsOfOneMomentBeginOneEpoch) {
  sim::Trace trace = turns(1);
  trace.events.insert(trace.events.begin() + 2, {.kind = TraceKind::promote, .who = "R0"});
  EXPECT_EQ(failover_grid(trace, whole, 9).epochs.size(), 2u);
}

TEST(FailoverGrid, BeyondTheLimitTheEpochsUpToTheViolationAreKept) {
  sim::Trace trace = turns(40);
  FailoverGrid grid = failover_grid(trace, whole, 5);
  ASSERT_EQ(grid.epochs.size(), 5u);
  EXPECT_EQ(grid.earlier, 36u);
  EXPECT_EQ(grid.epochs.back().number, 41u);
  trace.events[42].kind = TraceKind::prop;
  grid = failover_grid(trace, whole, 5);
  ASSERT_EQ(grid.epochs.size(), 5u);
  EXPECT_LE(grid.epochs.back().begin, 42u);
  EXPECT_GT(grid.epochs.back().end, 42u);
  EXPECT_EQ(grid.earlier + grid.later + 5, 41u);
  const std::string dot = to_dot(failover_diagram(trace, {.epochs_max = 5}));
  EXPECT_NE(dot.find(fmt::format("… {} earlier epochs", grid.earlier)), std::string::npos);
  EXPECT_NE(dot.find(fmt::format("… {} later epochs", grid.later)), std::string::npos);
}

TEST(FailoverGrid, AWindowKeepsTheEpochsThatItTouches) {
  const FailoverGrid grid = failover_grid(turns(10), {9, 14, 0}, 20);
  ASSERT_FALSE(grid.epochs.empty());
  EXPECT_LE(grid.epochs.front().begin, 9u);
  EXPECT_GT(grid.epochs.front().end, 9u);
  EXPECT_LE(grid.epochs.back().begin, 14u);
  EXPECT_GT(grid.epochs.back().end, 14u);
}

TEST(FailoverDiagram, ShowsWhoIsInChargeWhatIsStoredAndWhoBelieves) {
  const std::string dot = to_dot(failover_diagram(real_trace("failover")));
  for (const char* part : {"epoch 1 · 0 s … 0 s", "epoch 2 · 0 s … the end", "master → down",
                           "replica → master", "promoted", "orders {A1: 1} until 30 s", "orders: nothing",
                           "band mistaken", "✗ mutual-exclusion", "effects lost", "B1 holds"})
    EXPECT_NE(dot.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace lockstep::reports
