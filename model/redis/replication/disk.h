// disk.h: what a server of a world has on its disk, as far as an outage can tell.
//
// A snapshot is written by an operator (the fault `save`), or by save points: when so many changes have come
// and more than so many seconds have gone by since the last snapshot (rdb.c; server.c, serverCron). Redis
// compares whole seconds, ten times a second; here the snapshot is due one second after those of its save
// point, and at the earliest 100 ms after the change that it waited for. It takes no time. Whoever drives the
// server has it written then, before or after what else happens at that instant; later, if it was paused.
//
// Of an append-only file only the end is kept: the data before each write that may still be lost, oldest
// first. What is older is on the disk, and the last state is the server's own data. A process that is killed
// loses nothing; a machine that loses power loses the newest writes, as many as its adversary likes, of
//   everysec   the last two seconds: one, and one more while an fsync is slow (persistence.h)
//   no         the last 35 seconds, which is when Linux writes by itself (vm.dirty_expire_centisecs,
//              vm.dirty_writeback_centisecs)
// Once it is down, nothing more is written or lost.
//
// Only database 0 is kept so: worlds have no other.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "model/redis/data/keyspace.h"
#include "model/server/settings.h"
#include "sim/base/fields.h"

namespace lockstep::redis {

struct Node;
using model::Effects;
using model::Fsync;
using model::Persistence;
using model::SavePoint;
using sim::Duration;

inline constexpr Duration everysec_window{2'000}, writeback_window{35'000};
inline constexpr Duration save_check{100};

struct Disk {
  /// The data before a write, and for how long that may still be all that is there.
  struct Version {
    Keyspace before;
    Duration left{};
    bool operator==(const Version&) const = default;
    static auto fields(auto& v) { return std::tie(v.before, v.left); }
  };
  enum class Power : std::uint8_t {
    on,
    cut,  // the server crashed at this instant
    off
  };

  Persistence kept = Persistence::none;
  Fsync fsync = Fsync::always;
  std::vector<SavePoint> points;
  std::int64_t changes = 0;          // since the last snapshot, as far as a save point can tell
  Duration age{};                    // of that, likewise
  std::optional<Duration> saves_in;  // a save point is fulfilled; zero: now
  std::vector<Version> unsynced;
  Power power = Power::on;
  Duration loading{};       // for how long a server that starts again reads what is on its disk
  Duration loading_left{};  // while it does, it answers LOADING

  bool operator==(const Disk&) const = default;
  static auto fields(auto& d) {
    return std::tie(d.kept, d.fsync, d.points, d.changes, d.age, d.saves_in, d.unsynced, d.power, d.loading,
                    d.loading_left);
  }
  /// Whether writes leave a trace in here.
  bool counts() const { return !points.empty() || fsync != Fsync::always; }
};
static_assert(sim::State<Disk> && sim::State<Disk::Version>);

Disk disk_of(const model::ServerSettings& settings);

/// The server wrote; `before` is its data before that.
void note_write(Node& node, const Keyspace& before, const Effects& effects);

/// Writes the snapshot now.
void save(Node& node);
/// A save point has it written at this instant.
bool save_is_due(const Node& node);

/// Lets time pass by the server's wall clock, after its data. A clock that is set lets only what hangs on the
/// date go on.
void pass_on_disk(Node& node, Duration passed);
void jump_on_disk(Node& node, Duration by);
Duration next_change_on_disk(const Node& node);

/// The server goes down, or comes up with what was kept.
void crash(Node& node);
void restart_disk(Node& node);

/// The data came from a master.
void replace_on_disk(Node& node);

/// How many versions there are that a loss of power may bring back, oldest first; it does.
std::size_t versions_to_lose(const Node& node);
void lose_power(Node& node, std::size_t version);

}  // namespace lockstep::redis
