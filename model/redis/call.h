// call.h: one command while it runs: what it may see of its node, and where what it causes goes.
//
// Who asks decides what a dead key is (Redis db.c, expireIfNeeded). A client or a script on a master removes
// a dead key by looking it up, with a DEL to the replicas ahead of the command's own effects. On a replica it
// is absent for them and stays. What a master sent is applied as if every key were alive.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "model/redis/command.h"
#include "model/redis/node.h"
#include "model/redis/pubsub/notifications.h"

namespace lockstep::redis {

class Call {
 public:
  enum class Source : std::uint8_t { client, script, master };

  Call(Node& node, ConnectionId from, const Environment& environment, Outcome& outcome, Source source,
       std::uint8_t database);

  Node& node() { return node_; }
  const Node& node() const { return node_; }
  /// The database that is selected.
  Keyspace& db() { return redis::database(node_, database_); }
  std::uint8_t database() const { return database_; }
  /// For this call; SELECT of a client tells its session, too.
  void select(std::uint8_t database) { database_ = database; }
  PubSub& pubsub() { return node_.pubsub; }
  Outcome& outcome() { return outcome_; }
  const Environment& environment() const { return environment_; }
  ConnectionId from() const { return from_; }
  Source source() const { return source_; }

  /// The connection's session; nullptr if it never needed one.
  const Session* session() const;
  /// The same for writing, made if it is not there.
  Session& session_to_change() { return node_.sessions.write()[from_]; }

  /// Whether a command of a transaction runs: nothing may block.
  bool in_exec() const { return in_exec_; }
  void set_in_exec(bool in_exec) { in_exec_ = in_exec; }

  /// The full name of the row that runs: "hset", "script|load".
  std::string_view name() const { return name_; }
  void set_name(std::string_view name) { name_ = name; }

  /// How many failures INFO counts of the reply, if not one for an error. What errors there are was counted
  /// already.
  void set_failures(std::int64_t failures) { failures_ = failures; }
  std::optional<std::int64_t> take_failures() { return std::exchange(failures_, std::nullopt); }

  /// A password among the words: MONITOR does not show it.
  void hide(std::size_t word) { hidden_.push_back(word); }
  void hide_nothing() { hidden_.clear(); }
  bool is_hidden(std::size_t word) const {
    return std::find(hidden_.begin(), hidden_.end(), word) != hidden_.end();
  }

  /// The wall clock; reading it makes the outcome hold for this instant only.
  std::int64_t now() {
    outcome_.read_now = true;
    return environment_.running ? environment_.running->wall_ms() : environment_.wall_ms;
  }
  /// How much time has passed since the command began: none, unless the clock runs on. Remaining times are
  /// counted from the beginning.
  Duration elapsed() const {
    return Duration(environment_.running ? environment_.running->wall_ms() - environment_.wall_ms : 0);
  }

  /// Something that Redis draws, 0 … bound - 1; without chance always 0.
  std::size_t draw(std::size_t bound) { return environment_.chance ? environment_.chance->below(bound) : 0; }

  /// The entry that this caller sees under the key, or nullptr.
  Entry* entry(std::string_view key);

  /// A command that writes looked up a key in order to read, and there was none: who listens for that is
  /// told. (A command that only reads need not say so.)
  void missed(std::string_view key);

  /// Stores a value, keeping the time to live of the one before it.
  Entry& put(std::string_view key, Value value);

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
    return std::get_if<T>(found ? &found->value : &put(key, T{}).value);
  }

  /// How large the values of this server may be in their compact forms.
  CompactLimits compact_limits() const;

  /// Stores a value that has no time to live.
  Entry& overwrite(std::string_view key, Value value) {
    Entry& stored = put(key, std::move(value));
    stored.remaining.reset();
    return stored;
  }

  /// Whether anybody wants effects, watches keys or listens to what happens to them; a handler that has to
  /// work for them may ask first.
  bool replicates() const { return replicates_ || watched_ || notifies_; }
  /// Sends the command to the replicas and the append-only file, as it stands or rewritten, and tells those
  /// who watch its keys: what is replicated is what was modified (Redis signalModifiedKey).
  void replicate(Words words, Target target = Target::everywhere);
  void replicate(std::initializer_list<std::string_view> words) {
    replicate(Words(words.begin(), words.size()));
  }
  /// The same for a command of which not every key was modified; those that were are told by `touch_key`.
  void replicate_silently(Words words);
  /// One of the words is an absolute time, so many milliseconds from the beginning of the command.
  void replicate_at(Words words, std::size_t time_word, Duration remaining);
  void replicate_at(std::initializer_list<std::string_view> words, std::size_t time_word,
                    Duration remaining) {
    replicate_at(Words(words.begin(), words.size()), time_word, remaining);
  }
  /// Where what is replicated goes from now on (redis.set_repl).
  void set_targets(bool replicas, bool file) { to_replicas_ = replicas, to_file_ = file; }

  /// Tells who listens of an event of a key of the selected database (notifications.h).
  void tell(KeyEvent event, std::string_view key);
  /// That it was deleted, if it is not there.
  void tell_if_gone(std::string_view key);

  /// A key of the selected database was modified, by a command whose words do not say that (COPY, MOVE,
  /// SORT).
  void touch_key(std::string_view key);

  /// A database is about to be emptied: those who watch a key in it are told.
  void touch_database(std::uint8_t database);

 private:
  void touch(Words words);
  void tell_of_death(std::string_view key);
  void send(Effect effect, Target target);

  Node& node_;
  ConnectionId from_;
  const Environment& environment_;
  Outcome& outcome_;
  Source source_;
  bool replicates_;
  bool watched_, notifies_;
  bool to_replicas_ = true, to_file_ = true;
  bool in_exec_ = false;
  std::uint8_t database_;
  std::string_view name_;
  std::optional<std::int64_t> failures_;
  std::vector<std::size_t> hidden_;
};

/// Runs one command of a client: checks what Redis checks before running it, queues it or runs it
/// (dispatch.cpp).
Reply run(Call& call, Words words);

}  // namespace lockstep::redis
