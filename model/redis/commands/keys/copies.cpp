// COPY and MOVE: the commands that reach from one database into another.
#include <limits>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/data/encoding.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

/// Does something with another database selected, as Redis does (db.c, selectDb there and back).
template <class Action>
auto in_database(Call& call, std::uint8_t database, Action action) {
  const std::uint8_t here = call.database();
  if (database == here) return action();
  call.select(database);
  const auto result = action();
  call.select(here);
  return result;
}

void tell_in_database(Call& call, std::uint8_t database, KeyEvent event, std::string_view key) {
  in_database(call, database, [&] {
    call.tell(event, key);
    return true;
  });
}

/// Reads the number of a database. Returns an error reply, or Nil if there is that database.
Reply parse_database(std::string_view word, std::uint8_t& database) {
  constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const auto given = parse_integer(word);
  if (!given) return errors::not_an_integer();
  if (*given < least || *given > most) return errors::outside_range(least, most);
  if (*given < 0 || *given >= databases_max) return errors::database_out_of_range();
  database = static_cast<std::uint8_t>(*given);
  return Nil{};
}

/// Stores it in another database, or here. Returns whether it did: not over a key that must stay.
bool store(Call& call, std::uint8_t database, std::string_view key, Entry entry, bool replace) {
  return in_database(call, database, [&] {
    if (call.entry(key)) {
      if (!replace) return false;
      call.db().erase(key);
    }
    call.overwrite(key, std::move(entry.value)).remaining = entry.remaining;
    call.touch_key(key);
    return true;
  });
}

/// A copy is a value of its own: not even a small integer is shared with other keys.
Value duplicate(const Value& value) {
  Value copy = value;
  if (String* const text = std::get_if<String>(&copy); text && reference_count(value) > 1)
    text->form = Form::copied;
  return copy;
}

}  // namespace

Reply copy(Call& call, Words words) {
  const std::uint8_t here = call.database();
  std::uint8_t target = here;
  bool replace = false;
  for (std::size_t i = 3; i < words.size(); ++i) {
    if (is_option(words[i], "replace")) {
      replace = true;
    } else if (is_option(words[i], "db") && i + 1 < words.size()) {
      if (Reply problem = parse_database(words[++i], target); !problem.is_nil()) return problem;
    } else {
      return errors::syntax();
    }
  }
  if (*call.node().cluster && target != 0)
    return Error{"ERR Copying to another database is not allowed in cluster mode"};
  if (target == here && words[1] == words[2]) return errors::same_object();
  const Entry* const source = call.entry(words[1]);
  if (!source) {
    call.missed(words[1]);
    return yes_no(false);
  }
  Entry copied{duplicate(source->value), source->remaining};
  if (!store(call, target, words[2], std::move(copied), replace)) return yes_no(false);
  tell_in_database(call, target, {'g', "copy_to"}, words[2]);
  call.replicate(words);
  return yes_no(true);
}

Reply move(Call& call, Words words) {
  if (*call.node().cluster) return Error{"ERR MOVE is not allowed in cluster mode"};
  const std::uint8_t here = call.database();
  std::uint8_t target = here;
  if (Reply problem = parse_database(words[2], target); !problem.is_nil()) return problem;
  if (target == here) return errors::same_object();
  const Entry* const source = call.entry(words[1]);
  if (!source || !store(call, target, words[1], *source, false)) return yes_no(false);
  call.db().erase(words[1]);
  call.touch_key(words[1]);
  call.tell({'g', "move_from"}, words[1]);
  tell_in_database(call, target, {'g', "move_to"}, words[1]);
  call.replicate(words);
  return yes_no(true);
}

}  // namespace lockstep::redis::commands
