// call.h: one command while it runs: what it may see of its node, and where what it causes goes.
//
// Who asks decides what a dead key is (Redis db.c, expireIfNeeded). A client or a script on a master removes
// a dead key by looking it up, with a DEL to the replicas ahead of the command's own effects. On a replica it
// is absent for them and stays. What a master sent is applied as if every key were alive.
#pragma once

#include <initializer_list>
#include <string_view>

#include "model/redis/command.h"
#include "model/redis/node.h"

namespace lockstep::redis {

class Call {
 public:
  enum class Source : std::uint8_t { client, script, master };

  Call(Node& node, ConnectionId from, const Environment& environment, Outcome& outcome, Source source)
      : node_(node),
        from_(from),
        environment_(environment),
        outcome_(outcome),
        source_(source),
        replicates_(environment.want_effects && source != Source::master && node.role == Role::master) {}

  Node& node() { return node_; }
  Keyspace& db() { return node_.db; }
  PubSub& pubsub() { return node_.pubsub; }
  Outcome& outcome() { return outcome_; }
  const Environment& environment() const { return environment_; }
  ConnectionId from() const { return from_; }
  Source source() const { return source_; }

  /// The full name of the row that runs: "hset", "script|load".
  std::string_view name() const { return name_; }
  void set_name(std::string_view name) { name_ = name; }

  /// The wall clock; whoever reads it makes the outcome hold for this instant only.
  std::int64_t now() {
    outcome_.read_now = true;
    return environment_.wall_ms;
  }
  /// The wall clock for a computation whose result does not depend on it (relative + now - now).
  std::int64_t now_unobserved() const { return environment_.wall_ms; }
  std::size_t draw(std::size_t bound) { return environment_.chance ? environment_.chance->below(bound) : 0; }

  /// The entry that this caller sees under the key, or nullptr.
  Entry* entry(std::string_view key);

  /// Finds a value of one type. Returns false if the key holds another type; `value` is nullptr if there is
  /// no such key.
  template <class T>
  bool find(std::string_view key, T*& value) {
    Entry* const found = entry(key);
    value = found ? std::get_if<T>(&found->value) : nullptr;
    return !found || value;
  }

  /// As `find`, but stores an empty T if there is no such key. The caller puts something into it. nullptr:
  /// another type.
  template <class T>
  T* find_or_create(std::string_view key) {
    Entry* const found = entry(key);
    return std::get_if<T>(found ? &found->value : &db().put(key, T{}).value);
  }

  /// Stores a value that has no time to live.
  Entry& overwrite(std::string_view key, Value value) {
    Entry& stored = db().put(key, std::move(value));
    stored.remaining.reset();
    return stored;
  }

  /// Whether anybody wants effects; a handler that has to work for one may ask first.
  bool replicates() const { return replicates_; }
  /// Sends the command to the replicas, as it stands or rewritten.
  void replicate(Words words);
  void replicate(std::initializer_list<std::string_view> words) {
    replicate(Words(words.begin(), words.size()));
  }
  /// One of the words is an absolute time, so many milliseconds from now.
  void replicate_at(Words words, std::size_t time_word, Duration remaining);
  void replicate_at(std::initializer_list<std::string_view> words, std::size_t time_word,
                    Duration remaining) {
    replicate_at(Words(words.begin(), words.size()), time_word, remaining);
  }

 private:
  Node& node_;
  ConnectionId from_;
  const Environment& environment_;
  Outcome& outcome_;
  Source source_;
  bool replicates_;
  std::string_view name_;
};

/// Runs one command of a client: finds its row, checks what Redis checks before running it, runs it.
Reply run(Call& call, Words words);

}  // namespace lockstep::redis
