// section_servers.h: kinds of servers that are not Redis, as scenarios and schemes call them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/client/lock_kind.h"
#include "scenarios/format/toml_reading.h"

namespace lockstep::scenarios {

/// `server` of a scheme; null: it does not say, so it is Redis.
const model::ServerKind* read_server(TomlReading& reading, const toml::table& scheme);

/// What the program lives through by itself, since a session or another server demands it: the one of this
/// name, or null; and all kinds that are not described.
const model::LockKind* written_kind(std::string_view name);
std::vector<const model::LockKind*> all_written_kinds();

}  // namespace lockstep::scenarios
