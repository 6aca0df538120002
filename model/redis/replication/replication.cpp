#include "model/redis/replication/replication.h"

#include <algorithm>

#include "model/redis/replication/effects.h"
#include "model/redis/node.h"
#include "sim/base/digest.h"

namespace lockstep::redis {

namespace {

constexpr std::size_t id_digits = 40;

std::string new_id(Replication& replication) {
  const auto digits = [&](std::string_view half) {
    return hex(sim::digest_of(replication.origin + ' ' + std::to_string(replication.ids_made) +
                              std::string(half)));
  };
  ++replication.ids_made;
  return (digits(" first") + digits(" second")).substr(0, id_digits);
}

void settle_good_replicas(Node& node) {
  Replication& replication = node.replication.write();
  replication.good_replicas =
      std::count_if(replication.replicas.begin(), replication.replicas.end(), [&](const Replica& replica) {
        return replica.state == Replica::State::online &&
               replica.lag_s <= node.settings->min_replicas_max_lag;
      });
}

/// The pieces in which Redis writes a command: each word, and what stands before and behind it.
std::int64_t feed_command(Backlog& backlog, const Command& command) {
  const std::int64_t bytes = stream_bytes(command);
  std::int64_t lengths = bytes;
  for (const std::string& word : command) lengths -= static_cast<std::int64_t>(word.size());
  feed(backlog, lengths);
  for (const std::string& word : command) feed(backlog, static_cast<std::int64_t>(word.size()));
  return bytes;
}

std::int64_t feed_effect(Replication& replication, const Effect& effect, std::int64_t wall_ms) {
  std::int64_t bytes = 0;
  if (replication.selected != effect.database) {
    replication.selected = effect.database;
    bytes += feed_command(replication.backlog, {"SELECT", std::to_string(effect.database)});
  }
  return bytes + feed_command(replication.backlog, words_at(effect, wall_ms));
}

bool writes_stream(const Node& node) { return node.role == Role::master && node.replication->backlog.active; }

void finish_item(Replication& replication, StreamItem item) {
  replication.offset += item.bytes;
  item.end = replication.offset;
  keep(replication.backlog, std::move(item));
}

void next_second(Node& node) {
  Replication& replication = node.replication.write();
  for (Replica& replica : replication.replicas) ++replica.lag_s;
  if (replication.master) {
    ++replication.master->silent_s;
    if (replication.master->down_s) ++*replication.master->down_s;
  }
  settle_good_replicas(node);
  if (--replication.seconds_to_ping == 0) {
    replication.seconds_to_ping = seconds_between_pings;
    if (!replication.replicas.empty()) write_stream(node, StreamItem::Kind::ping);
  }
  if (!replication.replicas.empty() || !writes_stream(node)) return;
  if (++replication.alone_s <= backlog_without_replicas_s) return;
  change_id(replication, OldId::forgotten);
  end(replication.backlog);
}

}  // namespace

void count_offsets(Node& node, std::string_view origin) {
  node.settings.write().counts_offsets = true;
  Replication fresh;
  fresh.origin = origin;
  fresh.id = new_id(fresh);
  node.replication = std::move(fresh);
}

void change_id(Replication& replication, OldId old) {
  const bool remembered = old == OldId::remembered;
  replication.second_id = remembered ? replication.id : std::string();
  replication.second_offset = remembered ? replication.offset + 1 : -1;
  replication.id = new_id(replication);
}

void write_stream(Node& node, const Effects& effects, std::int64_t wall_ms) {
  if (!writes_stream(node)) return;
  StreamItem item;
  for (const Effect& effect : effects)
    if (effect.target != Target::file) item.effects.push_back(effect);
  if (item.effects.empty()) return;
  Replication& replication = node.replication.write();
  const bool several = item.effects.size() > 1;
  if (several) item.bytes += feed_command(replication.backlog, {"MULTI"});
  for (const Effect& effect : item.effects) item.bytes += feed_effect(replication, effect, wall_ms);
  if (several) item.bytes += feed_command(replication.backlog, {"EXEC"});
  finish_item(replication, std::move(item));
}

void write_stream(Node& node, StreamItem::Kind kind) {
  if (!writes_stream(node)) return;
  Replication& replication = node.replication.write();
  StreamItem item;
  item.kind = kind;
  item.bytes = kind == StreamItem::Kind::ping
                   ? feed_command(replication.backlog, {"PING"})
                   : feed_command(replication.backlog, {"REPLCONF", "GETACK", "*"});
  finish_item(replication, std::move(item));
}

void count_execution(Node& node, ConnectionId from, const Outcome& outcome, bool ran, std::int64_t wall_ms) {
  if (!outcome.effects.empty()) write_stream(node, outcome.effects, wall_ms);
  const std::int64_t offset = node.replication->offset;
  const auto session = node.sessions->find(from);
  const std::int64_t before = session == node.sessions->end() ? 0 : session->second.last_offset;
  if (ran && before != offset) node.sessions.write()[from].last_offset = offset;
  if (outcome.waiting) write_stream(node, StreamItem::Kind::get_ack);
}

std::vector<StreamItem> items_after(const Node& node, std::int64_t offset) {
  return items_from(node.replication->backlog, offset + 1);
}

void pass(Node& node, Duration passed) {
  if (passed <= Duration::zero()) return;  // a clock that was set back leaves lags as they are
  Replication& replication = node.replication.write();
  age(replication.backlog, passed);
  constexpr Duration second{1'000};
  replication.into_second += passed;
  for (; replication.into_second >= second; replication.into_second -= second) next_second(node);
}

std::int64_t acknowledged(const Node& node, std::int64_t offset) {
  return std::count_if(node.replication->replicas.begin(), node.replication->replicas.end(),
                       [&](const Replica& replica) {
                         return replica.state == Replica::State::online && replica.acknowledged >= offset;
                       });
}

void acknowledge(Node& node, ConnectionId replica, std::int64_t offset) {
  for (Replica& known : node.replication.write().replicas) {
    if (known.connection != replica) continue;
    known.acknowledged = std::max(known.acknowledged, offset);
    known.lag_s = 0;
    if (known.state == Replica::State::online) return;
    known.state = Replica::State::online;
    settle_good_replicas(node);
    return;
  }
}

void detach(Node& node, ConnectionId connection) {
  const Replication& now = *node.replication;
  const auto is_it = [&](const Replica& replica) { return replica.connection == connection; };
  const bool replica = std::any_of(now.replicas.begin(), now.replicas.end(), is_it);
  if (!replica && !now.introduced.contains(connection)) return;
  Replication& replication = node.replication.write();
  replication.introduced.erase(connection);
  if (!replica) return;
  std::erase_if(replication.replicas, is_it);
  if (replication.replicas.empty()) replication.alone_s = 0;
  settle_good_replicas(node);
}

bool enough_good_replicas(const Node& node) {
  const Settings& settings = *node.settings;
  return node.role == Role::replica || settings.min_replicas_to_write == 0 ||
         settings.min_replicas_max_lag == 0 ||
         node.replication->good_replicas >= settings.min_replicas_to_write;
}

bool is_short_of_memory(const Node& node) {
  return node.role == Role::master && out_of_memory(*node.settings);
}

bool refuses_stale_reads(const Node& node) {
  if (node.settings->serves_stale || node.role == Role::master) return false;
  const auto& link = node.replication->master;
  return link && link->state != MasterLink::State::connected;
}

}  // namespace lockstep::redis
