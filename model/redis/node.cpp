#include "model/redis/node.h"

#include <algorithm>
#include <memory>

#include "model/redis/arguments.h"
#include "model/redis/call.h"
#include "model/redis/commands/server/config.h"
#include "model/redis/replication/effects.h"
#include "model/redis/replication/resync.h"
#include "model/redis/watch.h"
#include "model/server/server.h"
#include "sim/base/verify.h"

namespace lockstep::redis {

namespace {

/// The words of a command as views, on the stack if they are few.
class Views {
 public:
  explicit Views(const Command& command) {
    if (command.size() > few_max) many_.assign(command.begin(), command.end());
    else std::uninitialized_copy(command.begin(), command.end(), few_);
    words_ = Words(many_.empty() ? few_ : many_.data(), command.size());
  }
  Views(const Views&) = delete;
  Views& operator=(const Views&) = delete;

  Words words() const { return words_; }

 private:
  static constexpr std::size_t few_max = 16;
  union {
    std::string_view few_[few_max];  // in a union, so that those which are not needed are not cleared
  };
  std::vector<std::string_view> many_;
  Words words_;
};

void forget(PubSub::Listeners& listeners, ConnectionId connection) {
  for (const std::string& name : subscriptions(listeners, connection))
    unsubscribe(listeners, name, connection);
}

/// The other databases that hold something.
std::vector<std::uint8_t> numbers(const Node& node) {
  std::vector<std::uint8_t> all;
  for (const auto& [number, db] : *node.other_dbs) all.push_back(number);
  return all;
}

/// ASKING holds for the next command, or for the transaction that begins with it (networking.c, resetClient).
void forget_asking(Node& node, ConnectionId from, const Command& command) {
  const auto at = node.sessions->find(from);
  if (at == node.sessions->end() || !at->second.asking || at->second.transaction) return;
  if (!is_option(command.front(), "asking")) node.sessions.write().at(from).asking = false;
}

/// Other commands ask who watches, so that they need not look at every session.
void note_watching(Node& node, ConnectionId from) {
  const auto at = node.sessions->find(from);
  const bool watches = at != node.sessions->end() && !at->second.watched.empty();
  if (watches == node.watchers->contains(from)) return;
  if (watches) node.watchers.write().insert(from);
  else node.watchers.write().erase(from);
}

/// A session that says nothing is none; a database without keys neither.
void tidy_up(Node& node, ConnectionId from) {
  if (!node.sessions->empty()) {
    const auto at = node.sessions->find(from);
    if (at != node.sessions->end() && at->second == Session{}) node.sessions.write().erase(from);
  }
  if (!node.other_dbs->empty()) {
    std::erase_if(node.other_dbs.write(), [](const auto& db) { return db.second.size() == 0; });
  }
}

std::uint8_t selected(const Node& node, ConnectionId from) {
  if (node.sessions->empty()) return 0;
  const auto at = node.sessions->find(from);
  return at == node.sessions->end() ? std::uint8_t{0} : at->second.database;
}

}  // namespace

const Keyspace* find_database(const Node& node, std::uint8_t number) {
  if (number == 0) return &node.db;
  const auto at = node.other_dbs->find(number);
  return at == node.other_dbs->end() ? nullptr : &at->second;
}

Outcome execute(Node& node, ConnectionId from, const Command& command, const Environment& environment) {
  VERIFY(!command.empty());
  Outcome outcome;
  const Views views(command);
  Call call(node, from, environment, outcome, Call::Source::client, selected(node, from));
  outcome.reply = run(call, views.words());
  if (node.settings->counts_offsets)
    count_execution(node, from, outcome, !call.name().empty(), environment.wall_ms);
  if (!node.sessions->empty()) forget_asking(node, from, command);
  if (!node.sessions->empty() || !node.watchers->empty()) note_watching(node, from);
  if (!environment.busy) tidy_up(node, from);  // the script may have selected a database without keys
  return outcome;
}

void start(Node& node, std::int64_t wall_ms) {
  node.statistics = Statistics{};
  Statistics& statistics = node.statistics.write();
  statistics.counts = true;
  statistics.started_ms = statistics.saved_ms = wall_ms;
}

void connect(Node& node, ConnectionId connection, Peer peer) {
  Session& session = node.sessions.write()[connection];
  session = Session{};
  session.unauthenticated = !commands::config_value(*node.settings, "requirepass").empty();
  session.peer = std::move(peer);
  if (node.statistics->counts) ++node.statistics.write().connections;
}

bool is_stranger(const Node& node, const Session& session) {
  return session.unauthenticated && !commands::config_value(*node.settings, "requirepass").empty();
}

namespace {

/// Effects of a master, or of the own file, applied as if every key were alive; those with the other target
/// are left out.
std::vector<Push> apply(Node& node, const Effects& effects, Target left_out, Duration skew,
                        const Environment& environment) {
  Outcome outcome;
  for (const Effect& effect : effects) {
    if (effect.target == left_out) continue;
    // Effects know only remaining times, so it does not matter what time it is when they are turned into
    // words and back; but what is to have died long ago has died after 1970.
    constexpr std::int64_t some_epoch_ms = 1'000'000'000'000;
    const std::int64_t now_ms = std::max(some_epoch_ms, 1 + skew.count() - effect.remaining.count());
    const Environment there{environment.engine, now_ms, nullptr, false};
    const Command command = words_at(effect, now_ms - skew.count());
    const Views views(command);
    Call call(node, ConnectionId{}, there, outcome, Call::Source::master, effect.database);
    run(call, views.words());  // an error changes nothing; a replica goes on after it, as in Redis
  }
  tidy_up(node, ConnectionId{});
  return std::move(outcome.pushes);
}

}  // namespace

std::vector<Push> apply_effects(Node& node, const Effects& effects, Duration skew,
                                const Environment& environment) {
  return apply(node, effects, Target::file, skew, environment);
}

void load_effects(Node& node, const Effects& effects, const Environment& environment) {
  apply(node, effects, Target::replicas, Duration::zero(), environment);
}

std::vector<Effects> advance(Node& node, Duration passed) {
  const Duration floor = floor_of_deaths(*node.settings);
  node.db.age(passed, floor);
  for (const std::uint8_t number : numbers(node)) database(node, number).age(passed, floor);
  if (node.snapshot) age(*node.snapshot, passed, floor);
  if (node.settings->counts_offsets) pass(node, passed);
  std::vector<Effects> removals;
  if (node.role == Role::replica || node.expiry == Expiry::lazy) return removals;
  for (std::string& key : node.db.bury()) removals.push_back(removal_of(std::move(key), 0));
  for (const std::uint8_t number : numbers(node)) {
    for (std::string& key : database(node, number).bury())
      removals.push_back(removal_of(std::move(key), number));
  }
  if (anybody_watches(node))
    for (const Effects& removal : removals) touch_watched(node, removal[0].database, removal[0].words[1]);
  if (node.settings->counts_offsets)
    for (const Effects& removal : removals) write_stream(node, removal, 0);
  return removals;
}

Duration next_change(const Node& node) {
  Duration next = node.db.next_death();
  for (const auto& [number, db] : *node.other_dbs) next = std::min(next, db.next_death());
  return std::min(next, next_change_on_disk(node));
}

void disconnect(Node& node, ConnectionId connection) {
  forget(node.pubsub.channels, connection);
  forget(node.pubsub.patterns, connection);
  forget(node.pubsub.shard_channels, connection);
  if (node.sessions->contains(connection)) node.sessions.write().erase(connection);
  if (node.watchers->contains(connection)) node.watchers.write().erase(connection);
  if (node.monitors->contains(connection)) node.monitors.write().erase(connection);
  detach(node, connection);
}

void rename_kept(Node& node, const sim::Renaming& renaming) {
  const auto renamed = [&](ConnectionId connection) {
    if (!model::is_held(connection)) return connection;
    const std::size_t number = (connection.value - model::held) % model::held_each;
    return model::held_connection(renaming.of(model::thread_of(connection)), number);
  };
  Sessions sessions;
  for (const auto& [connection, session] : *node.sessions) {
    Session& its = sessions[renamed(connection)] = session;
    sim::rename(its, renaming);
  }
  node.sessions = std::move(sessions);
  std::set<ConnectionId> watchers;
  for (const ConnectionId connection : *node.watchers) watchers.insert(renamed(connection));
  node.watchers = std::move(watchers);
}

void promote(Node& node) {
  node.role = Role::master;
  node.db.bury();
  for (const std::uint8_t number : numbers(node)) database(node, number).bury();
}

void resynchronise(Node& node, const Node& master, Duration skew) {
  node.role = Role::replica;
  load(node, snapshot_of(master));
  node.db.age(skew);
  for (const std::uint8_t number : numbers(node)) database(node, number).age(skew);
}

}  // namespace lockstep::redis
