// of_connection.h: locks that are of a connection to MySQL: GET_LOCK, and SELECT … FOR UPDATE.
//
//   1. lock() sends one statement, whose answer comes when the lock is the connection's, or when the
//      time is up: of GET_LOCK that of the caller, or none; of FOR UPDATE that of the caller, or the
//      server's. Then trylock() is refused, and lock() throws.
//   2. unlock() is one statement more (RELEASE_LOCK, COMMIT), and throws if the lock is not its own.
//   3. When a connection breaks, its server frees what is of it at once. Who waits for an answer is told by
//      an exception, also if the server itself has crashed; who holds the lock notices when it uses it next.
#pragma once

#include "model/client/lock_kind.h"
#include "model/client/machine.h"

namespace lockstep::schemes {

extern const model::Machine one_statement;
extern const model::Library connection_library;
extern const model::LockKind get_lock, for_update;

}  // namespace lockstep::schemes
