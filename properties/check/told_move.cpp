#include "properties/check/told_move.h"

#include "properties/monitors/all_properties.h"
#include "sim/base/digest.h"

namespace lockstep::properties {

sim::WitnessMask tell_move(Checked& system, Checked::State& state, const TakenMove& what,
                           model::Tracer& tracer, TruthLog& truths, StateDigest digest) {
  const std::size_t first = tracer.events().size(), reasons = system.reasons().size();
  system.tell(&tracer);
  tracer.begin_decision(state.world.now, what.index, what.possible);
  const sim::WitnessMask witnesses = system.apply(state, what.move);
  truths.look(state.world, system.setup(), first, tracer);
  tracer.end_decision(digest == StateDigest::written ? sim::hex(system.digest(state)).substr(0, 16) : "");
  system.tell(nullptr);
  for (std::size_t i = reasons; i < system.reasons().size(); ++i) {
    const auto& [property, why] = system.reasons()[i];
    tracer.violated(name_of(property, system.setup()), why);
  }
  return witnesses;
}

}  // namespace lockstep::properties
