// settings.h: what an operator sets for a Sentinel, with Redis's defaults, and the periods that are built in.
//
// Sources: Redis 7.0.15 sentinel.c (the constants at its beginning), sentinel.conf.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "sim/base/time.h"

namespace lockstep::redis::sentinel {

using sim::Duration;

/// One monitored master: SENTINEL MONITOR and SENTINEL SET.
struct Watch {
  std::size_t quorum = 2;               // how many Sentinels must agree that the master is down
  Duration down_after{30'000};          // down-after-milliseconds
  Duration failover_timeout{180'000};   // no new attempt for twice as long
  std::size_t parallel_syncs = 1;       // replicas that are reconfigured at a time
};

struct Settings {
  std::map<std::string, Watch> masters;  // by name

  // Not for operators.
  Duration ping_period{1'000};
  Duration info_period{10'000};
  Duration fast_info_period{1'000};      // of replicas while their master is down or fails over
  Duration hello_period{2'000};
  Duration ask_period{1'000};            // is-master-down-by-addr
  Duration answer_validity{5'000};       // how long another Sentinel's answer to that counts
  Duration reconnect_after{15'000};      // a link that is silent is renewed when it is at least this old
  Duration reconfiguration_timeout{10'000};
  Duration election_timeout{10'000};     // or failover_timeout, if that is less
  Duration tilt_trigger{2'000};          // a longer time between two ticks is not trusted
  Duration tilt_period{30'000};
};

}  // namespace lockstep::redis::sentinel
