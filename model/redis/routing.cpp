#include "model/redis/routing.h"

#include <vector>

namespace lockstep::redis {

namespace {

using cluster::Map;
using cluster::NodeName;
using cluster::Slot;
using lua::Error;
using lua::Nil;

/// How a request stands to this node.
enum class Route : std::uint8_t { served, moved, ask, cross_slot, try_again, cluster_down, not_served };

struct Routing {
  Route route = Route::served;
  std::optional<Slot> slot;
  const NodeName* elsewhere = nullptr;  // for moved and ask
};

/// The keys of a request, or of all commands of a transaction.
struct Asked {
  std::vector<std::string_view> keys;
  bool writes = false;
  bool shard_channels = false;
};

Asked asked_by(const Spec& spec, Words words, const Transaction* transaction) {
  Asked asked;
  if (spec.name != "exec" || !transaction)
    return {keys_of(spec, words), spec.has(write), spec.has(shard_channel)};
  for (const Command& command : transaction->queued) {
    const std::vector<std::string_view> queued(command.begin(), command.end());
    const Spec* const one = find_command(queued);
    // The keys are views of the queued words, which outlive this.
    for (const std::string_view key : keys_of(*one, queued)) asked.keys.push_back(key);
    asked.writes = asked.writes || one->has(write);
  }
  return asked;
}

/// While a slot moves: how many of the keys are here.
struct Presence {
  std::size_t here = 0, missing = 0;
};

Presence presence(const Node& node, const std::vector<std::string_view>& keys) {
  Presence found;
  for (const std::string_view key : keys) ++(node.db.find(key) ? found.here : found.missing);
  return found;
}

/// While the slot moves from or to this node.
std::optional<Routing> route_of_moving_slot(const Node& node, const Map& map, Slot slot, bool mine, bool asking,
                                            const Asked& asked, bool several_keys) {
  const auto target = map.migrating.find(slot);
  if (mine && target != map.migrating.end() && !asked.shard_channels) {
    const Presence found = presence(node, asked.keys);
    if (found.missing > 0)
      return found.here > 0 ? Routing{Route::try_again, slot} : Routing{Route::ask, slot, &target->second};
  }
  if (!mine && map.importing.contains(slot) && asking) {
    const bool incomplete = several_keys && !asked.shard_channels && presence(node, asked.keys).missing > 0;
    return Routing{incomplete ? Route::try_again : Route::served, slot};
  }
  return std::nullopt;
}

Routing route(const Node& node, const Map& map, const Session* session, const Asked& asked) {
  std::optional<Slot> slot;
  bool several_keys = false;
  const NodeName* owner = nullptr;
  for (const std::string_view key : asked.keys) {
    const Slot its = cluster::slot_of(key);
    if (slot && *slot != its) return {Route::cross_slot};
    if (slot) {
      several_keys = several_keys || key != asked.keys.front();
      continue;
    }
    slot = its;
    owner = cluster::owner_of(map, its);
    if (!owner) return {Route::not_served, slot};
  }
  if (!slot) return {};
  if (!map.ok && !asked.shard_channels) return {Route::cluster_down, slot};
  const bool mine = *owner == map.myself;
  const bool asking = session && session->asking;
  if (const auto moving = route_of_moving_slot(node, map, *slot, mine, asking, asked, several_keys))
    return *moving;
  const bool copies_it = map.me().kind == cluster::Kind::replica && map.me().master == *owner;
  const bool reads = (session && session->reads_replicas) || asked.shard_channels;
  if (mine || (copies_it && reads && !asked.writes)) return {Route::served, slot};
  return {Route::moved, slot, owner};
}

Error redirection(const char* word, const Map& map, const Routing& routing) {
  const cluster::Address& address = map.members.at(*routing.elsewhere).address;
  return {std::string(word) + ' ' + std::to_string(*routing.slot) + ' ' + address.ip + ':' +
          std::to_string(address.port)};
}

Reply answer(const Map& map, const Routing& routing) {
  switch (routing.route) {
    case Route::served: return Nil{};
    case Route::moved: return redirection("MOVED", map, routing);
    case Route::ask: return redirection("ASK", map, routing);
    case Route::cross_slot: return Error{"CROSSSLOT Keys in request don't hash to the same slot"};
    case Route::try_again: return Error{"TRYAGAIN Multiple keys request during rehashing of slot"};
    case Route::cluster_down: return Error{"CLUSTERDOWN The cluster is down"};
    case Route::not_served: return Error{"CLUSTERDOWN Hash slot not served"};
  }
  return Nil{};
}

}  // namespace

std::optional<Slot> slot_of(const Spec& spec, Words words) {
  const std::vector<std::string_view> keys = keys_of(spec, words);
  if (keys.empty()) return std::nullopt;
  return cluster::slot_of(keys.front());
}

Reply misrouted(Call& call, const Spec& spec, Words words, const Transaction* transaction) {
  const std::optional<Map>& map = *call.node().cluster;
  if (!map) return Nil{};
  return answer(*map, route(call.node(), *map, call.session(), asked_by(spec, words, transaction)));
}

Reply misrouted_in_script(Call& call, const Spec& spec, Words words, bool may_cross_slots,
                          std::optional<Slot>& slot) {
  const std::optional<Map>& map = *call.node().cluster;
  if (!map) return Nil{};
  const Routing routing = route(call.node(), *map, call.session(), asked_by(spec, words, nullptr));
  if (routing.route == Route::cluster_down)
    return Error{"ERR Script attempted to execute a command while the cluster is down"};
  if (routing.route != Route::served)
    return Error{"ERR Script attempted to access a non local key in a cluster node"};
  if (!routing.slot || may_cross_slots) return Nil{};
  if (slot && *slot != *routing.slot)
    return Error{"ERR Script attempted to access keys that do not hash to the same slot"};
  slot = routing.slot;
  return Nil{};
}

}  // namespace lockstep::redis
