// held.h: connections that threads keep for a transaction (model/client/scheme.h, Described::Connection).
//
// The request that opens one takes a number that none of the thread's requests is under way with on this
// link: one that was given up may still arrive, and is served on the connection that it was sent on. The
// requests behind it go to the same node, whoever is its group's master by then; a server that knows nothing
// of the connection (it was closed, or the server started anew) answers with an error.
#pragma once

#include "model/world/world.h"

namespace lockstep::model {

/// Where the request goes, if it is of a transaction; false: all connections of the thread are in use.
bool hold_connection(const World& world, NodeId to, Outgoing& outgoing, const Setup& setup);

/// How the server is told of the connection.
Serving::Keeps keeps(const Request& request, const Setup& setup);
/// The transaction is over, or nobody awaits the answer: the connection is closed.
void hang_up(World& world, LinkId link, ConnectionId awaited_on, const Request& request, const Reply& reply,
             const Setup& setup);
/// Those of all threads of a process to a node, but for those that a request is under way on: it is served
/// before the end of the connection arrives.
void close_held(World& world, LinkId link, const Setup& setup);

}  // namespace lockstep::model
