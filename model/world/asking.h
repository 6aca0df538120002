// asking.h: to which node a request goes that only asks (model/client/machine.h, Asked).
//
// Redisson takes the replicas in turn, or at random, as its load balancer is set; here a move says which one
// is asked, if there are several. One that is down is not among them, as if its client had found out; if
// there is none, the master is asked.
#pragma once

#include "model/world/world.h"

namespace lockstep::model {

/// The nodes to which it may go; at least one.
std::vector<NodeId> aims_of(const World& world, const Client& client, const Purpose& purpose,
                            const Setup& setup);
/// It waits in its process until its node is chosen; no time passes meanwhile.
void keep_unaimed(World& world, ProcessId p, Outgoing outgoing);
bool has_unaimed(const Process& process);
/// The one on that connection goes to the node of this link.
void aim(World& world, LinkId link, ConnectionId connection, StepReport& report);

/// For the table of verbs.
class Listing;
void list_aims(Listing& list);

}  // namespace lockstep::model
