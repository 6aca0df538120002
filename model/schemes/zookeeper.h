// zookeeper.h: locks of ZooKeeper's recipe: the first of a node's children holds the lock.
//
// lock(), as a thread lives it:
//   1. It creates a child that is ephemeral and has the next number.
//   2. It lists the children. If its own is the first, the lock is its own.
//   3. Else it watches the one before its own (or, in the variant that makes a herd of those who wait, the
//      first). If that is gone already, it lists again.
//   4. It waits for the watch, and lists again.
//   5. The connection is lost: it waits for a new one and lists, since its child may be there or not; if
//      it is not, it creates one. Children are named after who created them, so it finds its own.
//   6. The session is over: it begins anew in another.
//   7. A call whose time is up deletes its child; so does unlock(), which throws if the child is gone, unless
//      it has asked before and lost the connection: then it was itself.
//
// A thread that holds the lock goes on as if it held it until its client knows that the session is over
// (zookeeper_client.h): while the connection is lost it does not know. The number of its child is its token.
// A lock is not reentrant, and a waiting call is not interrupted.
#pragma once

#include <span>

#include "model/client/lock_kind.h"
#include "model/client/machine.h"

namespace lockstep::schemes {

extern const model::Machine first_child;
extern const model::LockKind zookeeper, zookeeper_herd;

/// Their rows, of which tests make mutants.
std::span<const model::Role> zookeeper_roles(bool herd);
extern const model::Shape children_of_a_node;

}  // namespace lockstep::schemes
