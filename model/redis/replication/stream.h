// stream.h: the replication stream of a server, and the part of it that is kept for those who come back.
//
// Offsets count the bytes of the stream as Redis writes them (replication.c, replicationFeedSlaves): every
// command as an array of bulk strings, SELECT whenever the database changes, MULTI and EXEC around two or
// more effects of one execution. The byte at offset 1 is the first. Here an item is what a replica applies as
// a whole, with the offset of its last byte.
//
// The backlog grows in blocks and is cut by whole blocks, so it holds a little more than its size
// (feedReplicationBuffer, incrementalTrimReplicationBacklog). A block has the room that jemalloc gives it.
// Effects in it age as time passes: their times are absolute in Redis.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "model/redis/replication/effect.h"
#include "sim/base/fields.h"

namespace lockstep::redis {

/// The bytes of a command in the stream.
std::int64_t stream_bytes(const Command& command);

struct StreamItem {
  enum class Kind : std::uint8_t { effects, ping, get_ack };
  Kind kind = Kind::effects;
  Effects effects;
  std::int64_t end{};    // the offset of its last byte
  std::int64_t bytes{};  // how many they are

  std::int64_t begin() const { return end - bytes + 1; }
  bool operator==(const StreamItem&) const = default;
  static auto fields(auto& i) { return std::tie(i.kind, i.effects, i.end, i.bytes); }
};
static_assert(sim::State<StreamItem>);

inline constexpr std::int64_t backlog_bytes_default = 1'048'576;

struct Backlog {
  struct Block {
    std::int64_t room{}, used{};
    bool operator==(const Block&) const = default;
    static auto fields(auto& b) { return std::tie(b.room, b.used); }
  };

  bool active = false;  // it exists from the first replica on
  std::int64_t first = 1;  // the offset of the first byte that is kept
  std::int64_t bytes_max = backlog_bytes_default;
  std::vector<Block> blocks;
  std::vector<StreamItem> items;  // whole ones only: the first may begin behind `first`

  std::int64_t bytes() const;  // how many are kept
  bool operator==(const Backlog&) const = default;
  static auto fields(auto& b) {
    return std::tie(b.active, b.first, b.bytes_max, b.blocks, b.items);
  }
};
static_assert(sim::State<Backlog::Block> && sim::State<Backlog>);

/// Makes it, empty, behind the offset.
void begin(Backlog& backlog, std::int64_t offset);
/// Forgets it; only its size stays.
void end(Backlog& backlog);

/// The bytes of one piece that is written at a time: a word, or what stands between two.
void feed(Backlog& backlog, std::int64_t piece_bytes);
/// The item whose bytes have been fed.
void keep(Backlog& backlog, StreamItem item);

/// The items from the offset on; the offset is the first byte of one of them, or behind the last.
std::vector<StreamItem> items_from(const Backlog& backlog, std::int64_t offset);

/// Lets time pass for the effects.
void age(Effects& effects, Duration passed);
void age(Backlog& backlog, Duration passed);

}  // namespace lockstep::redis
