#include "model/redis/replication/persistence.h"

#include <algorithm>

#include "model/redis/node.h"
#include "sim/base/verify.h"

namespace lockstep::redis {

namespace {

void bury_all(Node& node) {
  node.db.bury();
  if (node.other_dbs->empty()) return;
  Databases& others = node.other_dbs.write();
  for (auto& [number, db] : others) db.bury();
  std::erase_if(others, [](const auto& db) { return db.second.size() == 0; });
}

/// What no file keeps.
void forget_connections(Node& node) {
  node.scripts.clear();
  node.pubsub = PubSub{};
  node.sessions = {};
  node.watchers = {};
  node.monitors = {};
}

/// A server that starts has a stream of its own. What a snapshot knew of the old one lets a replica ask to go
/// on, and a master let others go on (server.c, loadDataFromDisk).
void restart_replication(Node& node, const Snapshot* loaded) {
  if (!node.settings->counts_offsets) return;
  Replication fresh;
  const Replication& old = *node.replication;
  fresh.origin = old.origin;
  fresh.ids_made = old.ids_made;
  fresh.backlog.bytes_max = old.backlog.bytes_max;
  change_id(fresh, OldId::forgotten);
  const bool knows = loaded && !loaded->stream_id.empty();
  if (old.master)
    fresh.master = MasterLink{.host = old.master->host, .port = old.master->port, .resumes = knows};
  if (knows) {
    fresh.offset = loaded->stream_offset;
    if (old.master) {
      fresh.id = loaded->stream_id;
    } else {
      fresh.second_id = loaded->stream_id;
      fresh.second_offset = loaded->stream_offset + 1;
    }
    begin(fresh.backlog, fresh.offset);
  }
  node.replication = std::move(fresh);
}

}  // namespace

void append(AppendOnlyFile& file, const Effects& effects) {
  AppendOnlyFile::Batch batch;
  for (const Effect& effect : effects)
    if (effect.target != Target::replicas) batch.effects.push_back(effect);
  if (!batch.effects.empty()) file.log.push_back(std::move(batch));
}

void rewrite(AppendOnlyFile& file, const Node& node) {
  file.base = snapshot_of(node);
  file.log.clear();
}

void age(AppendOnlyFile& file, Duration passed) {
  age(file.base, passed, Duration::min());
  for (AppendOnlyFile::Batch& batch : file.log) {
    age(batch.effects, passed);
    batch.age += passed;
  }
}

std::size_t losable(const AppendOnlyFile& file, Outage outage) {
  if (file.fsync == AppendFsync::always) return 0;
  if (file.fsync == AppendFsync::no) return outage == Outage::process ? 0 : file.log.size();
  const auto old_enough = std::find_if(file.log.begin(), file.log.end(), [](const auto& batch) {
    return batch.age <= everysec_loss_max;
  });
  return static_cast<std::size_t>(file.log.end() - old_enough);
}

void restart(Node& node, Persistence persistence) {
  const Snapshot* const loaded =
      persistence == Persistence::snapshot && node.snapshot ? &*node.snapshot : nullptr;
  if (persistence != Persistence::append_only) {
    load(node, loaded ? *loaded : Snapshot{});
    if (node.role == Role::master) bury_all(node);
  }
  restart_replication(node, loaded);
  forget_connections(node);
}

void restart(Node& node, AppendOnlyFile& file, std::size_t lost, const Environment& environment) {
  VERIFY(lost <= file.log.size());
  file.log.resize(file.log.size() - lost);
  load(node, file.base);
  if (node.role == Role::master) bury_all(node);  // the base is a snapshot
  for (const AppendOnlyFile::Batch& batch : file.log) load_effects(node, batch.effects, environment);
  restart_replication(node, nullptr);
  forget_connections(node);
}

}  // namespace lockstep::redis
