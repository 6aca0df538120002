// pubsub.h: who listens to what on one node.
//
// Subscribers of a channel are in the order in which they subscribed, which is the order of delivery. Where
// Redis walks a hash table (the patterns that match, UNSUBSCRIBE without arguments) the order here is that of
// the names' bytes. Invariant: a name without subscribers is not listed.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "model/wire.h"
#include "sim/base/fields.h"
#include "sim/base/rename.h"

namespace lockstep::redis {

struct PubSub {
  using Listeners = std::map<std::string, std::vector<model::ConnectionId>, std::less<>>;

  Listeners channels;
  Listeners patterns;
  Listeners shard_channels;  // a namespace of its own (SSUBSCRIBE)

  bool empty() const { return channels.empty() && patterns.empty() && shard_channels.empty(); }

  bool operator==(const PubSub&) const = default;
  static auto fields(auto& p) { return std::tie(p.channels, p.patterns, p.shard_channels); }
  /// A process is known here by the number of its connection (model/world).
  void rename(const sim::Renaming& renaming);
};
static_assert(sim::State<PubSub>);

/// Returns whether the subscription is new.
bool subscribe(PubSub::Listeners& listeners, std::string_view name, model::ConnectionId connection);

/// Returns whether there was such a subscription.
bool unsubscribe(PubSub::Listeners& listeners, std::string_view name, model::ConnectionId connection);

/// The names that a connection listens to.
std::vector<std::string> subscriptions(const PubSub::Listeners& listeners, model::ConnectionId connection);
std::size_t count_subscriptions(const PubSub::Listeners& listeners, model::ConnectionId connection);

/// Whether the connection is in subscriber mode, in which RESP2 allows few commands.
bool is_subscriber(const PubSub& pubsub, model::ConnectionId connection);

}  // namespace lockstep::redis
