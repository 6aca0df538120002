// publishing.h: who can make a server publish something before time passes, and what a request published.
#pragma once

#include <cstdint>
#include <vector>

#include "model/world/world.h"

namespace lockstep::model {

/// Whether a process, or what is under way from it, may do so by any moves that take no time. It may say so
/// of one that cannot, never the other way round.
bool may_publish_now(const World& world, const Setup& setup, ProcessId p);

/// How many messages one listener is sent on one channel, of all of these the most. What a server tells of
/// its keys (notify-keyspace-events) is none.
std::uint16_t told_most(const std::vector<Push>& pushes);

}  // namespace lockstep::model
