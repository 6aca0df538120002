// intervals.h: which moves may be made now or later, and how much later.
#pragma once

#include "model/world/move.h"
#include "model/world/world.h"

namespace lockstep::model {

/// A move names a timer of a library by one number: those of the second client begin at 1000, and so on.
std::uint16_t number_of(LibraryTimer timer);
LibraryTimer timer_of(std::uint16_t number);

/// How much longer this move, which is enabled, may wait; nothing if it need not be made in an interval.
std::optional<Duration> slack(const World& world, const Setup& setup, const Move& move);

}  // namespace lockstep::model
