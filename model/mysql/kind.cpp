#include "model/mysql/kind.h"

#include <algorithm>

#include "model/mysql/database.h"

namespace lockstep::mysql {

namespace {

using model::Server;
using model::Stored;

Database& open_in(Server& server) { return server.write<Database>(); }
const Database& in(const Server& server) { return server.get<Database>(); }

/// When the row of a lock is no longer there, or counts no more.
std::optional<Duration> left_of(const Row& row) {
  if (!row.counts || !row.cleaned)
    return row.counts    ? std::optional(row.counts->left)
           : row.cleaned ? std::optional(row.cleaned->left)
                         : std::nullopt;
  return std::min(row.counts->left, row.cleaned->left);
}

/// Its time is over, though nobody has removed it yet.
bool is_over(const Row& row) { return row.counts && row.counts->due(); }

std::optional<Stored> find(const void* server, const std::string& lock) {
  const auto& database = *static_cast<const Database*>(server);
  if (const auto row = database.rows.find(lock); row != database.rows.end()) {
    if (is_over(row->second)) return std::nullopt;
    return Stored{Stored::Form::string, {{"", row->second.holder}}, left_of(row->second), {}};
  }
  const auto held = database.held.find(lock);
  if (held == database.held.end()) return std::nullopt;
  return Stored{Stored::Form::list, {{"", held->second.holder}}, {}, {}};
}

std::vector<std::string> names(const void* server) {
  std::vector<std::string> found;
  for (const auto& [lock, row] : static_cast<const Database*>(server)->rows)
    if (!is_over(row)) found.push_back(lock);
  for (const auto& [lock, its] : static_cast<const Database*>(server)->held) found.push_back(lock);
  return found;
}

std::optional<std::string> left_behind(const Server& server, const model::Excused& excused) {
  for (const auto& [lock, row] : in(server).rows)
    if (!is_over(row) && !excused(lock)) return "stores the row " + lock;
  return std::nullopt;
}

std::optional<sim::KeyChange> described(const std::string& node, const std::string& lock,
                                        const Database& in) {
  const auto stored = find(&in, lock);
  if (!stored) return std::nullopt;
  sim::KeyChange change{.node = node, .key = lock, .type = "string"};
  change.fields.emplace_back("", std::string(stored->items[0].second));
  if (stored->left) change.pttl_ms = stored->left->count();
  return change;
}

std::vector<sim::KeyChange> changes(const std::string& node, const Server& before, const Server& after) {
  std::vector<sim::KeyChange> found;
  for (const std::string& lock : names(&in(before)))
    if (!described(node, lock, in(after)) && described(node, lock, in(before)))
      found.push_back({.node = node, .key = lock, .present = false, .type = {}});
  for (const std::string& lock : names(&in(after)))
    if (auto now = described(node, lock, in(after)); now && now != described(node, lock, in(before)))
      found.push_back(*std::move(now));
  return found;
}

}  // namespace

const model::ServerKind server_kind{
    .name = Database::kind,
    .sessions = true,
    .make = [](const model::ServerSettings& settings) -> Server {
      Database database;
      database.leads = settings.role == model::ServerRole::master;
      database.lock_wait = settings.others.lock_wait;
      database.clean_after = settings.others.clean_after;
      return database;
    },
    .serve = [](Server& server, model::ConnectionId from, const model::Command& words,
                const model::Serving&) { return serve(open_in(server), model::process_of(from), words); },
    .disconnect = [](Server& server, ProcessId process) { disconnect(open_in(server), process); },
    .disconnect_all = [](Server& server) { disconnect_all(open_in(server)); },
    .restart = [](Server&, model::Persistence) {},  // what was answered is on its disk
    .pass = [](Server& server, Duration passed) { return pass(open_in(server), passed, passed); },
    .jump = [](Server& server, Duration by) { return pass(open_in(server), Duration::zero(), by); },
    .counts_down = [](const Server& server) { return next_change(in(server)) != sim::never; },
    .next_change = [](const Server& server) { return next_change(in(server)); },
    .apply =
        [](Server& server, const model::Effects& effects, Duration skew, const model::Serving&) {
          apply(open_in(server), effects, skew);
          return std::vector<model::Push>{};
        },
    .leads = [](const Server& server) { return in(server).leads; },
    .promote = [](Server& server) { open_in(server).leads = true; },
    .resynchronise =
        [](Server& server, const Server& master, Duration) {
          open_in(server).rows = in(master).rows;
          open_in(server).leads = false;
          disconnect_all(open_in(server));
        },
    .same_data =
        [](const Server& one, const Server& other) {
          const auto alike = [](const auto& a, const auto& b) {
            return a.first == b.first && a.second.holder == b.second.holder;
          };
          return in(one).rows.size() == in(other).rows.size() &&
                 std::equal(in(one).rows.begin(), in(one).rows.end(), in(other).rows.begin(), alike);
        },
    .look = [](const Server& server) -> model::Look {
      return {&in(server), find, names};
    },
    .left_behind = left_behind,
    .changes = changes,
    .quoted = [](const std::string& word) { return word; },
    .faults = {}};

}  // namespace lockstep::mysql
