// resync.h: how a replica gets to where its master is: partially, with what it missed, or with all data
// (Redis replication.c, masterTryPartialResynchronization, slaveTryPartialResynchronization).
//
// 1. A replica asks for the stream that it followed, from the byte behind the last that it has. A node that
//    was a master asks for its own stream: it may have been the past of the new master's.
// 2. The master goes on from there if that is its stream, or the one before its promotion and not beyond it,
//    and if it still has the bytes. Otherwise it sends everything, and what the other alone had is lost.
// 3. Told to go on under another id, a replica takes the new id and remembers the old one, as if it had been
//    promoted. Its own replicas have to ask again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "model/redis/data/snapshot.h"
#include "model/redis/replication/replication.h"
#include "sim/base/fields.h"

namespace lockstep::redis {

struct Environment;
struct Push;

/// PSYNC id offset: the first byte that is wanted. An id of "?" asks for everything.
struct PsyncRequest {
  std::string id = "?";
  std::int64_t offset = -1;
  bool operator==(const PsyncRequest&) const = default;
  static auto fields(auto& r) { return std::tie(r.id, r.offset); }
};

struct Continue {
  std::string id;
  std::vector<StreamItem> items;  // what was missed
  bool operator==(const Continue&) const = default;
  static auto fields(auto& c) { return std::tie(c.id, c.items); }
};

struct FullResync {
  std::string id;
  std::int64_t offset{};
  Snapshot data;
  bool operator==(const FullResync&) const = default;
  static auto fields(auto& f) { return std::tie(f.id, f.offset, f.data); }
};

using Resync = std::variant<Continue, FullResync>;
static_assert(sim::State<PsyncRequest> && sim::State<Continue> && sim::State<FullResync>);

/// REPLICAOF host port: the node is a replica from now on, of a master that it has not reached yet. It keeps
/// its data, and its replicas. Returns whether that is new to it.
bool replicate_from(Node& node, std::string_view host, std::int64_t port);

/// What a replica, or a master that was told to be one, asks for.
PsyncRequest psync_request(const Node& replica);

/// What a master answers; the connection is a replica's from now on. nullopt: a replica that has itself no
/// master now answers nobody (NOMASTERLINK).
std::optional<Resync> psync(Node& master, ConnectionId connection, const Introduction& who,
                            const PsyncRequest& request);

/// The replica takes the answer; `skew` is how far its clock is ahead of the master's. The items of a
/// Continue are to be received next. Returns the connections of its own replicas if those have to ask again:
/// they are closed.
std::vector<ConnectionId> follow(Node& replica, const Resync& resync, Duration skew);

/// The replica applies an item of the stream, and has it for replicas of its own. Returns the messages to its
/// subscribers.
std::vector<Push> receive(Node& replica, const StreamItem& item, Duration skew,
                          const Environment& environment);

/// The link to the master is lost; the replica remembers where it was.
void lose_master(Node& replica);

/// REPLICAOF NO ONE: a master with a new id. Returns the connections of its replicas, which are closed: they
/// have to learn the id.
std::vector<ConnectionId> become_master(Node& node);

}  // namespace lockstep::redis
