#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"
#include "model/redis/data/glob.h"

namespace lockstep::redis::commands {

Reply exists(Call& call, Words words) {
  std::size_t present = 0;
  for (const std::string_view key : words.subspan(1)) present += call.entry(key) ? 1 : 0;
  return count(present);
}

Reply del(Call& call, Words words) {
  std::size_t removed = 0;
  for (const std::string_view key : words.subspan(1)) {
    if (!call.entry(key) || !call.db().erase(key)) continue;
    ++removed;
    call.touch_key(key);
    call.tell({'g', "del"}, key);
  }
  if (removed > 0) call.replicate_silently(words);
  return count(removed);
}

Reply type(Call& call, Words words) {
  const Entry* const entry = call.entry(words[1]);
  return Status{std::string(entry ? type_name(entry->value) : "none")};
}

Reply keys(Call& call, Words words) {
  Reply::Array found;
  for (const auto& [key, entry] : call.db().entries()) {
    if (!entry.dead() && glob_matches(words[1], key)) found.emplace_back(key);
  }
  return found;
}

/// A dead key that is drawn goes, as by any look-up, and another one is drawn. A replica may not remove it:
/// it draws among the living, and tells a dead key only if there is nothing else (db.c, dbRandomKey).
Reply randomkey(Call& call, Words) {
  while (call.db().size() > 0) {
    std::vector<std::string_view> living, all;
    for (const auto& [key, entry] : call.db().entries()) {
      all.push_back(key);
      if (!entry.dead()) living.push_back(key);
    }
    const bool among_the_living = call.node().role == Role::replica && !living.empty();
    const auto& keys = among_the_living ? living : all;
    std::string drawn(keys[call.draw(keys.size())]);
    if (call.entry(drawn) || call.node().role == Role::replica) return drawn;
  }
  return Nil{};
}

Reply dbsize(Call& call, Words) { return count(call.db().size()); }

/// FLUSHDB empties the selected database, FLUSHALL each of them.
Reply flush(Call& call, Words words) {
  const bool known = words.size() == 1 ||
                     (words.size() == 2 && (is_option(words[1], "sync") || is_option(words[1], "async")));
  if (!known) return errors::syntax();
  for (std::uint8_t number = 0; number < databases_max; ++number) {
    if (call.name() == "flushdb" && number != call.database()) continue;
    if (!find_database(call.node(), number)) continue;
    call.touch_database(number);
    database(call.node(), number).clear();
  }
  call.replicate(words);  // even when there was nothing to remove
  return lua::ok();
}

namespace {

enum class Target : std::uint8_t { overwrite, keep };
enum class Moved : std::uint8_t { no_source, kept, moved };

Moved move_key(Call& call, Words words, Target target) {
  const Entry* const source = call.entry(words[1]);
  if (!source) return Moved::no_source;
  if (words[1] == words[2]) return target == Target::keep ? Moved::kept : Moved::moved;
  const bool taken = call.entry(words[2]) != nullptr;
  if (taken && target == Target::keep) return Moved::kept;
  Entry moved = *source;
  call.db().erase(words[1]);
  call.db().erase(words[2]);  // it goes, and comes anew
  call.put(words[2], std::move(moved.value)).remaining = moved.remaining;
  call.replicate(words);
  return Moved::moved;
}

}  // namespace

Reply rename(Call& call, Words words) {
  return move_key(call, words, Target::overwrite) == Moved::no_source ? errors::no_such_key() : lua::ok();
}

Reply renamenx(Call& call, Words words) {
  const Moved result = move_key(call, words, Target::keep);
  return result == Moved::no_source ? errors::no_such_key() : yes_no(result == Moved::moved);
}

}  // namespace lockstep::redis::commands
