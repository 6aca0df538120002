#include "properties/check/plainest.h"

#include <optional>
#include <utility>
#include <vector>

#include "properties/check/walked_graph.h"
#include "properties/monitors/all_properties.h"
#include "sim/run/fewest_deviations.h"
#include "sim/run/shrink.h"

namespace lockstep::properties {

namespace {

/// Nothing if the run is none of this system.
template <class S>
std::optional<typename S::State> end_of(S& system, const Decisions& trail) {
  auto state = system.initial();
  std::vector<model::Move> moves;
  for (const auto& decision : trail) {
    system.enabled(state, moves);
    if (decision.index >= moves.size() || moves[decision.index] != sim::as_listed(decision.move))
      return std::nullopt;
    sim::detail::apply(system, state, decision);
  }
  return state;
}

template <class S, class KeyOf>
std::optional<Decisions> found_over(S& system, KeyOf key_of, const Decisions& trail, Property property,
                                    const HowPlain& how) {
  const auto end = end_of(system, trail);
  if (!end) return std::nullopt;
  const auto last = key_of(system, *end);
  sim::FewestDeviations search(system, key_of,
                               {.length_max = trail.size(),
                                .faults_max = sim::cost_of(trail).faults,
                                .states_max = how.states_max,
                                .stop = how.stop});
  return search.to([&](const typename S::State& state) {
    return how.end == SameEnd::state ? key_of(system, state) == last
                                     : (system.violated(state) & bit(property)) != 0;
  });
}

std::optional<Decisions> found(const Setup& setup, const Decisions& trail, Property property,
                               const HowPlain& how) {
  const Checked::Options watching{.watched = bit(property), .watch_instants = false};
  if (WalkedGraph::fits(setup)) {
    constexpr std::size_t any = ~std::size_t{0};  // what would be forgotten is still needed
    Checked behind(setup, watching);
    WalkedGraph graph(behind, {.nodes_max = any, .contents_max = any});
    const auto node_of = [](const WalkedGraph&, const WalkedGraph::State& state) { return state.node; };
    auto run = found_over(graph, node_of, trail, property, how);
    if (!graph.is_misled()) return run;
  }
  Checked system(setup, watching);
  const auto digest_of = [](const Checked& its, const Checked::State& state) {
    return its.digest(its.normal(state));
  };
  return found_over(system, digest_of, trail, property, how);
}

}  // namespace

Decisions plainest(const Setup& setup, const Decisions& trail, Property property, const HowPlain& how) {
  const std::size_t deviations = sim::cost_of(trail).deviations;
  if (deviations == sim::cost_of(trail).faults || setup.exact) return trail;
  auto fewest = found(setup, trail, property, how);
  if (!fewest || sim::cost_of(*fewest).deviations >= deviations) return trail;
  return *std::move(fewest);
}

}  // namespace lockstep::properties
