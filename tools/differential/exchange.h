// exchange.h: a sequence of requests on several connections to a real server, and what came back on each.
//
// Requests run in the order in which they were added. Those of one connection in a row travel in one
// pipeline; before another connection's turn, everything due so far on this one is awaited: its replies, and
// the messages that were pushed to it. After the last, RESET ends what clients had begun, and whatever else
// came before its answer is kept too.
#pragma once

#include <memory>
#include <vector>

#include "tools/differential/real_server.h"

namespace lockstep::differential {

class Exchange {
 public:
  Exchange(RealServer& server, std::size_t connections);

  /// `due`: how many replies and messages this connection should have had when the request is answered.
  void add(std::size_t connection, model::Command command, std::size_t due);
  /// Sends what was added, and forgets it. What came back, for each connection.
  std::vector<std::vector<model::Reply>> carry_out();

 private:
  struct Request {
    std::size_t connection;
    std::size_t due;
  };

  void await(std::size_t connection, std::size_t due, std::vector<model::Reply>& received);
  void end(std::size_t connection, std::vector<model::Reply>& received);

  RealServer& server_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<Request> requests_;
  std::vector<model::Command> commands_;
};

}  // namespace lockstep::differential
