// CLUSTER and its sub-commands, as far as clients and those who move slots need them, and what a connection
// says about itself in a cluster: ASKING, READONLY, READWRITE (Redis cluster.c).
#include <algorithm>
#include <utility>

#include "model/redis/arguments.h"
#include "model/redis/cluster/texts.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/server/help.h"
#include "model/redis/errors.h"
#include "model/redis/member.h"

namespace lockstep::redis::commands {

namespace {

using cluster::Map;
using cluster::Slot;

const Error disabled{"ERR This instance has cluster support disabled"};

/// Runs the function on the node's map, if the node is in a cluster.
template <class Ask>
Reply on_map(Call& call, Ask ask) {
  const std::optional<Map>& map = *call.node().cluster;
  return map ? ask(*map) : Reply(disabled);
}

template <class Change>
Reply on_own_map(Call& call, Change change) {
  if (!*call.node().cluster) return disabled;
  return change(*call.node().cluster.write());
}

std::optional<Slot> slot_in(std::string_view word) {
  const auto number = parse_integer(word);
  if (!number || *number < 0 || *number >= static_cast<std::int64_t>(cluster::slots_total))
    return std::nullopt;
  return static_cast<Slot>(*number);
}

Error invalid_slot() { return {"ERR Invalid or out of range slot"}; }

}  // namespace

Reply asking(Call& call, Words) {
  return on_map(call, [&](const Map&) {
    call.session_to_change().asking = true;
    return lua::ok();
  });
}

Reply readonly(Call& call, Words) {
  return on_map(call, [&](const Map&) {
    call.session_to_change().reads_replicas = true;
    return lua::ok();
  });
}

Reply readwrite(Call& call, Words) {
  return on_map(call, [&](const Map&) {
    if (call.session()) call.session_to_change().reads_replicas = false;
    return lua::ok();
  });
}

/// Who is in no cluster is not even helped.
Reply cluster_help(Call& call, Words words) {
  return on_map(call, [&](const Map&) { return help(call, words); });
}

Reply cluster_saveconfig(Call& call, Words) {
  return on_map(call, [](const Map&) { return lua::ok(); });
}

/// Redis has it, and this model has not. Without a cluster nobody can tell.
Reply cluster_unmodelled(Call& call, Words words) {
  return on_map(call, [&](const Map&) -> Reply {
    return Error{"ERR unknown subcommand '" + shown(words[1]) + "'. Try CLUSTER HELP."};
  });
}

Reply cluster_info(Call& call, Words) {
  return on_map(call, [](const Map& map) { return Reply(cluster::cluster_info_text(map)); });
}
Reply cluster_myid(Call& call, Words) {
  return on_map(call, [](const Map& map) { return bulk(map.myself); });
}
Reply cluster_nodes(Call& call, Words) {
  return on_map(call, [&](const Map& map) { return Reply(cluster::nodes_text(map, call.now())); });
}
Reply cluster_slots(Call& call, Words) {
  return on_map(call, [](const Map& map) { return cluster::slots_reply(map); });
}
Reply cluster_shards(Call& call, Words) {
  return on_map(call, [](const Map& map) { return cluster::shards_reply(map); });
}
Reply cluster_keyslot(Call& call, Words words) {
  return on_map(call, [&](const Map&) { return count(cluster::slot_of(words[2])); });
}

Reply cluster_replicas(Call& call, Words words) {
  return on_map(call, [&](const Map& map) -> Reply {
    const cluster::Member* const master = cluster::find(map, words[2]);
    if (!master) return Error{"ERR Unknown node " + shown(words[2])};
    if (master->kind != cluster::Kind::master) return Error{"ERR The specified node is not a master"};
    Reply::Array lines;
    for (const cluster::NodeName& name : cluster::replicas_of(map, words[2]))
      lines.emplace_back(cluster::node_line(map, name, call.now()));
    return lines;
  });
}

Reply cluster_countkeysinslot(Call& call, Words words) {
  return on_map(call, [&](const Map&) -> Reply {
    const auto slot = parse_integer(words[2]);
    if (!slot) return errors::not_an_integer();
    if (!slot_in(words[2])) return Error{"ERR Invalid slot"};
    return count(static_cast<std::size_t>(
        std::count_if(call.db().entries().begin(), call.db().entries().end(),
                      [&](const auto& entry) { return cluster::slot_of(entry.first) == *slot; })));
  });
}

Reply cluster_getkeysinslot(Call& call, Words words) {
  return on_map(call, [&](const Map&) -> Reply {
    const auto slot = parse_integer(words[2]), most = parse_integer(words[3]);
    if (!slot || !most) return errors::not_an_integer();
    if (!slot_in(words[2]) || *most < 0) return Error{"ERR Invalid slot or number of keys"};
    Reply::Array keys;
    for (const auto& [key, entry] : call.db().entries()) {
      if (cluster::slot_of(key) != *slot || static_cast<std::int64_t>(keys.size()) == *most) continue;
      keys.emplace_back(key);
    }
    return keys;
  });
}

namespace {

/// These slots lose their owner, be it that it gets them back at once: their channels go.
void tell_listeners(Call& call, const cluster::SlotSet& slots) {
  for (Push& push : drop_channels(call.pubsub(), slots)) call.outcome().pushes.push_back(std::move(push));
}

enum class Change : std::uint8_t { add, remove };

/// Checks all slots before it changes one.
Reply change_slots(Call& call, Map& map, const std::vector<cluster::SlotRange>& ranges, Change change) {
  cluster::SlotSet all;
  for (const cluster::SlotRange& range : ranges) {
    for (std::size_t slot = range.first; slot <= range.last; ++slot) {
      const auto one = static_cast<Slot>(slot);
      const bool owned = cluster::owner_of(map, one) != nullptr;
      if (change == Change::remove && !owned)
        return Error{"ERR Slot " + std::to_string(slot) + " is already unassigned"};
      if (change == Change::add && owned)
        return Error{"ERR Slot " + std::to_string(slot) + " is already busy"};
      if (all.contains(one)) return Error{"ERR Slot " + std::to_string(slot) + " specified multiple times"};
      all.insert({one, one});
    }
  }
  if (change == Change::add) {
    cluster::assign(map, map.myself, all);
    return lua::ok();
  }
  for (auto& [name, member] : map.members) member.slots = cluster::without(member.slots, all);
  tell_listeners(call, all);
  return lua::ok();
}

Reply change_listed(Call& call, Words words, Change change) {
  return on_own_map(call, [&](Map& map) -> Reply {
    std::vector<cluster::SlotRange> ranges;
    for (const std::string_view word : words.subspan(2)) {
      const auto slot = slot_in(word);
      if (!slot) return invalid_slot();
      ranges.push_back({*slot, *slot});
    }
    return change_slots(call, map, ranges, change);
  });
}

Reply change_ranges(Call& call, Words words, Change change) {
  return on_own_map(call, [&](Map& map) -> Reply {
    if (words.size() % 2 == 1) return errors::wrong_arity(call.name());
    std::vector<cluster::SlotRange> ranges;
    for (std::size_t i = 2; i < words.size(); i += 2) {
      const auto first = slot_in(words[i]), last = slot_in(words[i + 1]);
      if (!first || !last) return invalid_slot();
      if (*first > *last) {
        return Error{"ERR start slot number " + std::to_string(*first) + " is greater than end slot number " +
                     std::to_string(*last)};
      }
      ranges.push_back({*first, *last});
    }
    return change_slots(call, map, ranges, change);
  });
}

}  // namespace

Reply cluster_addslots(Call& call, Words words) { return change_listed(call, words, Change::add); }
Reply cluster_delslots(Call& call, Words words) { return change_listed(call, words, Change::remove); }
Reply cluster_addslotsrange(Call& call, Words words) { return change_ranges(call, words, Change::add); }
Reply cluster_delslotsrange(Call& call, Words words) { return change_ranges(call, words, Change::remove); }

Reply cluster_flushslots(Call& call, Words) {
  return on_own_map(call, [&](Map& map) -> Reply {
    if (call.db().size() > 0) return Error{"ERR DB must be empty to perform CLUSTER FLUSHSLOTS."};
    tell_listeners(call, std::exchange(map.me().slots, {}));
    return lua::ok();
  });
}

namespace {

Reply migrate(Map& map, Slot slot, std::string_view to) {
  const cluster::NodeName* const owner = cluster::owner_of(map, slot);
  if (!owner || *owner != map.myself)
    return Error{"ERR I'm not the owner of hash slot " + std::to_string(slot)};
  const cluster::Member* const target = cluster::find(map, to);
  if (!target) return Error{"ERR I don't know about node " + shown(to)};
  if (target->kind != cluster::Kind::master) return Error{"ERR Target node is not a master"};
  map.migrating[slot] = std::string(to);
  return lua::ok();
}

Reply import(Map& map, Slot slot, std::string_view from) {
  const cluster::NodeName* const owner = cluster::owner_of(map, slot);
  if (owner && *owner == map.myself)
    return Error{"ERR I'm already the owner of hash slot " + std::to_string(slot)};
  const cluster::Member* const source = cluster::find(map, from);
  if (!source) return Error{"ERR I don't know about node " + shown(from)};
  if (source->kind != cluster::Kind::master) return Error{"ERR Target node is not a master"};
  map.importing[slot] = std::string(from);
  return lua::ok();
}

/// The slot has a new owner. Who takes over a slot that it imported also takes a new epoch, so that the
/// others believe it.
Reply give(Call& call, Map& map, Slot slot, std::string_view to) {
  const cluster::Member* const target = cluster::find(map, to);
  if (!target) return Error{"ERR Unknown node " + shown(to)};
  if (target->kind != cluster::Kind::master) return Error{"ERR Target node is not a master"};
  const cluster::NodeName* const owner = cluster::owner_of(map, slot);
  const bool owned = owner != nullptr, mine = owned && *owner == map.myself;
  const bool keys_left =
      std::any_of(call.db().entries().begin(), call.db().entries().end(),
                  [&](const auto& entry) { return cluster::slot_of(entry.first) == slot; });
  if (mine && to != map.myself && keys_left) {
    return Error{"ERR Can't assign hashslot " + std::to_string(slot) +
                 " to a different node while I still hold keys for this hash slot."};
  }
  if (!keys_left) map.migrating.erase(slot);
  const bool imported = to == map.myself && map.importing.erase(slot) > 0;
  cluster::assign(map, std::string(to), cluster::slots_between(slot, slot));
  if (owned) tell_listeners(call, cluster::slots_between(slot, slot));
  if (imported && (map.me().config_epoch == 0 || map.me().config_epoch != cluster::highest_epoch(map)))
    map.me().config_epoch = map.current_epoch = cluster::highest_epoch(map) + 1;
  return lua::ok();
}

}  // namespace

Reply cluster_setslot(Call& call, Words words) {
  return on_own_map(call, [&](Map& map) -> Reply {
    if (map.me().kind == cluster::Kind::replica) return Error{"ERR You can use SETSLOT only with masters."};
    const auto slot = slot_in(words[2]);
    if (!slot) return invalid_slot();
    if (is_option(words[3], "migrating") && words.size() == 5) return migrate(map, *slot, words[4]);
    if (is_option(words[3], "importing") && words.size() == 5) return import(map, *slot, words[4]);
    if (is_option(words[3], "node") && words.size() == 5) return give(call, map, *slot, words[4]);
    if (is_option(words[3], "stable") && words.size() == 4) {
      map.migrating.erase(*slot);
      map.importing.erase(*slot);
      return lua::ok();
    }
    return Error{"ERR Invalid CLUSTER SETSLOT action or number of arguments. Try CLUSTER HELP"};
  });
}

}  // namespace lockstep::redis::commands
