// topology.h: which servers there are, how far their clocks are off, and how they replicate.
#pragma once

#include <cstdint>
#include <string>

#include "model/redis/kind.h"
#include "model/setup/program.h"

namespace lockstep::model {

struct NodeSetup {
  std::string name;  // "R0"
  Duration clock_offset{};
  std::int32_t clock_drift_ppm = 0;  // how many millionths its wall clock is too fast, or below zero too slow
  ServerRole role = ServerRole::master;  // as the run begins
  GroupId group;                         // a master, and the replicas that follow it
  const ServerKind* kind = &redis::server_kind;
  bool fenced = false;  // a resource that checks tokens
  bool operator==(const NodeSetup&) const = default;
};

enum class Topology : std::uint8_t { single, replicated, independent };

}  // namespace lockstep::model
