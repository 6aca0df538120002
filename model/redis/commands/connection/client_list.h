// client_list.h: the connections of a node as CLIENT shows and finds them.
#pragma once

#include <optional>

#include "model/redis/call.h"

namespace lockstep::redis::commands {

/// What CLIENT ID answers: the number that was announced, or one more than the connection's own.
std::int64_t client_id(const Session* session, ConnectionId connection);

/// The connection of this number, if it was announced or calls.
std::optional<ConnectionId> find_client(const Call& call, std::int64_t id);

/// How many connections were announced; at least the one that asks.
std::size_t count_clients(const Node& node);

}  // namespace lockstep::redis::commands
