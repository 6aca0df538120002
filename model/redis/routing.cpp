#include "model/redis/routing.h"

#include <vector>

#include "model/redis/commands/server/config.h"
#include "model/redis/commands/scripts/script_host.h"

namespace lockstep::redis {

namespace {

using cluster::Map;
using cluster::NodeName;
using cluster::Slot;
using lua::Error;
using lua::Nil;

/// How a request stands to this node.
enum class Route : std::uint8_t {
  served,
  moved,
  ask,
  cross_slot,
  try_again,
  cluster_down,
  only_reads,
  not_served
};

struct Routing {
  Route route = Route::served;
  std::optional<Slot> slot;
  const NodeName* elsewhere = nullptr;  // for moved and ask
};

/// What the keys of a request are to this node, one command of a transaction after the other.
struct Looked {
  const Node& node;
  const Map& map;
  bool shard_channels =
      false;  // not keys, which would be looked up; in a transaction they are taken for keys
  std::optional<Slot> slot = {};  // of the first key
  std::string_view first_key = {};
  const NodeName* owner = nullptr;
  bool leaves = false, comes = false;  // the slot is on its way
  bool several_keys = false;
  std::size_t here = 0, missing = 0;

  /// Why the keys belong nowhere, or served.
  Route look_at(const Spec& spec, Words words) {
    for (const std::string_view key : keys_of(spec, words)) {
      if (const Route route = look_at(key); route != Route::served) return route;
    }
    return Route::served;
  }

 private:
  Route look_at(std::string_view key) {
    const Slot its = cluster::slot_of(key);
    if (!slot) {
      slot = its;
      first_key = key;
      owner = cluster::owner_of(map, its);
      if (!owner) return Route::not_served;
      leaves = *owner == map.myself && map.migrating.contains(its);
      comes = !leaves && map.importing.contains(its);
    } else if (*slot != its) {
      return Route::cross_slot;
    }
    several_keys = several_keys || key != first_key;
    if ((!leaves && !comes) || shard_channels) return Route::served;
    const Entry* const entry = node.db.find(key);
    ++(entry && !entry->dead() ? here : missing);
    return Route::served;
  }
};

/// What the client may do besides, and what its request is.
struct Asker {
  bool asking = false, reads_replicas = false, writes = false, queued_writes = false;
};

Asker asker_of(const Call& call, const Spec& spec, Words words, const Transaction* transaction) {
  const Session* const session = call.session();
  const unsigned flags = spec.has(runs_script) ? commands::flags_with_script(call, spec, words) : spec.flags;
  Asker asker;
  asker.asking = session && session->asking;
  asker.reads_replicas = session && session->reads_replicas;
  asker.writes = (flags & write) != 0;
  asker.queued_writes = spec.name == "exec" && transaction && (transaction->flags & write) != 0;
  return asker;
}

/// Whether the settings let a cluster that is down serve the request.
Route route_while_down(const Settings& settings, const Asker& asker, bool shard_channels) {
  const auto allowed = [&](const char* name) { return commands::config_value(settings, name) == "yes"; };
  if (shard_channels)
    return allowed("cluster-allow-pubsubshard-when-down") ? Route::served : Route::cluster_down;
  if (!allowed("cluster-allow-reads-when-down")) return Route::cluster_down;
  return asker.writes ? Route::only_reads : Route::served;
}

Routing route(const Looked& looked, const Asker& asker) {
  const Map& map = looked.map;
  if (!map.ok) {
    const Route down = route_while_down(*looked.node.settings, asker, looked.shard_channels);
    if (down != Route::served) return {down, looked.slot};
  }
  if (looked.leaves && looked.missing > 0) {
    if (looked.here > 0) return {Route::try_again, looked.slot};
    return {Route::ask, looked.slot, &map.migrating.at(*looked.slot)};
  }
  if (looked.comes && asker.asking)
    return {looked.several_keys && looked.missing > 0 ? Route::try_again : Route::served, looked.slot};
  const bool copies_it = map.me().kind == cluster::Kind::replica && map.me().master == *looked.owner;
  const bool reads = (asker.reads_replicas || looked.shard_channels) && !asker.writes && !asker.queued_writes;
  if (*looked.owner == map.myself || (copies_it && reads)) return {Route::served, looked.slot};
  return {Route::moved, looked.slot, looked.owner};
}

Routing route(const Call& call, const Map& map, const Spec& spec, Words words,
              const Transaction* transaction) {
  Looked looked{call.node(), map, spec.has(shard_channel)};
  Route wrong = Route::served;
  if (spec.name == "exec" && transaction) {
    for (std::size_t i = 0; i < transaction->queued.size() && wrong == Route::served; ++i) {
      const Command& command = transaction->queued[i];
      const std::vector<std::string_view> queued(command.begin(), command.end());
      wrong = looked.look_at(*find_command(queued), queued);  // the keys are views of the queued words
    }
  } else {
    wrong = looked.look_at(spec, words);
  }
  if (wrong != Route::served) return {wrong, looked.slot};
  if (!looked.slot) return {};
  return route(looked, asker_of(call, spec, words, transaction));
}

Error redirection(const char* word, const Map& map, const Routing& routing) {
  const cluster::Address& address = map.members.at(*routing.elsewhere).address;
  return {std::string(word) + ' ' + std::to_string(*routing.slot) + ' ' + address.ip + ':' +
          std::to_string(address.port)};
}

Reply answer(const Map& map, const Routing& routing) {
  switch (routing.route) {
    case Route::served:
      return Nil{};
    case Route::moved:
      return redirection("MOVED", map, routing);
    case Route::ask:
      return redirection("ASK", map, routing);
    case Route::cross_slot:
      return Error{"CROSSSLOT Keys in request don't hash to the same slot"};
    case Route::try_again:
      return Error{"TRYAGAIN Multiple keys request during rehashing of slot"};
    case Route::cluster_down:
      return Error{"CLUSTERDOWN The cluster is down"};
    case Route::only_reads:
      return Error{"CLUSTERDOWN The cluster is down and only accepts read commands"};
    case Route::not_served:
      return Error{"CLUSTERDOWN Hash slot not served"};
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
  return answer(*map, route(call, *map, spec, words, transaction));
}

Reply misrouted_in_script(Call& call, const Spec& spec, Words words, bool may_cross_slots,
                          std::optional<Slot>& slot) {
  const std::optional<Map>& map = *call.node().cluster;
  if (!map) return Nil{};
  const Routing routing = route(call, *map, spec, words, nullptr);
  if (routing.route == Route::cluster_down)
    return Error{"ERR Script attempted to execute a command while the cluster is down"};
  if (routing.route == Route::only_reads) {
    return Error{"ERR Script attempted to execute a write command while the cluster is down and readonly"};
  }
  if (routing.route != Route::served)
    return Error{"ERR Script attempted to access a non local key in a cluster node"};
  if (!routing.slot || may_cross_slots) return Nil{};
  if (slot && *slot != *routing.slot)
    return Error{"ERR Script attempted to access keys that do not hash to the same slot"};
  slot = routing.slot;
  return Nil{};
}

}  // namespace lockstep::redis
