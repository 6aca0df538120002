// texts.h: what CLUSTER NODES, SLOTS, SHARDS and INFO answer, as functions of the map of the node that is
// asked.
//
// Members come in the order of their names, where Redis has the order of a hash table; CLUSTER SLOTS goes by
// slot in both. Sources: Redis 7.0.15 cluster.c, clusterGenNodesDescription, clusterReplyMultiBulkSlots,
// clusterReplyShards, clusterCommand.
#pragma once

#include <cstdint>
#include <string>

#include "lua/engine/reply.h"
#include "model/redis/cluster/map.h"

namespace lockstep::redis::cluster {

/// One line for each member, as in CLUSTER NODES; `wall_ms` is the asked node's clock.
std::string nodes_text(const Map& map, std::int64_t wall_ms);

/// One member's line without its end, as CLUSTER REPLICAS lists them.
std::string node_line(const Map& map, const NodeName& name, std::int64_t wall_ms);

/// CLUSTER INFO. The lines of message counts, which Redis begins at the first message, come from `counts`
/// (whole lines, each with its end), because a map does not count messages.
std::string cluster_info_text(const Map& map, const std::string& counts = {});

lua::Reply slots_reply(const Map& map);
lua::Reply shards_reply(const Map& map);

}  // namespace lockstep::redis::cluster
