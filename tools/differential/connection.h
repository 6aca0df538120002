// connection.h: one client connection to a real server behind a unix socket.
//
// Commands may be sent in any number before their replies are read: Redis queues replies without a limit for
// ordinary clients, so neither side waits for the other. A server that is gone, or says nothing for ten
// seconds, makes every further answer nullopt.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/wire.h"
#include "tools/differential/reply_reader.h"

namespace lockstep::differential {

class Connection {
 public:
  /// Connects, or tells by `works` that there is nobody to connect to.
  explicit Connection(const std::string& socket_path);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool works() const { return socket_ >= 0; }

  /// Sends the commands without waiting for anything.
  void send(std::span<const model::Command> commands);
  /// The next reply, or the next message to a subscriber or monitor.
  std::optional<model::Reply> receive();

  /// Waits for the payload with which a master answers SYNC, and forgets it.
  void skip_payload();

  /// The replies to the commands, one for each; where the connection broke, an error that says so.
  std::vector<model::Reply> ask(std::span<const model::Command> commands);
  model::Reply ask(const model::Command& command);

 private:
  void read_more();
  void give_up();

  int socket_ = -1;
  ReplyReader reader_;
};

}  // namespace lockstep::differential
