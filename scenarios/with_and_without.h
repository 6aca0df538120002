// with_and_without.h: the same world by whole search and by partial-order reduction, for tests.
//
// Alike are what is violated, the witnesses, zeno cycles and dead ends, and the states in which time passes
// or nothing happens any more.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "properties/check/reduced.h"
#include "scenarios/exploring.h"
#include "sim/run/replay.h"
#include "sim/search/reduction.h"

namespace lockstep::scenarios {

inline bool can_be_reduced(const model::Setup& setup) {
  return !properties::not_reduced(setup, properties::watched_in(setup, properties::all_usual));
}

inline void expect_same_findings(const sim::Outcome<Checked>& reduced, const sim::Outcome<Checked>& whole) {
  EXPECT_EQ(names_of(reduced.violated), names_of(whole.violated));
  EXPECT_EQ(reduced.witnesses, whole.witnesses);
  EXPECT_EQ(reduced.zeno.has_value(), whole.zeno.has_value());
  EXPECT_EQ(reduced.dead_end.has_value(), whole.dead_end.has_value());
  EXPECT_EQ(reduced.at_rest, whole.at_rest);
  EXPECT_LE(reduced.states, whole.states);
}

/// Its trails have every decision, and lead there without any reduction.
inline void expect_trails_to_lead_there(const model::Setup& setup, const sim::Outcome<Checked>& reduced) {
  Checked system(setup);
  for (const auto& broken : reduced.violations) {
    const auto again = sim::replay(system, sim::plan_of<model::Move>(broken.trail));
    EXPECT_FALSE(again.divergence);
    EXPECT_NE(again.run.violated & (sim::PropertyMask{1} << broken.property), 0U);
  }
}

/// The states that a search over `searched` meets in which time may pass, or nothing may happen.
template <class S>
std::set<sim::Digest> quiet_states(S& searched, Checked& system) {
  std::set<sim::Digest> quiet;
  std::vector<model::Move> moves;
  sim::SearchOptions<S> options;
  options.symmetry = false;
  options.on_edge = [&](const sim::Edge<S>& edge) {
    system.enabled(edge.state, moves);
    const bool waits = std::any_of(moves.begin(), moves.end(), [](const auto& m) { return m.passes_time(); });
    if (waits || moves.empty()) quiet.insert(system.digest(system.normal(edge.state)));
  };
  EXPECT_TRUE(sim::explore(searched, std::move(options)).complete());
  return quiet;
}

/// Whether the world is small enough, and was reduced.
inline bool agrees_with_and_without(const model::Setup& setup, Searching how) {
  if (!can_be_reduced(setup)) return false;
  const auto whole = search(setup, how);
  if (!whole.complete()) return false;
  how.reduce = true;
  const auto reduced = search(setup, how);
  expect_same_findings(reduced, whole);
  expect_trails_to_lead_there(setup, reduced);
  return reduced.states < whole.states;
}

inline bool meets_the_same_quiet_states(const model::Setup& setup, std::uint64_t states_max) {
  if (!can_be_reduced(setup) || !search(setup, {.symmetry = false, .states_max = states_max}).complete())
    return false;
  Checked system(setup);
  sim::Reduced<Checked> reduced(system);
  const std::set<sim::Digest> all = quiet_states(system, system);
  EXPECT_EQ(quiet_states(reduced, system), all);
  return !all.empty();
}

}  // namespace lockstep::scenarios
