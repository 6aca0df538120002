#include "properties/check/narrowed.h"

#include <algorithm>
#include <vector>

#include "properties/monitors/monitors.h"
#include "sim/run/plan.h"

namespace lockstep::properties {

Setup narrowed(const Setup& setup, const model::FaultBudget& most) {
  Setup inner = setup;
  for (std::size_t f = 0; f < setup.faults.counts.size(); ++f) {
    const auto fault = sim::make_id<model::FaultId>(f);
    inner.faults.set(fault, std::min(setup.faults[fault], most[fault]));
  }
  Duration bound{};
  for (std::uint16_t object = 0; object < setup.objects.size(); ++object)
    if (setup.kinds[setup.objects[object].kind]->is_lock())
      bound = std::max(bound, grant_bound(setup, object));
  inner.grant_bound = bound;  // faults have a say in it
  return inner;
}

std::optional<Decisions> as_run_of(const Setup& setup, sim::PropertyMask watched, const sim::Trail& trail) {
  Checked system(setup, {.watched = watched, .watch_instants = false});
  const auto plan = sim::plan_of(system, trail);
  if (!plan) return std::nullopt;
  Checked::State state = system.initial();
  std::vector<Checked::Move> moves;
  Decisions decisions;
  for (const auto& planned : plan->moves) {
    system.enabled(state, moves);
    const auto at = std::find(moves.begin(), moves.end(), planned.move);
    if (at == moves.end()) return std::nullopt;
    decisions.push_back(sim::detail::decision(moves, static_cast<std::size_t>(at - moves.begin())));
    system.apply(state, planned.move);
  }
  return decisions;
}

}  // namespace lockstep::properties
