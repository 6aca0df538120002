// replication.h: what a server knows of its replication: the stream it writes or follows, its replicas, its
// master (Redis replication.c).
//
// Only a server whose `counts_offsets` is on (settings.h) has any of this; start it with `count_offsets`.
// The model moves no bytes: a driver asks what a replica would ask (`psync_request`), lets the master answer
// (`psync`), lets the replica take that (`follow`), and brings items of the stream from `items_after` to
// `receive` and acknowledgements back to `acknowledge`, each when it likes.
//
//   - A stream has an id. A node that is promoted goes on under a new id and remembers the old one as far as
//     it knew it, so that others who followed the old stream may go on with it, if they are not beyond.
//   - Bytes are counted from the first replica on, which brings the backlog into being (stream.h).
//   - Lags are whole seconds, counted when the server's clock begins a new second; which replicas are good
//     enough for min-replicas-to-write is settled then, and when one comes or goes.
//   - PING is sent every ten seconds while there are replicas.
//
// Ids are 40 hexadecimal digits. Redis draws them; here they follow from the one that the server was started
// with and how many it had, so that no two servers that were started differently ever have the same.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/redis/replication/stream.h"
#include "model/wire.h"
#include "sim/base/fields.h"

namespace lockstep::redis {

using model::ConnectionId;

inline constexpr int seconds_between_pings = 10;         // repl-ping-replica-period
inline constexpr int backlog_without_replicas_s = 3600;  // repl-backlog-ttl

/// A replica as its master sees it.
struct Replica {
  enum class State : std::uint8_t { loads, online };  // loads: it was sent all data, and has not acknowledged

  ConnectionId connection;
  std::string address;
  std::int64_t port{};
  State state = State::loads;
  std::int64_t acknowledged = 0;
  std::int64_t lag_s = 0;  // whole seconds since its last acknowledgement

  bool operator==(const Replica&) const = default;
  static auto fields(auto& r) {
    return std::tie(r.connection, r.address, r.port, r.state, r.acknowledged, r.lag_s);
  }
};

/// What REPLCONF told of a connection that has not become a replica yet.
struct Introduction {
  std::string address;
  std::int64_t port{};
  bool operator==(const Introduction&) const = default;
  static auto fields(auto& i) { return std::tie(i.address, i.port); }
};

/// The link of a replica to its master.
struct MasterLink {
  enum class State : std::uint8_t { connect, connecting, handshake, sync, connected };  // as ROLE names them

  std::string host;
  std::int64_t port{};
  State state = State::connect;
  bool resumes = false;             // it knows where it was in the stream and may ask to go on there
  std::int64_t silent_s = 0;        // since the master was heard last
  std::optional<std::int64_t> down_s;  // since the link was lost; absent: it never was up

  bool operator==(const MasterLink&) const = default;
  static auto fields(auto& l) {
    return std::tie(l.host, l.port, l.state, l.resumes, l.silent_s, l.down_s);
  }
};

/// INFO stats: sync_full, sync_partial_ok, sync_partial_err.
struct SyncCounts {
  std::int64_t full = 0, partial_ok = 0, partial_err = 0;
  bool operator==(const SyncCounts&) const = default;
  static auto fields(auto& c) { return std::tie(c.full, c.partial_ok, c.partial_err); }
};

struct Replication {
  std::string origin;  // what all ids of this server are made of
  std::int64_t ids_made = 0;
  std::string id, second_id;        // second_id: of the stream that it followed or wrote before; may be empty
  std::int64_t second_offset = -1;  // valid for who asks for this byte or an earlier one
  std::int64_t offset = 0;          // of the last byte written, or received from the master
  int selected = -1;                // the database in the stream; -1: the next effect begins with SELECT
  Backlog backlog;
  std::vector<Replica> replicas;
  std::map<ConnectionId, Introduction> introduced;
  std::optional<MasterLink> master;
  std::int64_t good_replicas = 0;
  Duration into_second{};  // of this server's clock
  int seconds_to_ping = seconds_between_pings;
  std::int64_t alone_s = 0;  // since the last replica left
  SyncCounts syncs;

  bool operator==(const Replication&) const = default;
  static auto fields(auto& r) {
    return std::tie(r.origin, r.ids_made, r.id, r.second_id, r.second_offset, r.offset, r.selected, r.backlog,
                    r.replicas, r.introduced, r.master, r.good_replicas, r.into_second, r.seconds_to_ping,
                    r.alone_s, r.syncs);
  }
};
static_assert(sim::State<Replica> && sim::State<Introduction> && sim::State<MasterLink>);
static_assert(sim::State<SyncCounts> && sim::State<Replication>);

struct Node;
struct Outcome;

/// From now on this server counts; `origin` is different for each server.
void count_offsets(Node& node, std::string_view origin);

/// Goes on under a new id; with `remember` the old one stays valid up to here.
enum class OldId : std::uint8_t { remembered, forgotten };
void change_id(Replication& replication, OldId old);

/// Writes what one execution did into the stream; its times are counted from `wall_ms`. A replica writes
/// nothing of its own.
void write_stream(Node& node, const Effects& effects, std::int64_t wall_ms);
void write_stream(Node& node, StreamItem::Kind kind);

/// After a command of a client: its effects go into the stream, and the client's last offset is where the
/// stream is now if the command ran (it was neither queued nor refused). A client that began to wait makes
/// the server ask its replicas for acknowledgements.
void count_execution(Node& node, ConnectionId from, const Outcome& outcome, bool ran, std::int64_t wall_ms);

/// What was written or received behind the offset, as far as it is kept.
std::vector<StreamItem> items_after(const Node& node, std::int64_t offset);

/// Lets time pass: lags grow, PING is sent, a backlog that nobody needs is freed.
void pass(Node& node, Duration passed);

/// How many replicas have acknowledged the offset: what WAIT answers.
std::int64_t acknowledged(const Node& node, std::int64_t offset);

/// The replica behind the connection has applied the stream up to the offset. Its first acknowledgement after
/// a full resynchronisation puts it online.
void acknowledge(Node& node, ConnectionId replica, std::int64_t offset);

/// The connection is gone; if it was a replica's, the replica is.
void detach(Node& node, ConnectionId connection);

/// Whether writes are allowed by min-replicas-to-write.
bool enough_good_replicas(const Node& node);

/// Whether commands that may need more memory are refused; a replica leaves that to its master.
bool is_short_of_memory(const Node& node);

/// Whether this is a replica that has lost its master and must not show what it has.
bool refuses_stale_reads(const Node& node);

/// The section of INFO.
std::string replication_section(const Node& node);

}  // namespace lockstep::redis
