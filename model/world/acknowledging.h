// acknowledging.h: replicas acknowledge what they have applied, and WAIT blocks clients until they have.
//
//   1. A script and the WAIT behind it arrive as one message (model/client/synced.h). When the script ran,
//      WAIT looks at the replicas that the node has now. One has acknowledged if nothing is on its way to it,
//      and no acknowledgement of it is: what they tell by themselves, every second, counts as told at once.
//   2. Are there fewer than the WAIT names, the connection is blocked, and the others are asked (GETACK,
//      behind all that is under way to them). Each acknowledges when it has applied so much.
//   3. An acknowledgement arrives: for all who are blocked its replica is one step less behind. Who has as
//      many is answered, with how many there are.
//   4. The time of a WAIT is over: it is answered with how many there are. It counts by true time.
//   5. A replica that is gone does not count, whatever it has acknowledged; one that synchronised anew has
//      everything, and says so.
//   6. A replica answers WAIT with an error.
//
// A node that crashes or is demoted forgets who is blocked: their connections break.
#pragma once

#include "model/world/world.h"

namespace lockstep::model {

/// The replicas that a node has: they follow it, and their links stand.
std::size_t connected_replicas(const World& world, NodeId node);

/// Those of them from which it hears, so that it writes (min-replicas-to-write); nothing if it always does. A
/// replica that is paused is heard no more when min-replicas-max-lag is over, and the second that it is
/// counted in.
std::optional<std::int64_t> good_replicas(const World& world, NodeId node, const Setup& setup);

/// INFO replication.
void tell_count(World& world, ProcessId p, NodeId n, ConnectionId c, const Request& request,
                StepReport& report);

/// 1., 2., 6.
void wait_for_replicas(World& world, LinkId link, ConnectionId c, Reply reply, const Synced& wait,
                       StepReport& report);
/// 3.
void deliver_acknowledgement(World& world, NodeId replica, StepReport& report);
/// 4.
void stop_waiting(World& world, LinkId link, ConnectionId c, StepReport& report);
/// 5.: it has synchronised anew.
void acknowledge_all(World& world, NodeId replica, StepReport& report);

// For the table of verbs: 3. and 4.
class Listing;
class Touching;
void list_acknowledgements(Listing& list);
void touch_acknowledgement(const Move& move, Touching& touching);
void list_unacknowledged(Listing& list);
void touch_unacknowledged(const Move& move, Touching& touching);

}  // namespace lockstep::model
