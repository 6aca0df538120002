// waiting_clients.h: clients that WAIT has blocked, and until when.
//
// A served node has no replicas, so nothing but time can end a wait. As in Redis it is noticed that a time
// is over when something happens or at the next of the ten ticks of a second.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "model/wire.h"

namespace lockstep::tools::serve {

class WaitingClients {
 public:
  /// `until_ms`: by the node's wall clock; absent: for ever.
  void add(model::ConnectionId id, std::optional<std::int64_t> until_ms) { waits_.push_back({id, until_ms}); }

  void forget(model::ConnectionId id) {
    std::erase_if(waits_, [id](const Wait& wait) { return wait.id == id; });
  }

  /// Those whose time is over, in the order in which they began to wait; they wait no longer.
  std::vector<model::ConnectionId> take_due(std::int64_t now_ms) {
    std::vector<model::ConnectionId> due;
    std::erase_if(waits_, [&](const Wait& wait) {
      const bool over = wait.until_ms && *wait.until_ms <= now_ms;
      if (over) due.push_back(wait.id);
      return over;
    });
    return due;
  }

 private:
  struct Wait {
    model::ConnectionId id;
    std::optional<std::int64_t> until_ms;
  };
  std::vector<Wait> waits_;
};

}  // namespace lockstep::tools::serve
