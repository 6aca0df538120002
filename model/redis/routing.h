// routing.h: whether a node of a Redis Cluster may serve a request, and where else the client should go.
//
// A request belongs to the slot of its keys (cluster/slots.h); one without keys is served everywhere. The node
// answers instead of serving: MOVED when another serves the slot, ASK while the slot moves away and the keys
// are gone already, TRYAGAIN when some of them are, CROSSSLOT when the keys have several slots, CLUSTERDOWN when
// nobody serves the slot or the cluster is down. Routing comes before anything a command does itself.
// Source: Redis 7.0.15 cluster.c, getNodeByQuery and clusterRedirectClient; script.c, scriptVerifyClusterState.
#pragma once

#include <optional>

#include "model/redis/call.h"

namespace lockstep::redis {

/// Why this node does not serve the request of a client, as an error, or Nil. `transaction` is what EXEC would
/// run.
Reply misrouted(Call& call, const Spec& spec, Words words, const Transaction* transaction);

/// The same for what a script calls. `slot` is the one that the script has been using, absent as long as there
/// is none; scripts that may cross slots do not care.
Reply misrouted_in_script(Call& call, const Spec& spec, Words words, bool may_cross_slots,
                          std::optional<cluster::Slot>& slot);

/// The slot of a command's first key.
std::optional<cluster::Slot> slot_of(const Spec& spec, Words words);

}  // namespace lockstep::redis
