// replica_stream.h: what a master sends to its replicas, as one of them receives it.
//
// The connection asks with SYNC, as replicas did before PSYNC: the server then neither waits for
// acknowledgements nor counts time for it. The payload that comes first, a snapshot, is left unread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/differential/connection.h"

namespace lockstep::differential {

class ReplicaStream {
 public:
  /// Returns when the server has begun to send what it writes.
  explicit ReplicaStream(std::unique_ptr<Connection> connection);

  /// What came since the last time, up to a command that is exactly `end`: MULTI and EXEC, and each other
  /// command behind SELECT and the number of its database. PING is left out.
  std::vector<model::Command> until(const model::Command& end);

 private:
  std::unique_ptr<Connection> connection_;
  std::string database_ = "0";  // that the stream selected last
};

}  // namespace lockstep::differential
