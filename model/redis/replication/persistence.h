// persistence.h: what is left of a server after a crash.
//
// None: nothing. Snapshot: what the last SAVE wrote. Append-only: every write that was logged and not lost.
// What can be lost depends on appendfsync (aof.c, flushAppendOnlyFile):
//
//             a process that is killed             a machine that loses power
//   always    nothing that was answered            nothing that was answered
//   everysec  what was answered while an fsync     what was answered in the last second, or in the last two
//             was slow: up to two seconds          while an fsync was slow
//   no        nothing: it is written (not synced)  all that the operating system had not written by itself
//             before the answer                    since the last rewrite
//
// in each case the newest first; which of them is for the caller to choose within `losable`. (A disk that
// takes longer than two seconds for one fsync may lose more; it is not modelled.) A transaction that was
// written in part is cut off as a whole (aof-load-truncated).
//
// Keys that died meanwhile: a master that loads a snapshot leaves them out, a replica keeps them. While a
// log is loaded every key is alive, so its dead keys are there afterwards, and go like any others: a master
// writes a DEL when it meets them. Scripts are never persisted. What was published is not either, nor what a
// script kept from the file (redis.set_repl).
//
// The caller saves. What a server of a world keeps, and when it saves by itself, is in disk.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "model/redis/replication/effect.h"
#include "model/redis/data/snapshot.h"
#include "model/server/settings.h"
#include "sim/base/fields.h"

namespace lockstep::redis {

struct Environment;
struct Node;

using model::Persistence;
using AppendFsync = model::Fsync;
enum class Outage : std::uint8_t { process, power };

/// How long everysec puts a write off while an fsync is under way; then it writes all the same.
inline constexpr Duration everysec_loss_max{2'000};

/// The append-only file of one server.
struct AppendOnlyFile {
  struct Batch {
    Effects effects;
    Duration age{};
    bool operator==(const Batch&) const = default;
    static auto fields(auto& b) { return std::tie(b.effects, b.age); }
  };

  AppendFsync fsync = AppendFsync::everysec;
  Snapshot base;            // of the last rewrite
  std::vector<Batch> log;   // behind it, one for each execution

  bool operator==(const AppendOnlyFile&) const = default;
  static auto fields(auto& f) { return std::tie(f.fsync, f.base, f.log); }
};
static_assert(sim::State<AppendOnlyFile::Batch> && sim::State<AppendOnlyFile>);

/// What one execution wrote, as far as it belongs into the file.
void append(AppendOnlyFile& file, const Effects& effects);

/// BGREWRITEAOF: the data as they are.
void rewrite(AppendOnlyFile& file, const Node& node);

void age(AppendOnlyFile& file, Duration passed);

/// How many of the newest batches the outage may take; any number up to it may be lost.
std::size_t losable(const AppendOnlyFile& file, Outage outage);

/// What is left after a crash: data by `persistence`, no scripts, no connections. Role is kept. append_only
/// keeps everything.
void restart(Node& node, Persistence persistence);

/// The same with a file that lost its newest batches; `lost` is at most `losable`. The lost batches are gone
/// from the file, too.
void restart(Node& node, AppendOnlyFile& file, std::size_t lost, const Environment& environment);

}  // namespace lockstep::redis
