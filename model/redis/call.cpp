#include "model/redis/call.h"

#include <algorithm>
#include <utility>

#include "model/redis/commands/server/config.h"
#include "model/redis/watch.h"

namespace lockstep::redis {

Call::Call(Node& node, ConnectionId from, const Environment& environment, Outcome& outcome, Source source,
           std::uint8_t database)
    : node_(node),
      from_(from),
      environment_(environment),
      outcome_(outcome),
      source_(source),
      replicates_(environment.want_effects && source != Source::master && node.role == Role::master),
      watched_(anybody_watches(node)),
      notifies_(node.settings->events != 0),
      database_(database) {}

const Session* Call::session() const {
  if (node_.sessions->empty()) return nullptr;
  const auto at = node_.sessions->find(from_);
  return at == node_.sessions->end() ? nullptr : &at->second;
}

namespace {

/// Whether its misses are told of. SCAN and RANDOMKEY, and the sub-commands of OBJECT and MEMORY, look
/// without being noticed.
bool looks_to_read(std::string_view name) {
  const Spec* const spec = find_command({&name, 1});
  return spec && spec->has(read_only) && name != "scan" && name != "randomkey";
}

}  // namespace

Entry* Call::entry(std::string_view key) {
  Entry* const found = db().find(key);
  if (found && (!found->dead() || source_ == Source::master)) return found;
  if (found && node_.role == Role::master && environment_.paused == Paused::nothing) {
    db().erase(key);
    tell_of_death(key);
  }
  if (notifies_ && looks_to_read(name_)) tell({'m', "keymiss"}, key);
  return nullptr;
}

CompactLimits Call::compact_limits() const { return commands::compact_limits(*node_.settings); }

void Call::missed(std::string_view key) {
  if (notifies_ && !looks_to_read(name_)) tell({'m', "keymiss"}, key);
}

Entry& Call::put(std::string_view key, Value value) {
  const bool is_new = notifies_ && !db().find(key);
  Entry& entry = db().put(key, std::move(value));
  if (is_new) tell({'n', "new"}, key);
  return entry;
}

/// Whatever a script chose with redis.set_repl, everybody hears of a death (db.c, propagateDeletion).
void Call::tell_of_death(std::string_view key) {
  const bool to_replicas = std::exchange(to_replicas_, true), to_file = std::exchange(to_file_, true);
  tell({'x', "expired"}, key);
  touch_key(key);
  const std::string_view words[] = {"DEL", key};
  replicate_silently(words);
  to_replicas_ = to_replicas, to_file_ = to_file;
}

/// Of several keys the first is the one that is written to, if the command stores something (ZUNIONSTORE);
/// otherwise all are (RENAME, SMOVE).
void Call::touch(Words words) {
  const Spec* const spec = find_command(words);
  if (!spec || !spec->has(write)) return;
  if (spec->name == "copy" || spec->name == "move" || spec->name == "sort") return;  // they say it themselves
  const bool stores = spec->name.ends_with("store") || spec->name == "bitop";
  if (stores) return touch_watched(node_, database_, words[static_cast<std::size_t>(spec->first_key)]);
  for (const std::string_view key : keys_of(*spec, words)) touch_watched(node_, database_, key);
}

void Call::touch_key(std::string_view key) {
  if (watched_) touch_watched(node_, database_, key);
}

void Call::touch_database(std::uint8_t database) {
  if (watched_) touch_watched_database(node_, database);
}

void Call::send(Effect effect, Target target) {
  const bool to_replicas = to_replicas_ && target != Target::file;
  const bool to_file = to_file_ && target != Target::replicas;
  if (!to_replicas && !to_file) return;
  effect.database = database_;
  effect.target = !to_file ? Target::replicas : to_replicas ? Target::everywhere : Target::file;
  outcome_.effects.push_back(std::move(effect));
}

void Call::replicate(Words words, Target target) {
  if (watched_) touch(words);
  if (notifies_) publish_write(*this, words);
  if (!replicates_) return;
  Effect effect;
  effect.words.assign(words.begin(), words.end());
  send(std::move(effect), target);
}

void Call::replicate_silently(Words words) {
  const bool watched = std::exchange(watched_, false), notifies = std::exchange(notifies_, false);
  replicate(words);
  watched_ = watched, notifies_ = notifies;
}

void Call::tell(KeyEvent event, std::string_view key) {
  if (notifies_) publish_event(node_, database_, event, key, outcome_.pushes);
}

void Call::tell_if_gone(std::string_view key) {
  if (notifies_ && !db().find(key)) tell({'g', "del"}, key);
}

void Call::replicate_at(Words words, std::size_t time_word, Duration remaining) {
  if (watched_) touch(words);
  if (notifies_) publish_write(*this, words);
  if (!replicates_) return;
  Effect effect;
  effect.words.assign(words.begin(), words.end());
  effect.words[time_word].clear();
  effect.time_word = time_word;
  effect.remaining = remaining;
  send(std::move(effect), Target::everywhere);
}

}  // namespace lockstep::redis
