// kind.h: an ensemble of ZooKeeper servers as a kind of server.
//
// What its members say to each other while a write is committed is left out: a write happens at one instant,
// on the leader, while that hears most of the members, and is then what every later leader has. A client can
// tell no difference. A write that the leader had proposed and most had not stored when it died is, for who
// asked, a request that never arrived; one that they had stored is one whose answer was lost.
//
//   1. Clients are connected to the leader. Each of their requests names the session that it is of: its
//      number, counted by its process. A session begins with its first request.
//   2. A session without a request for `session-timeout` is over: the leader closes it, which is a write like
//      others. Its ephemeral nodes go, in the order of their numbers, and it never comes back: who asks in
//      its name is told EXPIRED. The span runs by a clock that cannot be set.
//   3. A lock is a node, its waiters are its children, each with a number that is one more than the last.
//      CREATE session lock holder (or CREATE-FOR-GOOD, a child that outlives its session): the number.
//      CHILDREN session lock holder: the number of the holder's own child (0: it has none), and all numbers
//      in their order. EXISTS session lock number: 1, and the asker is told once when that child goes; or 0.
//      DELETE session lock number: 1, or 0 if there is none. PING session.
//   4. Watches are of a connection: who connects anew, or to another leader, has none.
//   5. A leader that does not hear most of the members serves nothing, and closes no session. Who leads from
//      then on gives all sessions their whole time anew.
//
// Not here: clients of a follower, which may be behind; a leader that is deposed and has not noticed, which
// would still answer reads; sessions whose time runs out while the leader itself is paused; the pieces of a
// path, versions, access lists, quotas; `sync`, containers and nodes with a time to live of their own.
// Sources: the programmer's guide and the recipes in ZooKeeper's documentation, 3.8; a real server 3.8.0.
#pragma once

#include "model/server/server.h"

namespace lockstep::zookeeper {

extern const model::ServerKind server_kind;

/// What a request of a session is answered that is over, and any by who does not lead.
inline constexpr std::string_view expired = "EXPIRED", connection_loss = "CONNECTIONLOSS";

}  // namespace lockstep::zookeeper
