#include "model/redis/kind.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/redis/arguments.h"
#include "model/redis/command.h"
#include "model/redis/instants.h"
#include "model/redis/look.h"
#include "model/redis/member.h"
#include "model/redis/node.h"
#include "model/redis/pubsub/monitors.h"
#include "model/redis/pubsub/notifications.h"
#include "sim/base/overloaded.h"

namespace lockstep::redis {

using model::Gone;
using model::ProcessId;
using model::Served;
using model::Server;
using model::Serving;
using model::Traffic;
using model::Unasked;

const Node& node_in(const Server& server) { return server.get<Node>(); }

namespace {

Node& open_node(Server& server) { return server.write<Node>(); }

Environment environment(const Serving& serving) {
  return {.engine = serving.engine,
          .wall_ms = serving.wall_ms,
          .calls = serving.calls,
          .want_effects = serving.want_effects};
}

/// The order of subscribers is not observable: each is reached over a link of its own. Sorted, it makes no
/// new states.
void sort_listeners(PubSub& pubsub) {
  for (auto* const names : {&pubsub.channels, &pubsub.shard_channels})
    for (auto& [channel, listeners] : *names) std::sort(listeners.begin(), listeners.end());
}

/// What a client hears whose connection is gone. A real one is told by the system that it runs on, so the
/// code is none of Redis's.
Served unknown_to_server() {
  return {.reply = lua::Error{"CLOSED the server knows nothing of this connection"},
          .pushes = {},
          .effects = {},
          .closed = {}};
}

/// It closes no connection of a client by itself: nobody in a world sends CLIENT KILL.
Served serve(Server& server, ConnectionId from, const Command& words, const Serving& serving) {
  Node& node = open_node(server);
  if (serving.keeps == Serving::Keeps::opens) disconnect(node, from);
  if (serving.keeps == Serving::Keeps::goes_on && !node.sessions->contains(from)) return unknown_to_server();
  if (serving.good_replicas && node.replication->good_replicas != *serving.good_replicas)
    node.replication.write().good_replicas = *serving.good_replicas;
  const bool counts = node.disk->counts();
  Keyspace before;
  if (counts) before = node.db;
  Environment there = environment(serving);
  there.want_effects = serving.want_effects || counts;
  if (serving.asking) node.sessions.write()[from].asking = true;
  Outcome outcome = execute(node, from, words, there);
  if (serving.asking) node.sessions.write().erase(from);
  if (counts) note_write(node, before, outcome.effects);
  if (!serving.want_effects) outcome.effects.clear();
  if (words.front() == "SUBSCRIBE" || words.front() == "SSUBSCRIBE") sort_listeners(node.pubsub);
  return {.reply = std::move(outcome.reply),
          .pushes = std::move(outcome.pushes),
          .effects = std::move(outcome.effects),
          .closed = {},
          .read_now = outcome.read_now};
}

Unasked pass(Server& server, Duration passed) {
  Unasked unasked;
  Node& node = open_node(server);
  std::vector<Effects> removals = advance(node, passed);
  pass_on_disk(node, passed);
  unasked.pushes = publish_deaths(node, removals);
  for (Effects& effects : removals) {
    std::string key = effects.front().words.back();
    unasked.gone.push_back({std::move(key), std::move(effects)});
  }
  return unasked;
}

Unasked jump(Server& server, Duration by) {
  open_node(server).db.age(by);
  jump_on_disk(open_node(server), by);
  return pass(server, Duration::zero());
}

std::optional<std::string> left_behind(const Server& server, const model::Excused& excused) {
  const Node& node = node_in(server);
  for (const auto& [key, entry] : node.db.entries())
    if (!entry.dead() && !excused(key)) return "stores the key " + key;
  for (const auto* const names : {&node.pubsub.channels, &node.pubsub.shard_channels})
    if (!names->empty()) return "has a subscriber of " + names->begin()->first;
  return std::nullopt;
}

sim::KeyChange describe(const std::string& node, const std::string& key, const Entry& entry) {
  sim::KeyChange change{.node = node, .key = key, .type = std::string(type_name(entry.value))};
  std::visit(sim::overloaded{
                 [&](const String& string) { change.fields.emplace_back("", string.bytes); },
                 [&](const List& list) {
                   for (const auto& item : list.items) change.fields.emplace_back("", item);
                 },
                 [&](const Set& set) {
                   for (const auto& item : set.members) change.fields.emplace_back("", item);
                 },
                 [&](const Hash& hash) { change.fields.assign(hash.pairs.begin(), hash.pairs.end()); },
                 [&](const SortedSet& set) {
                   for (const auto& scored : set.entries)
                     change.fields.emplace_back(scored.member, format_score(scored.score));
                 },
             },
             entry.value);
  if (entry.remaining) change.pttl_ms = entry.remaining->count();
  return change;
}

/// INFO, in letters of any case.
bool says_info(const std::string& text) {
  // Of its letters the rarest in a script is looked for.
  for (const char third : {'F', 'f'})
    for (std::size_t at = text.find(third, 2); at != text.npos; at = text.find(third, at + 1))
      if (is_option(std::string_view(text).substr(at - 2, 4), "info")) return true;
  return false;
}

/// Whether a command may ask which scripts a node knows: EVALSHA does, and a script may call INFO, which
/// tells how many there are.
bool asks_for_scripts(const Traffic& traffic) {
  const auto any_text = [](const lua::ScriptSet* set) {
    return std::any_of(set->roles.begin(), set->roles.end(),
                       [](const auto& role) { return says_info(role.second.text); });
  };
  return traffic.by_digest || std::any_of(traffic.scripts.begin(), traffic.scripts.end(), any_text);
}

/// CONFIG SET of what locks feel: maxmemory, below what is used of which writes are refused (OOM), and the
/// events of keys that are published.
bool sets_what_locks_feel(const std::vector<std::string_view>& words) {
  return words.size() == 4 && is_option(words[0], "config") && is_option(words[1], "set") &&
         (is_option(words[2], "maxmemory") || is_option(words[2], "notify-keyspace-events"));
}

/// What reads or writes keys, or publishes, and neither waits, nor runs a script, nor leaves something to
/// chance: of what Redis draws, a world would try one outcome only.
std::optional<std::string> refuses(const model::Command& command) {
  const std::vector<std::string_view> words(command.begin(), command.end());
  if (sets_what_locks_feel(words)) {
    const std::size_t wrong = is_option(words[2], "notify-keyspace-events")
                                  ? words[3].find_first_not_of(event_letters)
                                  : std::string_view::npos;
    if (wrong == std::string_view::npos) return std::nullopt;
    return fmt::format("`notify-keyspace-events` is of the letters {}, and `{}` is none of them",
                       event_letters, words[3].substr(wrong, 1));
  }
  const Spec* spec = find_command(words);
  if (spec == nullptr) return "the model of Redis knows no command `" + command[0] + "`";
  const std::string name = "`" + to_upper(spec->name) + "`";
  if (!spec->takes(words.size())) return "a wrong number of words for " + name;
  constexpr std::array<std::string_view, 5> drawn{"randomkey", "spop", "srandmember", "hrandfield",
                                                  "zrandmember"};
  if (std::find(drawn.begin(), drawn.end(), spec->name) != drawn.end())
    return "what " + name + " does is left to chance";
  const bool plain = (spec->flags & (write | read_only | may_replicate)) != 0 &&
                     (spec->flags & (blocking | runs_script | shard_channel | admin)) == 0;
  if (!plain) return name + " is none that reads or writes keys at once, or publishes";
  return std::nullopt;
}

/// Without a script cache every request brings its text, so which scripts a node knows is never asked; to
/// flush them does nothing (it is not offered).
std::optional<Server> forget_scripts(const Server& server, const Traffic& traffic) {
  if (node_in(server).scripts.empty() || asks_for_scripts(traffic)) return std::nullopt;
  Server forgetful = server;
  open_node(forgetful).scripts.clear();
  return forgetful;
}

std::optional<Server> with_instants_moved(const Server& server, const model::InstantKeys& such, Duration by) {
  if (!holds_instants(node_in(server), such)) return std::nullopt;
  Server moved = server;
  move_instants(open_node(moved), such, by);
  return moved;
}

std::optional<Gone> evict(Server& server, std::size_t number) {
  Node& node = open_node(server);
  Keyspace& db = node.db;
  Keyspace before;
  if (node.disk->fsync != Fsync::always) before = db;
  std::string key = std::next(db.entries().begin(), static_cast<std::ptrdiff_t>(number))->first;
  db.erase(key);
  Effects effects{Effect{.words = {"DEL", key}}};
  if (node.disk->fsync != Fsync::always) note_write(node, before, effects);
  return Gone{std::move(key), std::move(effects)};
}

std::optional<Gone> flush(Server& server, std::size_t) {
  open_node(server).scripts.clear();
  return std::nullopt;
}

/// And is there to write one.
bool keeps_snapshot(const Node& node) {
  return node.disk->kept == Persistence::snapshot && node.disk->power == Disk::Power::on;
}

std::optional<Gone> write_snapshot(Server& server, std::size_t) {
  save(open_node(server));
  return std::nullopt;
}

std::optional<Gone> cut_power(Server& server, std::size_t version) {
  lose_power(open_node(server), version);
  return std::nullopt;
}

bool is_new_snapshot(const Node& node) {
  return keeps_snapshot(node) && (!node.snapshot || !(node.snapshot->db == node.db));
}

constexpr std::array<model::ServerFault, 4> faults{{
    {.key = "evict-key",
     .about = "a node drops a key, as when its memory is full",
     .word = "evict",
     .event = {},
     .fixed = "evict",
     .of_parts = true,
     .of_keys = true,
     .of_masters = true,
     .choices = [](const Server& server) { return node_in(server).db.size(); },
     .apply = evict},
    {.key = "flush-scripts",
     .about = "a node forgets its script cache",
     .word = "flush-scripts",
     .event = sim::TraceKind::flush_scripts,
     .fixed = "flush-scripts",
     .of_what_is_stored = false,
     .matters = asks_for_scripts,
     .choices = [](const Server& server) { return std::size_t{node_in(server).scripts.empty() ? 0U : 1U}; },
     .apply = flush},
    {.key = "save",
     .about = "an operator saves the data of a node (BGSAVE), and a restart brings that back",
     .word = "save",
     .event = sim::TraceKind::save,
     .fixed = "save",
     .choices = [](const Server& server) { return std::size_t{is_new_snapshot(node_in(server)) ? 1U : 0U}; },
     .finds = [](const Server& server) { return keeps_snapshot(node_in(server)); },
     .apply = write_snapshot},
    {.key = "power-loss",
     .about = "the crash of a node was one of its machine: the newest writes are not on the disk (`fsync`)",
     .word = "power-loss",
     .event = sim::TraceKind::power_loss,
     .fixed = "power-loss",
     .of_parts = true,
     .of_crash = true,
     .choices = [](const Server& server) { return versions_to_lose(node_in(server)); },
     .apply = cut_power},
}};

}  // namespace

std::vector<sim::KeyChange> key_changes(const std::string& name, const Node& before, const Node& after) {
  std::vector<sim::KeyChange> found;
  for (const auto& [key, entry] : before.db.entries())
    if (after.db.find(key) == nullptr) found.push_back({.node = name, .key = key, .present = false});
  for (const auto& [key, entry] : after.db.entries()) {
    const Entry* was = before.db.find(key);
    if (was == nullptr || !(*was == entry)) found.push_back(describe(name, key, entry));
  }
  return found;
}

const model::ServerKind server_kind{
    .name = Node::kind,
    .make = [](const model::ServerSettings& settings) -> Server {
      Node node;
      node.role = settings.role;
      node.expiry = settings.expiry;
      if (settings.persistence != Persistence::none) node.disk = disk_of(settings);
      if (!settings.notify.empty()) node.settings.write().events = event_bits(settings.notify);
      if (settings.min_replicas > 0) node.settings.write().min_replicas_to_write = settings.min_replicas;
      return node;
    },
    .serve = serve,
    .refuses = refuses,
    .disconnect = [](Server& server,
                     ProcessId process) { disconnect(open_node(server), model::connection_of(process)); },
    .disconnect_all =
        [](Server& server) {
          Node& node = open_node(server);
          node.pubsub = {};
          node.sessions = {};
          node.watchers = {};
        },
    .hang_up =
        [](Server& server, ConnectionId kept) {
          if (node_in(server).sessions->contains(kept)) disconnect(open_node(server), kept);
        },
    .crash = [](Server& server) { crash(open_node(server)); },
    .restart =
        [](Server& server, Persistence persistence) {
          restart(open_node(server), persistence);
          restart_disk(open_node(server));
        },
    .pass = pass,
    .jump = jump,
    .counts_down =
        [](const Server& server) {
          const Node& node = node_in(server);
          return node.db.size() > 0 || node.snapshot || node.disk->counts() ||
                 node.disk->power != Disk::Power::on || node.disk->loading_left > Duration::zero();
        },
    .next_change = [](const Server& server) { return next_change(node_in(server)); },
    .has_due = [](const Server& server) { return save_is_due(node_in(server)); },
    .do_due = [](Server& server) { save(open_node(server)); },
    .apply =
        [](Server& server, const Effects& effects, Duration skew, const Serving& serving) {
          Node& node = open_node(server);
          const bool counts = node.disk->counts();
          Keyspace before;
          if (counts) before = node.db;
          auto pushes = apply_effects(node, effects, skew, environment(serving));
          if (counts) note_write(node, before, effects);
          return pushes;
        },
    .leads = [](const Server& server) { return node_in(server).role == Role::master; },
    .promote = [](Server& server) { promote(open_node(server)); },
    .resynchronise =
        [](Server& server, const Server& master, Duration skew) {
          resynchronise(open_node(server), node_in(master), skew);
          replace_on_disk(open_node(server));
        },
    .same_data = [](const Server& one,
                    const Server& other) { return node_in(one).db.entries() == node_in(other).db.entries(); },
    .join = [](Server& server, const model::ClusterPlace& place) { join(open_node(server), place); },
    .succeed = [](Server& server, const std::string& one, const std::vector<std::string>& group) {
      return succeed(open_node(server), one, group);
    },
    .open = [](Server& server, bool serves) { open_node(server).cluster.write()->ok = serves; },
    .is_open = [](const Server& server) { return (*node_in(server).cluster).value().ok; },
    .slot_of = [](std::string_view key) { return cluster::slot_of(key); },
    .begin_to_move =
        [](Server& from, Server& to, const std::vector<std::string>& keys) {
          begin_to_move(open_node(from), open_node(to), keys);
        },
    .move_next = [](Server& from, Server& to) -> std::optional<Gone> {
      return move_next(open_node(from), open_node(to));
    },
    .look = [](const Server& server) { return look_at(node_in(server)); },
    .left_behind = left_behind,
    .changes = [](const std::string& name, const Server& before,
                  const Server& after) { return key_changes(name, node_in(before), node_in(after)); },
    .quoted = [](const std::string& word) { return quoted(word); },
    .forget_unread = forget_scripts,
    .with_instants_moved = with_instants_moved,
    .move_instants = [](Effects& effects, const model::InstantKeys& such,
                        Duration by) { return move_instants(effects, such, by); },
    .faults = faults};

}  // namespace lockstep::redis
