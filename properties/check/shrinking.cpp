#include "properties/check/shrinking.h"

#include <fmt/format.h>

#include "properties/check/small_run.h"
#include "properties/monitors/all_properties.h"
#include "sim/run/replay.h"
#include "sim/run/shrink.h"

namespace lockstep::properties {

namespace {

using Decided = std::vector<sim::Decision<model::Move>>;

}  // namespace

std::uint64_t measure_of(const Decided& run, ShrinkBy by) {
  switch (by) {
    case ShrinkBy::faults:
      return sim::cost_of(run).faults;
    case ShrinkBy::steps:
      return run.size();
    case ShrinkBy::time: {
      std::int64_t passed = 0;
      for (const auto& decision : run)
        if (decision.move.passes_time()) passed += decision.move.by;
      return static_cast<std::uint64_t>(passed);
    }
  }
  return 0;
}

sim::Result<ShrunkTrail> shrink_trail_by(const Setup& setup, const sim::Trail& trail, ShrinkBy by,
                                         std::uint64_t runs_max) {
  const auto property = find_property(trail.property, setup);
  if (!property)
    return sim::Problem{fmt::format(
        "the trail names no property that one can make it smaller for (`property = {}`)", trail.property)};
  Checked system(setup);
  const auto plan = sim::plan_of(system, trail);
  if (!plan) return plan.problem();
  const auto replayed = sim::replay(system, *plan);
  if (replayed.divergence) return sim::Problem{sim::text_of(*replayed.divergence)};
  HowSmall how{.runs_max = runs_max};
  if (by != ShrinkBy::faults) how.measure = [by](const Decided& run) { return measure_of(run, by); };
  const auto shrunk = small_run(system, replayed.run.trail, *property, how);
  if (!shrunk) return shrunk.problem();
  ShrunkTrail result{trail, trail, shrunk->runs_used, shrunk->minimal};
  sim::record_all<Checked>(system, shrunk->trail, result.full);
  sim::record_deviations<Checked>(system, shrunk->trail, result.deviations);
  return result;
}

sim::Result<ShrunkTrail> shrink_trail(const Setup& setup, const sim::Trail& trail, std::uint64_t runs_max) {
  return shrink_trail_by(setup, trail, ShrinkBy::faults, runs_max);
}

}  // namespace lockstep::properties
