// real_map.h: what a real node of a Redis Cluster believes, as a map of the model, read from what it says.
#pragma once

#include <string>

#include "model/redis/cluster/map.h"

namespace lockstep::differential {

/// `nodes`: the answer to CLUSTER NODES. `shards`: that to CLUSTER SHARDS as redis-cli prints it, or nothing:
/// the offsets stand nowhere else. The cluster is not taken for ok, which neither says.
redis::cluster::Map map_of(const std::string& nodes, const std::string& shards);

}  // namespace lockstep::differential
