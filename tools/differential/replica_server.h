// replica_server.h: real servers on loopback that replicate from each other, with their own clocks.
//
// Clients come through a unix socket. Nothing is sent to replicas but what commands write: PING is put off
// for an hour. A server may be killed and started again on the same files, and its machine may lose power.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "model/redis/replication/persistence.h"
#include "tools/differential/connection.h"
#include "tools/differential/slow_disk.h"

namespace lockstep::differential {

class ReplicaServer {
 public:
  /// What is in its files: nothing but what SAVE writes, or every write as well.
  explicit ReplicaServer(std::optional<redis::AppendFsync> log = std::nullopt);
  ~ReplicaServer();
  ReplicaServer(const ReplicaServer&) = delete;
  ReplicaServer& operator=(const ReplicaServer&) = delete;

  bool runs() const { return connection_ != nullptr && connection_->works(); }
  int port() const { return port_; }
  SlowDisk& disk() { return *disk_; }

  void start();
  /// kill -9
  void kill();
  /// kill -9, and what was not synced is gone from its log.
  void lose_power();
  /// Stops the process where it is, and lets it go on.
  void freeze() const;
  void thaw() const;

  model::Reply ask(const model::Command& command) { return connection_->ask(command); }
  model::Reply operator()(std::string_view line);
  std::unique_ptr<Connection> another_connection() const;

  /// A line of a section of INFO; empty if there is none.
  std::string told(std::string_view section, std::string_view name);

 private:
  [[noreturn]] void become_server() const;

  std::optional<redis::AppendFsync> log_;
  int port_ = 0;
  std::string directory_;
  std::optional<SlowDisk> disk_;
  pid_t child_ = -1;
  std::unique_ptr<Connection> connection_;
};

}  // namespace lockstep::differential
