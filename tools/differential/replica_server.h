// replica_server.h: real servers on loopback that replicate from each other, with their own clocks.
//
// Clients come through a unix socket. Nothing is sent to replicas but what commands write: PING is put off
// for an hour. A server may be killed and started again on the same files.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tools/differential/connection.h"

namespace lockstep::differential {

class ReplicaServer {
 public:
  enum class Keep : std::uint8_t { nothing, saves, log };  // what is in its files: nothing, SAVE, every write

  explicit ReplicaServer(Keep keep = Keep::nothing);
  ~ReplicaServer();
  ReplicaServer(const ReplicaServer&) = delete;
  ReplicaServer& operator=(const ReplicaServer&) = delete;

  bool runs() const { return connection_ != nullptr && connection_->works(); }
  int port() const { return port_; }

  void start();
  /// kill -9
  void kill();
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

  Keep keep_;
  int port_ = 0;
  std::string directory_;
  pid_t child_ = -1;
  std::unique_ptr<Connection> connection_;
};

}  // namespace lockstep::differential
