// forgetting.h: what of the monitors' memory, and of what only they read, decides nothing any more.
//
// The part of a state's normal form (model/world/identity.h) for which one must know what is still judged.
#pragma once

#include "model/world/world.h"
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

/// Drops beliefs of depth zero that will be overwritten before they are read.
void forget_unread_beliefs(Monitors& monitors, const model::World& world, const Setup& setup);

/// Stops all lease clocks once nobody is left to read them: `decided` are the properties that are broken or
/// not asked.
bool leases_are_decided(sim::PropertyMask decided);
void forget_leases(Monitors& monitors);
void forget_leases(model::World& world, model::ProcessId p);  // in its requests under way

}  // namespace lockstep::properties
