// server.h: what a kind of server offers to a world.
//
// A server is a value in a box: the world holds it, copies and compares it, and knows nothing of what is
// inside. Everything that a world wants of it is a function of the table of its kind; a node's setup names
// the table. What a kind cannot do (a server without replicas is never promoted) is a null pointer, and is
// never asked for.
//
// Clients are connections by number. Below `pooled` a connection is the standing one of the process with that
// number: it carries subscriptions and, if the kind has sessions, all requests; a server that remembers it
// remembers the ProcessId. From `held` to `pooled` are those that a thread keeps for a transaction; a server
// remembers the ThreadId. Whatever a server causes is returned to the caller, and nothing else happens.
// Time is what remains of it: `pass` counts a server's own wall clock down.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lua/engine/engine.h"
#include "lua/scripts/script_set.h"
#include "model/server/effect.h"
#include "model/server/look.h"
#include "model/server/settings.h"
#include "sim/base/boxed.h"
#include "sim/trace.h"

namespace lockstep::model {

using sim::ProcessId;

struct ServerTag {
  static constexpr bool kind_is_fixed = true;  // by the setup
};
using Server = sim::Boxed<ServerTag>;

/// Connections from here on carry one request each.
inline constexpr std::uint16_t pooled = 0x8000;
/// From here to there are those that a thread keeps: so many for each, of so many threads.
inline constexpr std::uint16_t held = 0x4000, held_each = 4, held_threads_max = (pooled - held) / held_each;
inline ConnectionId held_connection(sim::ThreadId thread, std::size_t number) {
  return sim::make_id<ConnectionId>(held + thread.index() * held_each + number);
}
inline bool is_held(ConnectionId connection) { return connection.value >= held && connection.value < pooled; }
inline sim::ThreadId thread_of(ConnectionId kept) {
  return sim::make_id<sim::ThreadId>((kept.value - held) / held_each);
}
inline ConnectionId connection_of(ProcessId process) { return sim::make_id<ConnectionId>(process.index()); }
inline ProcessId process_of(ConnectionId standing) { return sim::make_id<ProcessId>(standing.index()); }

/// What a server may use while it serves, and what it is told.
struct Serving {
  lua::Engine& engine;
  std::int64_t wall_ms = 0;               // its wall clock, ms since 1970
  std::vector<ScriptCall>* calls = nullptr;  // if given, collects what a script called
  bool want_effects = true;               // false: there is no replica
  bool asking = false;                    // the client was sent here while keys move (ASKING)
  std::optional<std::int64_t> good_replicas{};  // how many there are, if it has to know
  enum class Keeps : std::uint8_t { nothing, opens, goes_on };
  Keeps keeps = Keeps::nothing;  // of a connection that a thread keeps: it is a new one, or was opened before
};

/// What a request causes.
struct Served {
  Reply reply;
  std::vector<Push> pushes;
  Effects effects;
  std::vector<ProcessId> closed;  // whose sessions the server ends
  bool read_now = false;          // the result depends on wall_ms, not only on remaining times
};

/// A key that went without being asked, and what replicas hear of it.
struct Gone {
  std::string key;
  Effects effects;
};

/// What a server does by itself when its clock moves on.
struct Unasked {
  std::vector<Gone> gone;
  std::vector<Push> pushes;
  std::vector<ProcessId> closed;
};

/// What clients of a world may send, besides plain commands.
struct Traffic {
  std::vector<const lua::ScriptSet*> scripts;
  bool by_digest = false;  // EVALSHA
};

/// A fault that only this kind of server knows; it becomes a row of model/world/faults/table.h.
struct ServerFault {
  std::string_view key, about, word;
  std::optional<sim::TraceKind> event;  // absent: what it makes go is told
  std::string_view fixed;               // its word in a scenario's `fixed`; empty: it cannot be fixed
  bool of_parts = false;                // it befalls one of `choices`, else the server as a whole
  bool of_keys = false;                 // the parts are keys: if it is fixed, its key is named
  bool of_masters = false;              // it befalls masters of groups only
  bool of_what_is_stored = true;        // false: nobody can tell but the server's own clients
  bool of_crash = false;                // a part of a crash: it befalls who is down, else who answers
  /// Whether anybody could notice; absent: yes.
  bool (*matters)(const Traffic& traffic) = nullptr;
  std::size_t (*choices)(const Server& server) = nullptr;  // none: it makes no difference now
  /// Whether one that is fixed finds what it is to befall; absent: if there are choices.
  bool (*finds)(const Server& server) = nullptr;
  /// What went by it.
  std::optional<Gone> (*apply)(Server& server, std::size_t choice) = nullptr;
};

/// What a node of a cluster knows of all, itself among them; nodes are called by their names.
struct ClusterPlace {
  struct Member {
    std::string name;
    std::string master;                                        // of a replica
    std::vector<std::pair<std::uint16_t, std::uint16_t>> slots;  // of a master: from, to
  };
  std::string myself;
  std::vector<Member> members;
};

using Excused = std::function<bool(const std::string& key)>;

/// What is an instant of clients' clocks (model/world/rebasing.h): the scores under such keys, and
/// such fields of hashes.
struct InstantKeys {
  std::function<bool(std::string_view key)> scores;
  std::function<bool(std::string_view key, std::string_view field)> fields;
};

struct ServerKind {
  std::string_view name;
  bool sessions = false;  // each process has one connection, not one for each request
  bool outside = false;   // it is not what a scenario asks about: no fault befalls it
  Server (*make)(const ServerSettings& settings) = nullptr;

