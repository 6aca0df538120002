// small_lap.h: a run that goes round for ever, and breaks a property by that, made small.
//
// It is the way to a lap and once around it (going_round.h). First the graph of what can be reached is asked
// for a lap, as far as that is small: one that is found there is on a shortest way, also if the graph goes on
// beyond. Of the run itself what led back to where it was is cut, on the way and around. Of what is left
// everything is tried to be left out: faults, stretches of moves, deviations; and the way is told with the
// fewest deviations (plainest.h). What is kept breaks the property by going round once, which is looked at
// anew each time.
#pragma once

#include "properties/check/small_run.h"

namespace lockstep::properties {

/// Of a property that asks for cycles. A Problem if the run does not break it.
sim::Result<SmallRun> small_lap(const Setup& setup, const Decisions& trail, Property property,
                                const HowSmall& how);

}  // namespace lockstep::properties
