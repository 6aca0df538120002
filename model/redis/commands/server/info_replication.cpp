// The replication section of INFO (Redis server.c, genRedisInfoString), for both roles.
#include <string>

#include "model/redis/node.h"

namespace lockstep::redis {

namespace {

std::string line(std::string_view name, std::string_view value) {
  return std::string(name) + ':' + std::string(value) + "\r\n";
}
std::string line(std::string_view name, std::int64_t value) { return line(name, std::to_string(value)); }

std::string of_master_link(const Replication& replication) {
  const MasterLink& link = *replication.master;
  const bool up = link.state == MasterLink::State::connected;
  std::string text = line("master_host", link.host) + line("master_port", link.port) +
                     line("master_link_status", up ? "up" : "down") +
                     line("master_last_io_seconds_ago", up ? link.silent_s : -1) +
                     line("master_sync_in_progress", std::int64_t{0});
  const std::int64_t offset = up || link.resumes ? replication.offset : 0;
  text += line("slave_read_repl_offset", offset) + line("slave_repl_offset", offset);
  if (!up) text += line("master_link_down_since_seconds", link.down_s.value_or(-1));
  return text + line("slave_priority", 100) + line("slave_read_only", 1) + line("replica_announced", 1);
}

std::string of_replicas(const Node& node) {
  const Replication& replication = *node.replication;
  const Settings& settings = *node.settings;
  std::string text = line("connected_slaves", static_cast<std::int64_t>(replication.replicas.size()));
  if (settings.min_replicas_to_write != 0 && settings.min_replicas_max_lag != 0)
    text += line("min_slaves_good_slaves", replication.good_replicas);
  int number = 0;
  for (const Replica& replica : replication.replicas) {
    const bool online = replica.state == Replica::State::online;
    text += "slave" + std::to_string(number++) + ":ip=" + replica.address +
            ",port=" + std::to_string(replica.port) + ",state=" + (online ? "online" : "wait_bgsave") +
            ",offset=" + std::to_string(replica.acknowledged) +
            ",lag=" + std::to_string(online ? replica.lag_s : 0) + "\r\n";
  }
  return text;
}

std::string id_or_zeros(const std::string& id) { return id.empty() ? std::string(40, '0') : id; }

}  // namespace

/// A node that does not count its stream says its role, and of a replica that its link is up.
std::string replication_section(const Node& node) {
  std::string text = "# Replication\r\n";
  const Replication& replication = *node.replication;
  text += line("role", node.role == Role::replica ? "slave" : "master");
  if (!node.settings->counts_offsets) {
    if (node.role == Role::replica) text += "master_link_status:up\r\nslave_read_only:1\r\n";
    return text + line("connected_slaves", std::int64_t{0});
  }
  if (replication.master) text += of_master_link(replication);
  const Backlog& backlog = replication.backlog;
  return text + of_replicas(node) + line("master_failover_state", "no-failover") +
         line("master_replid", id_or_zeros(replication.id)) +
         line("master_replid2", id_or_zeros(replication.second_id)) +
         line("master_repl_offset", replication.offset) +
         line("second_repl_offset", replication.second_offset) +
         line("repl_backlog_active", std::int64_t{backlog.active}) +
         line("repl_backlog_size", backlog.bytes_max) +
         line("repl_backlog_first_byte_offset", backlog.active ? backlog.first : 0) +
         line("repl_backlog_histlen", backlog.bytes());
}

}  // namespace lockstep::redis
