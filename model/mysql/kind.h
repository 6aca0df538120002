// kind.h: a MySQL server as a kind of server, as far as locks use one.
//
// A statement is a few words, and its answer a number:
//
//   INSERT lock holder [ms]     1, or 1062: there is a row of that key. With ms it has a column that says
//                               until when it counts, by the server's clock (NOW() and so much).
//   UPDATE lock holder ms       1: the holder's row counts for so long from now; or 0: there is none.
//   DELETE lock [holder]        how many rows went: 1 or 0; without a holder it goes whoever's it is.
//   DELETE-OLD lock             the same, of a row whose time is over.
//   GET-LOCK lock holder ms     1; or 0 when so much time has passed (-1: it waits for ever). A connection
//                               that has the lock gets it once more, and gives it back as often.
//   RELEASE-LOCK lock holder    1, or 0: it was not the connection's.
//   SELECT-FOR-UPDATE lock holder ms   1; or 1205 when so much has passed (-1: what the server says,
//                                    innodb_lock_wait_timeout).
//   COMMIT lock holder          1, or 0: the row was not locked by this connection.
//
// A process has one connection, its session, on which holders are told apart by their names, as if each
// thread had one of its own. When it ends, what GET-LOCK and SELECT-FOR-UPDATE gave it is free; rows stay.
// Who waits is served in turn. An answer that has to wait is told in two messages: 2, that the server has the
// statement, and what comes of it.
//
// Rows are replicated, after the answer, in the order of their statements; what is of a connection is not. A
// job of the server's may remove rows that are older than `clean-after`, whoever wrote them; it looks all the
// time. A crash loses no row that was answered (innodb_flush_log_at_trx_commit = 1), and all connections.
// Not here: deadlocks, isolation, group commit, semi-synchronous replication.
// Sources: MySQL's reference manual; MariaDB 10.11.
#pragma once

#include "model/server/server.h"

namespace lockstep::mysql {

extern const model::ServerKind server_kind;

inline constexpr std::int64_t waits = 2, duplicate_key = 1'062, lock_wait_timeout = 1'205;

}  // namespace lockstep::mysql
