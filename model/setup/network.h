// network.h: how long messages take (`lockstep help time-and-network`).
#pragma once

#include <cstdint>

#include "model/setup/program.h"

namespace lockstep::model {

enum class NetworkKind : std::uint8_t { no_delay, interval, any };
struct Network {
  NetworkKind kind = NetworkKind::no_delay;
  Interval delay;              // of kind interval
  std::uint16_t held_max = 0;  // of kind any: how many messages may be late at once
  bool operator==(const Network&) const = default;
};

}  // namespace lockstep::model
