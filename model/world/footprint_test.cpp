// The footprints of verbs say no less than what moves touch, and moves that they call independent commute:
// held on random runs of worlds in which everything can happen. Without reductions: these offer a move where
// something anywhere is about to happen, which is no part of its footprint.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/world/test_setup.h"
#include "sim/base/random.h"
#include "sim/testing/sanitizers.h"

namespace lockstep::model {
namespace {

using namespace std::chrono_literals;

Setup everything_may_fail(Setup setup) {
  for (std::size_t f = 0; f < fault_count(setup); ++f) setup.faults.set(sim::make_id<FaultId>(f), 2);
  setup.limits.clock_jumps = {Duration{-500}, Duration{2'000}};
  setup.limits.pause_max = setup.limits.cut_max = setup.limits.lag_max = 3s;
  setup.limits.stall_max = setup.limits.node_pause_max = setup.limits.replica_cut_max = 2s;
  setup.limits.connection_timeout = 1s;
  setup.limits.learn = {0s, 2s};
  setup.persistence = redis::Persistence::append_only;
  setup.signals = {"open"};
  setup.fixed = {{.fault = *find_fault("pause-process", setup), .target = 1, .at = 2s},
                 {.fault = *find_fault("crash-node", setup), .aim = Aim::node, .target = 0, .at = 3s},
                 {.fault = *find_fault("cut-link", setup), .aim = Aim::link, .target = 0, .at = 1s},
                 {.fault = *find_fault("stall-thread", setup), .aim = Aim::thread, .target = 1, .at = 500ms}};
  return setup;
}

std::vector<Setup> worlds() {
  const Step raises{.kind = StepKind::signal}, awaits{.kind = StepKind::await};
  const Programs holder{{lock(), work(1s), raises, unlock()}, {try_lock({.wait = 5s}), unlock()}};
  const Programs waiter{{lock({.lease = 4s}), work(1s, 2s), unlock()}, {awaits, lock({.object = 2})}};
  const Programs crasher{{lock(), {.kind = StepKind::crash}}};
  Setup slow = setup_for({holder, waiter});
  slow.network = {.kind = NetworkKind::interval, .delay = {1ms, 400ms}};
  Setup scattered = replicated(setup_for({holder, waiter}));
  scattered.nodes.push_back({.name = "R2", .group = GroupId{1}});
  scattered.objects[2].group = GroupId{1};
  return {everything_may_fail(setup_for({holder, waiter, crasher})),
          everything_may_fail(replicated(replicated(setup_for({holder, waiter})))),
          everything_may_fail(replicated(slow)), everything_may_fail(*complete(scattered))};
}

World after(const World& world, const Move& move, const Setup& setup, lua::Engine& engine) {
  World next = world;
  StepReport report{.setup = setup, .engine = engine, .tracer = nullptr, .seen = {}};
  apply(next, move, report);
  return next;
}

/// Calls `visit(world, moves)` along random runs.
template <class Visit>
void each_world_of_runs(const Setup& setup, std::uint64_t runs, lua::Engine& engine, Visit visit) {
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    sim::Random random(seed);
    World world = initial_world(setup);
    std::vector<Move> moves;
    for (int step = 0; step < 120; ++step) {
      enabled(world, setup, moves);
      if (moves.empty()) break;
      visit(world, moves);
      // Faults are rarer than what goes on by itself, so that runs get somewhere.
      std::size_t index = random.below(moves.size());
      if (moves[index].is_fault() && random.below(4) != 0) index = random.below(moves.size()) / 3;
      world = after(world, moves[index], setup, engine);
    }
  }
}

TEST(Footprints, NameEverythingThatAMoveChanges) {
  lua::Engine engine;
  for (const model::Setup& setup : worlds())
    each_world_of_runs(setup, 20, engine, [&](const World& world, const std::vector<Move>& moves) {
      for (const Move& move : moves) {
        const Footprint print = footprint(move, setup);
        if (print.everything) continue;
        for (const Component& changed : differences(world, after(world, move, setup, engine), setup))
          EXPECT_TRUE(std::binary_search(print.writes.begin(), print.writes.end(), changed))
              << show(move, setup) << " changes part " << static_cast<int>(changed.part) << " " << changed.a
              << " " << changed.b;
      }
    });
}

TEST(Footprints, OfTwoMovesThatAreIndependentMeanThatTheyCommute) {
  constexpr std::size_t looked_at_every = sim::testing::address_sanitizer ? 8 : 1;
  lua::Engine engine;
  std::size_t pairs = 0;
  for (const model::Setup& setup : worlds())
    each_world_of_runs(setup, 6, engine, [&](const World& world, const std::vector<Move>& moves) {
      for (std::size_t i = 0; i < moves.size(); ++i)
        for (std::size_t j = i + 1; j < moves.size(); ++j) {
          const Move &one = moves[i], &other = moves[j];
          if (!independent(footprint(one, setup), footprint(other, setup))) continue;
          if (pairs++ % looked_at_every != 0) continue;
          const World first = after(world, one, setup, engine), second = after(world, other, setup, engine);
          std::vector<Move> left;
          enabled(first, setup, left);
          ASSERT_EQ(std::count(left.begin(), left.end(), other), 1)
              << show(one, setup) << " takes away " << show(other, setup);
          enabled(second, setup, left);
          ASSERT_EQ(std::count(left.begin(), left.end(), one), 1)
              << show(other, setup) << " takes away " << show(one, setup);
          EXPECT_EQ(after(first, other, setup, engine), after(second, one, setup, engine))
              << show(one, setup) << " and " << show(other, setup);
        }
    });
  EXPECT_GT(pairs, 10'000U);
}

TEST(Footprints, OfDifferentProcessesAndNodesAreIndependentUnlessTheyMeet) {
  const model::Setup setup = worlds()[3];
  const auto print = [&](Verb verb, Subject on) { return footprint({verb, on}, setup); };
  const Footprint run_a = print({Act::run, {}}, ThreadId{0}), run_b = print({Act::run, {}}, ThreadId{2});
  EXPECT_TRUE(independent(run_a, run_b));
  EXPECT_FALSE(independent(run_a, print({Act::run, {}}, ThreadId{1}))) << "they share a process";
  const auto request = [&](std::uint16_t p, std::uint16_t n) {
    return print({Act::deliver, {}}, Carried{{ProcessId{p}, NodeId{n}}, Lane::request});
  };
  EXPECT_TRUE(independent(request(0, 0), request(1, 2))) << "two groups";
  EXPECT_FALSE(independent(request(0, 0), request(1, 0)));
  EXPECT_FALSE(independent(run_a, print({Act::pass, {}}, std::monostate{})));
}

}  // namespace
}  // namespace lockstep::model
