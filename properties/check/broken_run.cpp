#include "properties/check/broken_run.h"

#include "model/client/lock_kind.h"
#include "properties/monitors/all_properties.h"
#include "sim/run/replay.h"
#include "sim/run/shrink.h"

namespace lockstep::properties {

Decisions played_on(Checked& system, Decisions trail) {
  Checked::State state = system.initial();
  for (const auto& decision : trail) system.apply(state, decision.move);
  sim::DefaultSchedule<Checked> policy;
  const auto on = sim::run(system, std::move(state), policy, {.stop_at = 0, .unwatched = 0});
  trail.insert(trail.end(), on.trail.begin(), on.trail.end());
  return trail;
}

Decisions shrunk(Checked& system, const CheckOptions& options, Property property, const Decisions& trail) {
  const auto result =
      sim::shrink(system, trail, bit(property), {.stop = options.outside.interrupted}, options.shrink_runs);
  return result ? result->run.trail : trail;
}

RecordedRun recorded(const Checked& system, const Setup& setup, const MadeMoves& made, Property property,
                     const Decisions& decisions) {
  RecordedRun run;
  run.trail = trail_header(setup, std::string(name_of(property, setup)), "violated");
  run.deviations = run.trail;
  Decisions whole = made;
  whole.insert(whole.end(), decisions.begin(), decisions.end());
  sim::record_all<Checked>(system, whole, run.trail);
  sim::record_deviations<Checked>(system, whole, run.deviations);
  return run;
}

std::set<std::string> roles_sent(const Checked& system, const Setup& setup) {
  std::set<std::string> roles;
  for (std::size_t kind = 0; kind < setup.kinds.size(); ++kind)
    for (std::size_t role = 0; role < setup.kinds[kind]->roles.size(); ++role) {
      if ((system.sent()[kind] >> role & 1) == 0) continue;
      for (const lua::ScriptSet* set : setup.script_sets())
        if (const lua::Script* script = model::script_for(setup.kinds[kind]->roles[role], *set))
          roles.insert(script->role);
    }
  return roles;
}

}  // namespace lockstep::properties
