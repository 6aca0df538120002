#include "model/redis/pubsub/pubsub.h"

#include <algorithm>

namespace lockstep::redis {

void PubSub::rename(const sim::Renaming& renaming) {
  for (Listeners* const names : {&channels, &patterns, &shard_channels}) {
    Listeners renamed;
    while (!names->empty()) {
      auto node = names->extract(names->begin());
      std::vector<model::ConnectionId>& listeners = node.mapped();
      for (model::ConnectionId& listener : listeners)
        listener.value = renaming.of(sim::ProcessId{listener.value}).value;
      std::sort(listeners.begin(), listeners.end());
      renaming.put_into(node.key());
      renamed.insert(std::move(node));
    }
    *names = std::move(renamed);
  }
}

using model::ConnectionId;

bool subscribe(PubSub::Listeners& listeners, std::string_view name, ConnectionId connection) {
  std::vector<ConnectionId>& all = listeners[std::string(name)];
  if (std::find(all.begin(), all.end(), connection) != all.end()) return false;
  all.push_back(connection);
  return true;
}

bool unsubscribe(PubSub::Listeners& listeners, std::string_view name, ConnectionId connection) {
  const auto at = listeners.find(name);
  if (at == listeners.end()) return false;
  std::vector<ConnectionId>& all = at->second;
  const auto listener = std::find(all.begin(), all.end(), connection);
  if (listener == all.end()) return false;
  all.erase(listener);
  if (all.empty()) listeners.erase(at);
  return true;
}

std::vector<std::string> subscriptions(const PubSub::Listeners& listeners, ConnectionId connection) {
  std::vector<std::string> names;
  for (const auto& [name, all] : listeners) {
    if (std::find(all.begin(), all.end(), connection) != all.end()) names.push_back(name);
  }
  return names;
}

std::size_t count_subscriptions(const PubSub::Listeners& listeners, ConnectionId connection) {
  std::size_t count = 0;
  for (const auto& [name, all] : listeners) {
    if (std::find(all.begin(), all.end(), connection) != all.end()) ++count;
  }
  return count;
}

bool is_subscriber(const PubSub& pubsub, ConnectionId connection) {
  if (pubsub.empty()) return false;
  return count_subscriptions(pubsub.channels, connection) + count_subscriptions(pubsub.patterns, connection) +
             count_subscriptions(pubsub.shard_channels, connection) >
         0;
}

}  // namespace lockstep::redis
