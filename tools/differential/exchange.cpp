#include "tools/differential/exchange.h"

namespace lockstep::differential {

using model::Command;
using model::Reply;

Exchange::Exchange(RealServer& server, std::size_t connections) : server_(server) {
  while (connections_.size() < connections) connections_.push_back(server.another_connection());
}

void Exchange::add(std::size_t connection, Command command, std::size_t due) {
  requests_.push_back({connection, due});
  commands_.push_back(std::move(command));
}

std::vector<std::vector<Reply>> Exchange::carry_out() {
  std::vector<std::vector<Reply>> received(connections_.size());
  const std::span<const Command> all = commands_;
  for (std::size_t from = 0, to = 0; from < requests_.size(); from = to) {
    const std::size_t connection = requests_[from].connection;
    while (to < requests_.size() && requests_[to].connection == connection) ++to;
    connections_[connection]->send(all.subspan(from, to - from));
    await(connection, requests_[to - 1].due, received[connection]);
  }
  for (std::size_t i = 0; i < connections_.size(); ++i) end(i, received[i]);
  requests_.clear();
  commands_.clear();
  return received;
}

void Exchange::await(std::size_t connection, std::size_t due, std::vector<Reply>& received) {
  while (received.size() < due) {
    auto reply = connections_[connection]->receive();
    if (!reply) return;
    received.push_back(std::move(*reply));
  }
}

void Exchange::end(std::size_t connection, std::vector<Reply>& received) {
  const Command reset{"RESET"};
  connections_[connection]->send(std::span(&reset, 1));
  while (auto reply = connections_[connection]->receive()) {
    if (*reply == Reply(lua::Status{"RESET"})) return;
    received.push_back(std::move(*reply));
  }
  connections_[connection] = server_.another_connection();  // it broke, or something was never answered
}

}  // namespace lockstep::differential
