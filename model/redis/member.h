// member.h: a node as one of a cluster in a world: what it is told of the others changes its map.
//
// A node of a world is called by its name, and its address is that name with Redis's port. Its map is told
// from outside (model/world/watch.h), instead of by the bus of cluster/.
#pragma once

#include "model/redis/node.h"
#include "model/server/server.h"

namespace lockstep::redis {

/// Ends the subscriptions to sharded channels in these slots. Returns what tells each listener so (cluster.c,
/// clusterDelSlot and removeChannelsInSlot).
std::vector<model::Push> drop_channels(PubSub& pubsub, const cluster::SlotSet& slots);

void join(Node& node, const model::ClusterPlace& place);
/// One of a group of nodes has taken over the slots that another had, as far as this node knows of it. If it
/// served them itself, it drops their channels.
std::vector<model::Push> succeed(Node& node, const std::string& one, const std::vector<std::string>& group);

/// CLUSTER SETSLOT MIGRATING and IMPORTING, of the slots of these keys.
void begin_to_move(Node& from, Node& to, const std::vector<std::string>& keys);
/// MIGRATE of the first key of such a slot; nothing if none is left.
std::optional<model::Gone> move_next(Node& from, Node& to);

}  // namespace lockstep::redis
