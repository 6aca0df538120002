// kind.h: Redis as a kind of server (model/server/server.h).
#pragma once

#include <string>
#include <vector>

#include "model/server/server.h"

namespace lockstep::redis {

struct Node;

extern const model::ServerKind server_kind;

/// The node inside, for those who know that it is one.
const Node& node_in(const model::Server& server);

/// The keys that differ between two states of a node of this name.
std::vector<sim::KeyChange> key_changes(const std::string& name, const Node& before, const Node& after);

}  // namespace lockstep::redis
