// database.h: what a MySQL server keeps of locks: rows, and what belongs to connections.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/server/server.h"
#include "sim/base/timer.h"

namespace lockstep::mysql {

using model::ProcessId;
using sim::Duration;

struct Row {
  std::string holder;
  std::optional<sim::WallTimer> counts;   // until then
  std::optional<sim::WallTimer> cleaned;  // a job removes it then

  bool operator==(const Row&) const = default;
  static auto fields(auto& r) { return std::tie(r.holder, r.counts, r.cleaned); }
};

struct Waiter {
  ProcessId process;
  std::string holder;
  bool of_row = false;  // it is told 1205 and not 0
  sim::Timer left;

  bool operator==(const Waiter&) const = default;
  static auto fields(auto& w) { return std::tie(w.process, w.holder, w.of_row, w.left); }
};

/// What is of a connection: a name, or a row that is locked.
struct OfConnection {
  ProcessId process;
  std::string holder;
  std::int64_t count = 1;
  std::vector<Waiter> queue;

  bool operator==(const OfConnection&) const = default;
  static auto fields(auto& o) { return std::tie(o.process, o.holder, o.count, o.queue); }
};

/// What somebody who waits is to be told.
struct Owed {
  ProcessId process;
  std::string lock, holder;
  std::int64_t answer = 0;

  bool operator==(const Owed&) const = default;
  static auto fields(auto& o) { return std::tie(o.process, o.lock, o.holder, o.answer); }
};

struct Database {
  static constexpr std::string_view kind = "mysql";

  bool leads = true;
  Duration lock_wait{}, clean_after{};
  std::map<std::string, Row> rows;
  std::map<std::string, OfConnection> held;
  std::vector<Owed> owed;  // by a connection that ended: told when the clock next moves

  bool operator==(const Database&) const = default;
  static auto fields(auto& d) {
    return std::tie(d.leads, d.lock_wait, d.clean_after, d.rows, d.held, d.owed);
  }
};
static_assert(sim::State<Database>);

model::Served serve(Database& database, ProcessId from, const model::Command& words);
/// Its wall clock moves by `wall`, and time by `steady`.
model::Unasked pass(Database& database, Duration steady, Duration wall);
void apply(Database& database, const model::Effects& effects, Duration skew);
void disconnect(Database& database, ProcessId process);
void disconnect_all(Database& database);
Duration next_change(const Database& database);

}  // namespace lockstep::mysql
