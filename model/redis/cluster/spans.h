// spans.h: how long what nodes of a cluster do together takes, from what the periods and the chances of bus.h
// come to; spans_test.cpp drives the machine and compares. A world of a scenario has these spans instead of
// the machine (model/world/watch.h).
#pragma once

#include "sim/base/time.h"

namespace lockstep::redis::cluster {

struct Span {
  sim::Duration lo{}, hi{};
  bool contains(sim::Duration time) const { return lo <= time && time <= hi; }
};

struct Spans {
  Span election;     // from node_timeout after a master was lost until a replica is the master
  Span conversion;   // from the return of an old master until it is a replica
  Span closing;      // from node_timeout after a master lost the majority until it takes no more writes
  sim::Duration again{};  // until the next election, if one was in vain
};

/// A node is pinged at the latest when its last answer is half of node_timeout old. A replica waits half a
/// second and up to another, and one second if others have more data.
inline Spans spans_of(sim::Duration node_timeout) {
  using sim::Duration;
  const Duration noticed = node_timeout / 2 + Duration{500};
  return {.election = {Duration{500}, noticed + Duration{4'000}},
          .conversion = {Duration{0}, node_timeout / 2 + Duration{4'000}},
          .closing = {Duration{0}, noticed},
          .again = 4 * (node_timeout < Duration{1'000} ? Duration{1'000} : node_timeout)};
}

}  // namespace lockstep::redis::cluster
