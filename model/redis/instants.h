// instants.h: scores and fields of hashes that are instants of clients' clocks, moved all at once
// (model/world/rebasing.h).
#pragma once

#include "model/redis/node.h"
#include "model/server/server.h"

namespace lockstep::redis {

/// Moves such instants, in the data and in what is kept of it on the disk; false if there are none.
bool move_instants(Node& node, const model::InstantKeys& such, Duration by);
bool holds_instants(const Node& node, const model::InstantKeys& such);
/// Those under one key, in ms since 1970.
std::vector<std::int64_t> instants_in(const std::string& key, const Value& value,
                                      const model::InstantKeys& such);

/// The same in what is replicated; false if a command touches some that cannot be told apart.
bool move_instants(Effects& effects, const model::InstantKeys& such, Duration by);

}  // namespace lockstep::redis
