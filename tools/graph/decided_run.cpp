#include "tools/graph/decided_run.h"

#include <fmt/format.h>

#include "properties/check/checked.h"
#include "sim/run/replay.h"

namespace lockstep::tools {

sim::Result<std::vector<Decided>> decided_run(const model::Setup& setup, const sim::Trail& trail) {
  constexpr std::size_t decisions_max = 100'000;
  std::vector<Decided> run;
  properties::Checked system(setup);
  const auto plan = sim::plan_of(system, trail);
  if (!plan) return plan.problem();
  sim::Replay<properties::Checked> policy(*plan);
  properties::Checked::State state = system.initial();
  while (run.size() < decisions_max) {
    Decided one;
    system.enabled(state, one.moves);
    if (one.moves.empty()) policy.at_rest(system);
    if (one.moves.empty()) break;
    const auto picked = policy.pick(system, state, one.moves);
    if (!picked) break;
    one.index = *picked;
    one.taken = policy.taken(one.moves[*picked]);
    system.apply(state, one.taken);
    run.push_back(std::move(one));
  }
  if (policy.divergence())
    return sim::Problem{fmt::format("the run leaves the trail: {}", sim::text_of(*policy.divergence()))};
  return run;
}

}  // namespace lockstep::tools
