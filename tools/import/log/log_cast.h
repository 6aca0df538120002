// log_cast.h: who takes part in a log: clients by the names that they store for their threads, and
// connections.
//
// A holder "uuid:26" is thread 26 of a client, which is called A, B … in the order in which they appear:
// A26. A connection of which no such name is known is a client of its own, called by its address.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/wire.h"
#include "sim/trace.h"

namespace lockstep::tools {

class LogCast {
 public:
  /// The thread that stores this name, and the client that it is of.
  const std::string& thread(const std::string& holder);
  std::string client_of(const std::string& holder);
  /// The client of a connection.
  const std::string& client(const std::string& address);
  model::ConnectionId connection(const std::string& address);
  /// The client that has this connection; empty: none.
  std::string owner(model::ConnectionId connection) const;
  const std::string& server(std::uint8_t database);

  std::vector<sim::TraceActor> actors() const { return actors_; }
  std::size_t threads() const { return threads_.size(); }

 private:
  std::vector<sim::TraceActor> actors_;
  std::map<std::string, std::string> threads_, clients_, addresses_;
  std::map<std::string, model::ConnectionId> connections_;
  std::map<std::uint8_t, std::string> servers_;
};

}  // namespace lockstep::tools
