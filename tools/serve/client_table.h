// client_table.h: the connections of a server by their number, the smallest that is free.
//
// Numbers begin with 1: a node's own calls, which come from no connection, have the number 0.
#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "tools/serve/connection.h"

namespace lockstep::tools::serve {

class ClientTable {
 public:
  /// Numbers have 16 bits.
  explicit ClientTable(std::size_t clients_max) : clients_max_(std::min<std::size_t>(clients_max, 65'535)) {}

  std::size_t most() const { return clients_max_; }
  /// Whether there are so many, or as many as may be.
  bool full(std::size_t wanted_max) const { return count_ >= std::min(wanted_max, clients_max_); }

  std::shared_ptr<Connection> add(Connection::Host& host, Connection::Socket socket) {
    std::size_t index = clients_.size();
    if (free_.empty()) {
      clients_.emplace_back();
    } else {
      index = *free_.begin();
      free_.erase(free_.begin());
    }
    ++count_;
    const auto id = sim::make_id<model::ConnectionId>(index + 1);
    return clients_[index] = std::make_shared<Connection>(host, std::move(socket), id);
  }

  void remove(model::ConnectionId id) {
    clients_[id.index() - 1].reset();
    free_.insert(id.index() - 1);
    --count_;
  }

  Connection* find(model::ConnectionId id) const {
    return id.index() >= 1 && id.index() <= clients_.size() ? clients_[id.index() - 1].get() : nullptr;
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& each : clients_)
      if (each) visit(*each);
  }

 private:
  std::size_t clients_max_;
  std::size_t count_ = 0;
  std::vector<std::shared_ptr<Connection>> clients_;  // by number; some are free
  std::set<std::size_t> free_;
};

}  // namespace lockstep::tools::serve
