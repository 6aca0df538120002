// plainer_stories.h: whether a story has decisions that are not needed, for tests of shrinking.
//
// It looks close by: with one decision left out, the others at their steps; and with one taken at another
// step, where those in between are left out.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "properties/check/broken_run.h"
#include "properties/check/walked_graph.h"
#include "properties/monitors/all_properties.h"
#include "scenarios/exploring.h"
#include "sim/run/lenient.h"
#include "sim/run/shrink.h"

namespace lockstep::scenarios {

template <class S>
class PlainerStories {
 public:
  PlainerStories(S& system, Property property, const properties::Decisions& told)
      : system_(system),
        goal_(properties::bit(property)),
        cost_(sim::cost_of(told)),
        deviations_(sim::deviations_of<model::Move>(told).moves) {}

  /// A run that breaks the property with no more faults and moves, and with fewer deviations.
  std::optional<properties::Decisions> found() {
    for (std::size_t i = 0; i < deviations_.size(); ++i) {
      auto fewer = deviations_;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (auto plainer = by(std::move(fewer))) return plainer;
      for (std::size_t step = 1; step <= cost_.length; ++step)
        if (auto plainer = by(moved(i, step))) return plainer;
    }
    return std::nullopt;
  }

 private:
  using Plan = std::vector<sim::PlannedMove<model::Move>>;

  /// As it was where that crosses no other.
  Plan moved(std::size_t which, std::size_t step) const {
    const auto [first, last] = std::minmax(step, deviations_[which].step);
    Plan plan;
    for (std::size_t i = 0; i < deviations_.size(); ++i)
      if (i != which && (deviations_[i].step < first || deviations_[i].step > last))
        plan.push_back(deviations_[i]);
    auto one = deviations_[which];
    one.step = step;
    plan.push_back(one);
    std::sort(plan.begin(), plan.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
    return plan;
  }

  std::optional<properties::Decisions> by(Plan plan) {
    if (plan.size() >= deviations_.size()) return std::nullopt;
    sim::Anchored<S> policy(std::move(plan));
    const auto run =
        sim::run(system_, system_.initial(), policy, {.steps_max = cost_.length, .stop_at = goal_});
    const sim::RunCost cost = sim::cost_of(run.trail);
    const bool is_plainer = (run.violated & goal_) != 0 && cost.faults <= cost_.faults &&
                            cost.deviations < cost_.deviations;
    return is_plainer ? std::optional(run.trail) : std::nullopt;
  }

  S& system_;
  sim::PropertyMask goal_;
  sim::RunCost cost_;
  Plan deviations_;
};

inline std::optional<properties::Decisions> plainer_than(const model::Setup& setup, Property property,
                                                         const properties::Decisions& told) {
  Checked system(setup, {.watched = properties::bit(property), .watch_instants = false});
  if (!properties::WalkedGraph::fits(setup)) return PlainerStories(system, property, told).found();
  properties::WalkedGraph graph(system, {});
  return PlainerStories(graph, property, told).found();
}

}  // namespace lockstep::scenarios