  Served (*serve)(Server& server, ConnectionId from, const Command& words, const Serving& serving) = nullptr;
  /// Why a program may not send this command, in a clause. Absent: it may send none.
  std::optional<std::string> (*refuses)(const Command& words) = nullptr;
  /// A process closed its standing connection, or died; all connections broke.
  void (*disconnect)(Server& server, ProcessId process) = nullptr;
  void (*disconnect_all)(Server& server) = nullptr;
  /// A connection that a thread keeps is closed; absent: it keeps nothing of them.
  void (*hang_up)(Server& server, ConnectionId kept) = nullptr;
  /// It goes down, and what it keeps on a disk stays as it is; absent: nothing more than that.
  void (*crash)(Server& server) = nullptr;
  /// It comes up after a crash.
  void (*restart)(Server& server, Persistence persistence) = nullptr;

  /// Time passes by the server's wall clock; that clock alone moves, also backwards.
  Unasked (*pass)(Server& server, Duration passed) = nullptr;
  Unasked (*jump)(Server& server, Duration by) = nullptr;
  bool (*counts_down)(const Server& server) = nullptr;      // whether `pass` would change it
  Duration (*next_change)(const Server& server) = nullptr;  // or `never`
  /// It is to do something by itself at this instant, before or after what else happens then; it does.
  /// Absent: all that it does by itself comes with the passing of time.
  bool (*has_due)(const Server& server) = nullptr;
  void (*do_due)(Server& server) = nullptr;

  // Replication; `skew` is how far this server's wall clock is ahead of the sender's.
  std::vector<Push> (*apply)(Server& server, const Effects& effects, Duration skew,
                             const Serving& serving) = nullptr;
  bool (*leads)(const Server& server) = nullptr;  // it takes itself for a master
  void (*promote)(Server& server) = nullptr;
  /// What most of a group have is what its master has: who is elected has it all. Absent: it has what it was
  /// sent.
  void (*take_over)(Server& elected, const Server& old) = nullptr;
  void (*resynchronise)(Server& server, const Server& master, Duration skew) = nullptr;
  bool (*same_data)(const Server& one, const Server& other) = nullptr;

  // Of a cluster: it is one of these nodes; one of a group has taken over the slots of another, and what it
  // tells subscribers of channels that went with them; whether it serves (its cluster_state), which it does
  // until it is told otherwise; slots of these keys begin to move from one server to another; the next key
  // does, and what replicas hear of it, or none is left.
  void (*join)(Server& server, const ClusterPlace& place) = nullptr;
  std::vector<Push> (*succeed)(Server& server, const std::string& one,
                               const std::vector<std::string>& group) = nullptr;
  void (*open)(Server& server, bool serves) = nullptr;
  bool (*is_open)(const Server& server) = nullptr;
  std::uint16_t (*slot_of)(std::string_view key) = nullptr;
  void (*begin_to_move)(Server& from, Server& to, const std::vector<std::string>& keys) = nullptr;
  std::optional<Gone> (*move_next)(Server& from, Server& to) = nullptr;

  // What outsiders see.
  Look (*look)(const Server& server) = nullptr;
  /// What it still keeps, for "nothing left behind": "stores the key orders". Some keys are excused.
  std::optional<std::string> (*left_behind)(const Server& server, const Excused& excused) = nullptr;
  std::vector<sim::KeyChange> (*changes)(const std::string& node, const Server& before,
                                         const Server& after) = nullptr;
  std::string (*quoted)(const std::string& word) = nullptr;  // in a log of commands

  /// For the identity of states (model/world/identity.h): the server without what no such traffic can ask
  /// for; nothing if it keeps no such thing. Absent: it never does.
  std::optional<Server> (*forget_unread)(const Server& server, const Traffic& traffic) = nullptr;

  /// The server with all such instants moved; nothing if it keeps none. Absent: it never does.
  std::optional<Server> (*with_instants_moved)(const Server& server, const InstantKeys& such,
                                               Duration by) = nullptr;
  /// The same for what a replica is sent; false if it cannot be said where they are.
  bool (*move_instants)(Effects& effects, const InstantKeys& such, Duration by) = nullptr;

  std::span<const ServerFault> faults;
};

}  // namespace lockstep::model
