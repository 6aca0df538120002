// server.h: a node behind sockets: it listens, and runs what many clients ask in one thread, in the order
// in which it arrives.
//
// Without addresses it listens on 127.0.0.1 and, if the machine has it, on ::1 with the same port.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "tools/serve/served_node.h"

namespace lockstep::tools::serve {

struct Settings {
  std::optional<std::uint16_t> port;  // 0: any that is free; absent: no TCP
  std::vector<std::string> bind;      // addresses; none: loopback
  std::string unix_path;              // empty: no unix socket
  std::size_t clients_max = 10'000;   // fewer if the machine does not allow as many open files
  ServedNode::Time time = ServedNode::Time::real;
  std::int64_t epoch_ms = 1'700'000'000'000;  // as in a scenario
  bool runs_within_commands = false;          // real time only: as Redis 7.0; else it stands, as from 7.2

  // If given, they are told who comes and goes, and each command before it runs.
  std::function<void(model::ConnectionId, std::string_view event)> on_client;
  std::function<void(model::ConnectionId, const model::Command&)> on_command;
};

class Server {
 public:
  explicit Server(Settings settings);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Opens the sockets. The addresses in the form "127.0.0.1:6379", "[::1]:6379" or a path.
  sim::Result<std::vector<std::string>> listen();

  /// Serves until SIGINT or SIGTERM.
  void run();

 private:
  class Sockets;
  std::unique_ptr<Sockets> sockets_;
};

}  // namespace lockstep::tools::serve
