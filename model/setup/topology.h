// topology.h: which servers there are, how far their clocks are off, and how they replicate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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
  std::vector<std::pair<std::uint16_t, std::uint16_t>> slots{};  // of a master of a cluster: from, to
  bool operator==(const NodeSetup&) const = default;
};

/// From sentinel on, nodes judge each other, and replace a master by themselves (model/world/watch.h). An
/// ensemble is one group, whose members vote.
enum class Topology : std::uint8_t { single, replicated, independent, sentinel, cluster, ensemble };

/// How nodes judge each other: Sentinels their master, masters of a cluster each other.
struct Watching {
  std::size_t quorum = 2;              // so many Sentinels must find that the master is down
  Duration down_after{30'000};         // without an answer: down-after-milliseconds, cluster-node-timeout
  Duration failover_timeout{180'000};  // the next attempt comes after twice that
  Interval election;    // from then on until a replica is the master
  Interval conversion;  // from when an old master is heard again until it becomes a replica
  Interval closing;     // of a cluster: from when a node hears no majority of masters until it stops serving
  bool operator==(const Watching&) const = default;
};

}  // namespace lockstep::model
