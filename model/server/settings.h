// settings.h: what a server is told about itself, and what it tells its subscribers.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "model/wire.h"
#include "sim/base/fields.h"
#include "sim/base/time.h"

namespace lockstep::model {

using sim::Duration;

/// A Sentinel stores nothing; a spare is a master of a cluster that has no slots yet.
enum class ServerRole : std::uint8_t { master, replica, sentinel, spare };
enum class Expiry : std::uint8_t { eager, lazy };                       // when a dead key goes
enum class Persistence : std::uint8_t { none, snapshot, append_only };  // what outlives a crash

enum class Fsync : std::uint8_t { always, everysec, no };               // of an append-only file

/// A snapshot is written after so long if there were so many changes.
struct SavePoint {
  sim::Duration after{};
  std::int64_t changes = 0;
  bool operator==(const SavePoint&) const = default;
  static auto fields(auto& p) { return std::tie(p.after, p.changes); }
};

/// What servers are told that are not Redis.
struct OtherSettings {
  Duration session_timeout{10'000};  // ZooKeeper: a session without a word of its client ends after this
  Duration lock_wait{50'000};        // MySQL: innodb_lock_wait_timeout
  Duration clean_after{};            // MySQL: a job removes rows that are so old; zero: there is none
  bool majority = true;              // MongoDB: a write is answered when most members have it

  bool operator==(const OtherSettings&) const = default;
};

struct ServerSettings {
  ServerRole role = ServerRole::master;  // as the run begins
  Expiry expiry = Expiry::eager;
  Persistence persistence = Persistence::none;
  Fsync fsync = Fsync::always;
  std::vector<SavePoint> save;
  bool fenced = false;  // a resource: it checks tokens
  std::uint16_t min_replicas = 0;  // without so many good ones it refuses to write
  sim::Duration loading{};         // it reads its data for so long when it starts again
  std::string notify{};            // which events of keys it publishes (notify-keyspace-events)
  OtherSettings others{};
};

/// A message on its way to one subscriber, in the order of publication.
struct Push {
  ConnectionId to;
  Reply message;
  bool operator==(const Push&) const = default;
  static auto fields(auto& p) { return std::tie(p.to, p.message); }
};

}  // namespace lockstep::model
