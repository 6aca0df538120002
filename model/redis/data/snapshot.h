// snapshot.h: all data of a server at one moment: what SAVE writes, and what a full resynchronisation sends.
//
// Libraries of functions are data, too; scripts are not: they are neither persisted nor replicated. What is
// left of keys' times goes on running while a snapshot lies on the disk (age).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "model/redis/functions.h"
#include "model/redis/data/keyspace.h"
#include "sim/base/cow.h"
#include "sim/base/fields.h"

namespace lockstep::redis {

using Databases = std::map<std::uint8_t, Keyspace>;  // by number, from 1; an empty one is not listed

struct Snapshot {
  Keyspace db;  // database 0
  sim::Cow<Databases> other_dbs;
  sim::Cow<Functions> functions;
  std::string stream_id;           // of the replication stream, and how far it had come (rdb.c, repl-id and
  std::int64_t stream_offset = 0;  // repl-offset); empty if there was none

  bool operator==(const Snapshot&) const = default;
  static auto fields(auto& s) {
    return std::tie(s.db, s.other_dbs, s.functions, s.stream_id, s.stream_offset);
  }
};
static_assert(sim::State<Snapshot>);

struct Node;

Snapshot snapshot_of(const Node& node);

/// Lets time pass for every key of it; dead ones keep no less than `floor`.
void age(Snapshot& snapshot, sim::Duration passed, sim::Duration floor = long_dead);

/// Puts the data in place of what the node holds. Dead keys come along.
void load(Node& node, const Snapshot& snapshot);

}  // namespace lockstep::redis
