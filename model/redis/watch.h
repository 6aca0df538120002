// watch.h: who watches which keys, and when that is disturbed (Redis multi.c).
//
// A connection whose watched key is modified is marked, and then watches nothing any more. A key that had
// expired before it was watched may be removed without being missed: nothing changed for the client.
#pragma once

#include "model/redis/node.h"

namespace lockstep::redis {

bool anybody_watches(const Node& node);

/// The key was modified or removed.
void touch_watched(Node& node, std::uint8_t database, std::string_view key);

/// The whole database is about to be emptied.
void touch_watched_database(Node& node, std::uint8_t database);

/// Two databases are about to change their contents with each other.
void touch_swapped_databases(Node& node, std::uint8_t one, std::uint8_t other);

/// Whether a key expired since it was watched.
bool watched_key_expired(const Node& node, const Session& session);

/// After EXEC, DISCARD, RESET: no transaction, nothing watched.
void end_transaction(Session& session);

}  // namespace lockstep::redis
