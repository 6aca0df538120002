// stages.cpp: the stages of the machines that come with the program, one row each.
#include "model/client/stages.h"

namespace lockstep::redisson {

extern const model::Stages waiting_stages, listening_stages, spinning_stages, gathering_stages;

}  // namespace lockstep::redisson

namespace lockstep::model {

extern const Stages one_request_stages;

const Stages* stages_of(const Call& call) {
  for (const Stages* stages : {&one_request_stages, &redisson::waiting_stages, &redisson::listening_stages,
                               &redisson::spinning_stages, &redisson::gathering_stages})
    if (stages->kind == call.state.kind()) return stages;
  return nullptr;
}

}  // namespace lockstep::model
