#include "properties/check/plainest.h"

#include <optional>
#include <utility>

#include "properties/check/walked_graph.h"
#include "properties/monitors/all_properties.h"
#include "sim/run/fewest_deviations.h"
#include "sim/run/shrink.h"

namespace lockstep::properties {

namespace {

sim::FewestLimits limits_for(const Decisions& trail, const HowPlain& how) {
  return {.length_max = trail.size(),
          .faults_max = sim::cost_of(trail).faults,
          .states_max = how.states_max,
          .stop = how.stop};
}

template <class S>
typename S::State end_of(S& system, const Decisions& trail) {
  auto state = system.initial();
  for (const auto& decision : trail) sim::detail::apply(system, state, decision);
  return state;
}

/// Steps are taken once each.
std::optional<Decisions> over_graph(WalkedGraph& graph, const Decisions& trail, Property property,
                                    const HowPlain& how) {
  using State = WalkedGraph::State;
  auto limits = limits_for(trail, how);
  limits.stop = [&] { return graph.has_forgotten() || (how.stop && how.stop()); };
  sim::FewestDeviations search(
      graph, [](const WalkedGraph&, const State& state) { return state.node; }, std::move(limits));
  const std::uint32_t last = end_of(graph, trail).node;
  auto found = search.to([&](const State& state) {
    return how.end == SameEnd::state ? state.node == last : (graph.violated(state) & bit(property)) != 0;
  });
  if (graph.has_forgotten() || graph.is_misled()) return std::nullopt;
  return found;
}

std::optional<Decisions> over_states(Checked& system, const Decisions& trail, Property property,
                                     const HowPlain& how) {
  using State = Checked::State;
  const auto key_of = [](const Checked& its, const State& state) { return its.digest(its.normal(state)); };
  const sim::Digest last = key_of(system, end_of(system, trail));
  sim::FewestDeviations search(system, key_of, limits_for(trail, how));
  return search.to([&](const State& state) {
    return how.end == SameEnd::state ? key_of(system, state) == last
                                     : (system.violated(state) & bit(property)) != 0;
  });
}

}  // namespace

Decisions plainest(const Checked& system, const Decisions& trail, Property property, const HowPlain& how) {
  const std::size_t deviations = sim::cost_of(trail).deviations;
  if (deviations == sim::cost_of(trail).faults || system.setup().exact) return trail;
  Checked aside(system.setup(), {.watched = bit(property), .watch_instants = false});
  std::optional<Decisions> found;
  if (WalkedGraph::fits(system.setup())) {
    WalkedGraph graph(aside, {});
    found = over_graph(graph, trail, property, how);
  } else {
    found = over_states(aside, trail, property, how);
  }
  if (!found || sim::cost_of(*found).deviations >= deviations) return trail;
  return *std::move(found);
}

}  // namespace lockstep::properties
