#include "model/redis/data/snapshot.h"

#include <vector>

#include "model/redis/node.h"

namespace lockstep::redis {

Snapshot snapshot_of(const Node& node) {
  Snapshot snapshot{node.db, node.other_dbs, node.functions, {}, 0};
  const Replication& replication = *node.replication;
  if (replication.backlog.active) {
    snapshot.stream_id = replication.id;
    snapshot.stream_offset = replication.offset;
  }
  return snapshot;
}

void age(Snapshot& snapshot, sim::Duration passed, sim::Duration floor) {
  snapshot.db.age(passed, floor);
  if (snapshot.other_dbs->empty()) return;
  for (auto& [number, db] : snapshot.other_dbs.write()) db.age(passed, floor);
}

void load(Node& node, const Snapshot& snapshot) {
  node.db = snapshot.db;
  node.other_dbs = snapshot.other_dbs;
  node.functions = snapshot.functions;
}

}  // namespace lockstep::redis
