// spans.h: how long what Sentinels do together takes, from what the periods and the chances of sentinel.h
// come to; spans_test.cpp drives the machine and compares. A world of a scenario has these spans instead of
// the machine (model/world/watch.h).
#pragma once

#include "sim/base/time.h"

namespace lockstep::redis::sentinel {

struct Span {
  sim::Duration lo{}, hi{};
  bool contains(sim::Duration time) const { return lo <= time && time <= hi; }
};

/// From the moment at which a master has not answered for down-after until a replica is the master. Its last
/// PING may have been sent a second later; then Sentinels ask each other, vote, and select.
inline constexpr Span election{sim::Duration{0}, sim::Duration{2'000}};
/// Until a Sentinel says so: INFO is asked for each second, and a second replica may have to synchronise.
inline constexpr Span news{sim::Duration{0}, sim::Duration{3'000}};
/// From the moment at which an old master is reached again until it is made a replica: it has to claim to be
/// a master for four periods of hello messages, and INFO is asked for every ten seconds.
inline constexpr Span conversion{sim::Duration{8'000}, sim::Duration{12'000}};

}  // namespace lockstep::redis::sentinel
