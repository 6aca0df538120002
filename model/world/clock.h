// clock.h: the wall clock of a node beside true time: an offset, and a rate.
//
// A clock that is `ppm` millionths fast gains so many nanoseconds in each millisecond. Model time is whole
// milliseconds, so what a clock has gained of the next one is kept beside its offset. Keys age by their
// node's clock; timers, messages and processes by true time.
#pragma once

#include "model/world/world.h"

namespace lockstep::model {

/// How far the node's wall clock moves while true time passes so far; the offset follows.
Duration pass_wall_clock(World& world, NodeId node, Duration passed, const Setup& setup);

/// The true time after which the node's wall clock will have moved so far; `never` stays never.
Duration true_time_until(const World& world, NodeId node, Duration wall, const Setup& setup);

}  // namespace lockstep::model
