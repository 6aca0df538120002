#include "model/redis/node.h"

#include <algorithm>
#include <array>

#include "model/redis/call.h"
#include "model/redis/effects.h"
#include "sim/base/verify.h"

namespace lockstep::redis {

namespace {

/// The words of a command as views, on the stack if they are few.
class Views {
 public:
  explicit Views(const Command& command) {
    if (command.size() > few_.size()) many_.assign(command.begin(), command.end());
    else std::copy(command.begin(), command.end(), few_.begin());
    words_ = many_.empty() ? Words(few_.data(), command.size()) : Words(many_);
  }
  Views(const Views&) = delete;
  Views& operator=(const Views&) = delete;

  Words words() const { return words_; }

 private:
  std::array<std::string_view, 16> few_{};
  std::vector<std::string_view> many_;
  Words words_;
};

void forget(PubSub::Listeners& listeners, ConnectionId connection) {
  for (const std::string& name : subscriptions(listeners, connection))
    unsubscribe(listeners, name, connection);
}

}  // namespace

Outcome execute(Node& node, ConnectionId from, const Command& command, const Environment& environment) {
  VERIFY(!command.empty());
  Outcome outcome;
  const Views views(command);
  Call call(node, from, environment, outcome, Call::Source::client);
  outcome.reply = run(call, views.words());
  return outcome;
}

std::vector<Push> apply_effects(Node& node, const Effects& effects, Duration skew,
                                const Environment& environment) {
  // Effects know only remaining times, so it does not matter what time it is when they are turned into words
  // and back.
  constexpr std::int64_t some_epoch_ms = 1'000'000'000'000;
  const Environment there{environment.engine, some_epoch_ms, nullptr, false};
  Outcome outcome;
  for (const Effect& effect : effects) {
    const Command command = words_at(effect, some_epoch_ms - skew.count());
    const Views views(command);
    Call call(node, ConnectionId{}, there, outcome, Call::Source::master);
    run(call, views.words());  // an error changes nothing; a replica goes on after it, as in Redis
  }
  return std::move(outcome.pushes);
}

std::vector<Effects> advance(Node& node, Duration passed) {
  node.db.age(passed);
  if (node.snapshot) node.snapshot->age(passed);
  std::vector<Effects> removals;
  if (node.role == Role::replica || node.expiry == Expiry::lazy) return removals;
  for (std::string& key : node.db.bury()) removals.push_back(removal_of(std::move(key)));
  return removals;
}

Duration next_change(const Node& node) { return node.db.next_death(); }

void disconnect(Node& node, ConnectionId connection) {
  forget(node.pubsub.channels, connection);
  forget(node.pubsub.patterns, connection);
  forget(node.pubsub.shard_channels, connection);
}

void promote(Node& node) {
  node.role = Role::master;
  node.db.bury();
}

void resynchronise(Node& node, const Node& master, Duration skew) {
  node.role = Role::replica;
  node.db = master.db;
  node.db.age(skew);
}

void restart(Node& node, Persistence persistence) {
  if (persistence == Persistence::none) node.db.clear();
  if (persistence == Persistence::snapshot) node.db = node.snapshot.value_or(Keyspace{});
  if (persistence != Persistence::append_only && node.role == Role::master) node.db.bury();
  node.scripts.clear();
  node.pubsub = PubSub{};
}

}  // namespace lockstep::redis
