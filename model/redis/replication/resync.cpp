#include "model/redis/replication/resync.h"

#include "model/redis/node.h"
#include "sim/base/verify.h"

namespace lockstep::redis {

namespace {

std::vector<ConnectionId> disconnect_replicas(Node& node) {
  std::vector<ConnectionId> gone;
  for (const Replica& replica : node.replication->replicas) gone.push_back(replica.connection);
  for (const ConnectionId connection : gone) detach(node, connection);
  return gone;
}

bool has_all_from(const Replication& master, const PsyncRequest& request) {
  const bool same = request.id == master.id;
  const bool before = !master.second_id.empty() && request.id == master.second_id &&
                      request.offset <= master.second_offset;
  const Backlog& backlog = master.backlog;
  return (same || before) && backlog.active && request.offset >= backlog.first &&
         request.offset <= master.offset + 1;
}

void attach(Node& master, ConnectionId connection, const Introduction& who, Replica::State state) {
  Replication& replication = master.replication.write();
  replication.introduced.erase(connection);
  replication.replicas.push_back({connection, who.address, who.port, Replica::State::loads, 0, 0});
  if (state == Replica::State::online) acknowledge(master, connection, 0);
}

void take_all(Node& replica, const FullResync& all, Duration skew) {
  Snapshot data = all.data;
  age(data, skew, floor_of_deaths(*replica.settings));
  load(replica, data);
  Replication& replication = replica.replication.write();
  replication.id = all.id;
  replication.offset = all.offset;
  replication.second_id.clear();
  replication.second_offset = -1;
  begin(replication.backlog, all.offset);
}

}  // namespace

bool replicate_from(Node& node, std::string_view host, std::int64_t port) {
  Replication& replication = node.replication.write();
  if (replication.master && replication.master->host == host && replication.master->port == port)
    return false;
  const bool was_master = node.role == Role::master;
  const bool resumes = was_master || (replication.master && replication.master->resumes);
  if (replication.master) lose_master(node);
  node.role = Role::replica;
  const auto down_s = replication.master ? replication.master->down_s : std::nullopt;
  replication.master =
      MasterLink{.host = std::string(host), .port = port, .resumes = resumes, .down_s = down_s};
  if (was_master && node.settings->counts_offsets && !replication.backlog.active)
    begin(replication.backlog, replication.offset);
  return true;
}

PsyncRequest psync_request(const Node& replica) {
  const Replication& replication = *replica.replication;
  if (!replication.master || !replication.master->resumes) return {};
  return {replication.id, replication.offset + 1};
}

std::optional<Resync> psync(Node& master, ConnectionId connection, const Introduction& who,
                            const PsyncRequest& request) {
  Replication& replication = master.replication.write();
  if (replication.master && replication.master->state != MasterLink::State::connected) return std::nullopt;
  if (has_all_from(replication, request)) {
    ++replication.syncs.partial_ok;
    attach(master, connection, who, Replica::State::online);
    return Continue{master.replication->id, items_after(master, request.offset - 1)};
  }
  if (!request.id.starts_with('?')) ++replication.syncs.partial_err;
  ++replication.syncs.full;
  attach(master, connection, who, Replica::State::loads);
  Replication& with_it = master.replication.write();
  if (with_it.replicas.size() == 1 && !with_it.backlog.active) {
    change_id(with_it, OldId::forgotten);
    begin(with_it.backlog, with_it.offset);
  }
  with_it.selected = -1;
  return FullResync{with_it.id, with_it.offset, snapshot_of(master)};
}

std::vector<ConnectionId> follow(Node& replica, const Resync& resync, Duration skew) {
  Replication& replication = replica.replication.write();
  VERIFY(replication.master);
  replication.master->state = MasterLink::State::connected;
  replication.master->resumes = true;
  replication.master->silent_s = 0;
  replication.master->down_s.reset();
  if (const auto* const all = std::get_if<FullResync>(&resync)) {
    std::vector<ConnectionId> gone = disconnect_replicas(replica);
    take_all(replica, *all, skew);
    return gone;
  }
  if (!replication.backlog.active) begin(replication.backlog, replication.offset);
  const std::string& id = std::get<Continue>(resync).id;
  if (id == replication.id) return {};
  replication.second_id = replication.id;
  replication.second_offset = replication.offset + 1;
  replication.id = id;
  return disconnect_replicas(replica);
}

std::vector<Push> receive(Node& replica, const StreamItem& item, Duration skew,
                          const Environment& environment) {
  Replication& replication = replica.replication.write();
  VERIFY(replication.master && item.begin() == replication.offset + 1);
  replication.master->silent_s = 0;
  replication.offset = item.end;
  feed(replication.backlog, item.bytes);
  StreamItem own = item;
  age(own.effects, skew);
  keep(replication.backlog, std::move(own));
  return apply_effects(replica, item.effects, skew, environment);
}

void lose_master(Node& replica) {
  Replication& replication = replica.replication.write();
  if (!replication.master) return;
  if (replication.master->state == MasterLink::State::connected) replication.master->down_s = 0;
  replication.master->state = MasterLink::State::connect;
}

std::vector<ConnectionId> become_master(Node& node) {
  if (node.role == Role::master) return {};
  Replication& replication = node.replication.write();
  replication.master.reset();
  if (!node.settings->counts_offsets) {
    promote(node);
    return {};
  }
  node.role = Role::master;  // its dead keys go like any master's, with a DEL
  change_id(replication, OldId::remembered);
  replication.selected = -1;
  replication.alone_s = 0;
  return disconnect_replicas(node);
}

}  // namespace lockstep::redis
