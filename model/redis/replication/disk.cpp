#include "model/redis/replication/disk.h"

#include <algorithm>

#include "model/redis/data/snapshot.h"
#include "model/redis/node.h"
#include "sim/base/verify.h"

namespace lockstep::redis {

namespace {

/// When a save point is fulfilled that has its changes.
Duration fulfilled_at(const SavePoint& point) { return point.after + Duration{1'000}; }

template <class Of>
auto most(const std::vector<SavePoint>& points, Of of) {
  auto found = of(SavePoint{});
  for (const SavePoint& point : points) found = std::max(found, of(point));
  return found;
}

std::int64_t changes_in(const Effects& effects) {
  return std::count_if(effects.begin(), effects.end(), [](const Effect& effect) {
    return effect.words.front() != "PUBLISH" && effect.words.front() != "SPUBLISH";
  });
}

void count_changes(Disk& disk, std::int64_t changes) {
  const auto enough = most(disk.points, [](const SavePoint& point) { return point.changes; });
  disk.changes = std::min(disk.changes + changes, enough);
  for (const SavePoint& point : disk.points) {
    if (disk.changes < point.changes) continue;
    const Duration left = std::max(fulfilled_at(point) - disk.age, save_check);
    disk.saves_in = std::min(disk.saves_in.value_or(left), left);
  }
}

bool is_up(const Disk& disk) { return disk.power == Disk::Power::on; }

void grow_older(Disk& disk, Duration passed) {
  if (disk.points.empty()) return;
  disk.age = std::min(disk.age + passed, fulfilled_at({most(disk.points, [](const SavePoint& point) {
                        return point.after;
                      }), 0}));
  if (disk.saves_in) disk.saves_in = sim::count_down(*disk.saves_in, passed);
}

void begin_anew(Disk& disk) {
  disk.changes = 0;
  disk.age = Duration::zero();
  disk.saves_in.reset();
}

}  // namespace

Disk disk_of(const model::ServerSettings& settings) {
  Disk disk;
  disk.kept = settings.persistence;
  disk.loading = settings.loading;
  if (disk.kept == Persistence::snapshot) disk.points = settings.save;
  if (disk.kept == Persistence::append_only) disk.fsync = settings.fsync;
  return disk;
}

void note_write(Node& node, const Keyspace& before, const Effects& effects) {
  const std::int64_t changes = changes_in(effects);
  if (changes == 0) return;
  Disk& disk = node.disk.write();
  count_changes(disk, changes);
  if (disk.fsync == Fsync::always) return;
  disk.unsynced.push_back({before, disk.fsync == Fsync::everysec ? everysec_window : writeback_window});
}

void save(Node& node) {
  node.snapshot = snapshot_of(node);
  if (node.disk->counts()) begin_anew(node.disk.write());
}

bool save_is_due(const Node& node) { return is_up(*node.disk) && node.disk->saves_in == Duration::zero(); }

void pass_on_disk(Node& node, Duration passed) {
  const bool loads = node.disk->loading_left > Duration::zero();
  if (passed == Duration::zero() || (!node.disk->counts() && !loads && is_up(*node.disk))) return;
  Disk& disk = node.disk.write();
  for (Disk::Version& version : disk.unsynced) version.before.age(passed);
  if (!is_up(disk)) {
    disk.power = Disk::Power::off;
    return;
  }
  disk.loading_left = sim::count_down(disk.loading_left, passed);
  for (Disk::Version& version : disk.unsynced) version.left -= passed;
  std::erase_if(disk.unsynced, [](const Disk::Version& each) { return each.left < Duration::zero(); });
  grow_older(disk, passed);
}

void jump_on_disk(Node& node, Duration by) {
  if (node.snapshot) age(*node.snapshot, by);
  if (!node.disk->counts()) return;
  Disk& disk = node.disk.write();
  for (Disk::Version& version : disk.unsynced) version.before.age(by);
  if (is_up(disk)) grow_older(disk, by);
}

Duration next_change_on_disk(const Node& node) {
  const Disk& disk = *node.disk;
  if (!is_up(disk)) return sim::never;
  Duration next = disk.saves_in.value_or(sim::never);
  if (disk.loading_left > Duration::zero()) next = std::min(next, disk.loading_left);
  if (!disk.unsynced.empty()) next = std::min(next, disk.unsynced.front().left + Duration{1});
  return next;
}

void crash(Node& node) {
  if (node.disk->kept != Persistence::none) node.disk.write().power = Disk::Power::cut;
}

void restart_disk(Node& node) {
  if (node.disk->power == Disk::Power::on) return;
  Disk& disk = node.disk.write();
  disk.power = Disk::Power::on;
  disk.loading_left = disk.loading;
  begin_anew(disk);
}

void replace_on_disk(Node& node) {
  if (node.disk->kept == Persistence::snapshot) save(node);
  if (!node.disk->unsynced.empty()) node.disk.write().unsynced.clear();
}

std::size_t versions_to_lose(const Node& node) {
  return node.disk->power == Disk::Power::cut ? node.disk->unsynced.size() : 0;
}

void lose_power(Node& node, std::size_t version) {
  VERIFY(version < versions_to_lose(node));
  Disk& disk = node.disk.write();
  node.db = disk.unsynced[version].before;
  if (node.role == Role::master) node.db.bury();
  disk.unsynced.resize(version);
  disk.power = Disk::Power::off;
}

}  // namespace lockstep::redis
