// session.h: what a server keeps of one connection besides its subscriptions: its database, its transaction,
// the keys it watches, its name.
//
// A connection that never asked for any of this has no session, and a session that is as new is forgotten, so
// that it does not make states differ.
//
// Transactions (Redis multi.c): commands between MULTI and EXEC are checked and queued. One that is refused
// while it is queued makes EXEC refuse the whole transaction; one that fails while it runs does not stop the
// others. A watched key that was modified, or that expired, makes EXEC answer a null array.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "model/wire.h"
#include "sim/base/fields.h"

namespace lockstep::redis {

struct Watch {
  std::uint8_t database{};
  std::string key;
  bool expired = false;  // it had expired already when WATCH was called
  bool operator==(const Watch&) const = default;
  static auto fields(auto& w) { return std::tie(w.database, w.key, w.expired); }
};
static_assert(sim::State<Watch>);

struct Transaction {
  std::vector<model::Command> queued;
  unsigned flags = 0;    // of the commands queued so far, together (command.h)
  bool refused = false;  // one of them was: EXEC answers EXECABORT
  bool operator==(const Transaction&) const = default;
  static auto fields(auto& t) { return std::tie(t.queued, t.flags, t.refused); }
};
static_assert(sim::State<Transaction>);

/// What CLIENT LIST tells of a connection that was announced (node.h, connect). Times are the wall clock's.
struct Peer {
  std::int64_t id = 0;                       // CLIENT ID: never used twice on one server
  std::string address;                       // "127.0.0.1:50000", or "/path/of/socket:0"; TCP has no port 0
  std::string local_address;                 // of the server's end
  int file = 0;                              // the number of its socket
  std::int64_t since_ms = 0, active_ms = 0;  // connected; sent its last command
  std::string last_command = "NULL";

  /// Whether it came through a socket in the file system, and its path.
  bool is_local() const { return address.ends_with(":0"); }
  std::string_view path() const { return std::string_view(address).substr(0, address.size() - 2); }

  bool operator==(const Peer&) const = default;
  static auto fields(auto& p) {
    return std::tie(p.id, p.address, p.local_address, p.file, p.since_ms, p.active_ms, p.last_command);
  }
};
static_assert(sim::State<Peer>);

/// CLIENT TRACKING without REDIRECT: there are no invalidations, so this only remembers.
struct Tracking {
  bool broadcasts = false, opts_in = false, opts_out = false, skips_own = false;
  std::optional<bool> next_is_cached;  // CLIENT CACHING: for the next command
  std::vector<std::string> prefixes;
  bool operator==(const Tracking&) const = default;
  static auto fields(auto& t) {
    return std::tie(t.broadcasts, t.opts_in, t.opts_out, t.skips_own, t.next_is_cached, t.prefixes);
  }
};
static_assert(sim::State<Tracking>);

struct Session {
  std::uint8_t database = 0;
  std::string name;  // CLIENT SETNAME
  std::optional<Transaction> transaction;
  std::vector<Watch> watched;
  bool disturbed = false;        // a watched key was modified (CLIENT_DIRTY_CAS)
  bool asking = false;           // ASKING: the next command may ask for a slot that is being imported
  bool reads_replicas = false;   // READONLY: a replica in a cluster answers reads
  std::int64_t last_offset = 0;  // of the master's stream after this connection's last command: for WAIT
  bool unauthenticated = false;  // when it came a password was wanted, and it has not given one
  bool never_evicted = false;    // CLIENT NO-EVICT
  bool resp3 = false;            // HELLO 3
  std::optional<Tracking> tracking;
  std::optional<Peer> peer;

  bool operator==(const Session&) const = default;
  static auto fields(auto& s) {
    return std::tie(s.database, s.name, s.transaction, s.watched, s.disturbed, s.asking, s.reads_replicas,
                    s.last_offset, s.unauthenticated, s.never_evicted, s.resp3, s.tracking, s.peer);
  }
};
static_assert(sim::State<Session>);

using Sessions = std::map<model::ConnectionId, Session>;

}  // namespace lockstep::redis
