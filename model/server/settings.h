// settings.h: what a server is told about itself, and what it tells its subscribers.
#pragma once

#include <cstdint>
#include <tuple>

#include "model/wire.h"
#include "sim/base/fields.h"

namespace lockstep::model {

enum class ServerRole : std::uint8_t { master, replica };
enum class Expiry : std::uint8_t { eager, lazy };                       // when a dead key goes
enum class Persistence : std::uint8_t { none, snapshot, append_only };  // what outlives a crash

struct ServerSettings {
  ServerRole role = ServerRole::master;  // as the run begins
  Expiry expiry = Expiry::eager;
};

/// A message on its way to one subscriber, in the order of publication.
struct Push {
  ConnectionId to;
  Reply message;
  bool operator==(const Push&) const = default;
  static auto fields(auto& p) { return std::tie(p.to, p.message); }
};

}  // namespace lockstep::model
