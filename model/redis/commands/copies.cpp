// COPY and MOVE: the commands that reach from one database into another.
#include <limits>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/encoding.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

/// The database with this number, or nullptr if the server has none. COPY and MOVE know other databases by
/// this function only. A node has one database, with the number 0.
Keyspace* database(Call& call, std::int64_t index) { return index == 0 ? &call.db() : nullptr; }

/// Reads the number of a database. Returns an error reply, or Nil if there is that database.
Reply parse_database(Call& call, std::string_view word, Keyspace*& found) {
  constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const auto index = parse_integer(word);
  if (!index) return errors::not_an_integer();
  if (*index < least || *index > most) return errors::outside_range(least, most);
  found = database(call, *index);
  return found ? Reply(Nil{}) : errors::database_out_of_range();
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
  Keyspace* target = &call.db();
  bool replace = false;
  for (std::size_t i = 3; i < words.size(); ++i) {
    if (is_option(words[i], "replace")) {
      replace = true;
    } else if (is_option(words[i], "db") && i + 1 < words.size()) {
      if (Reply problem = parse_database(call, words[++i], target); !problem.is_nil()) return problem;
    } else {
      return errors::syntax();
    }
  }
  if (target == &call.db() && words[1] == words[2]) return errors::same_object();
  const Entry* const source = call.entry(words[1]);
  if (!source) return yes_no(false);
  if (call.entry(words[2]) && !replace) return yes_no(false);
  Entry& stored = target->put(words[2], duplicate(source->value));
  stored.remaining = source->remaining;
  call.replicate(words);
  return yes_no(true);
}

Reply move(Call& call, Words words) {
  Keyspace* target = nullptr;
  if (Reply problem = parse_database(call, words[2], target); !problem.is_nil()) return problem;
  if (target == &call.db()) return errors::same_object();
  const Entry* const source = call.entry(words[1]);
  if (!source || target->find(words[1])) return yes_no(false);
  target->put(words[1], source->value).remaining = source->remaining;
  call.db().erase(words[1]);
  call.replicate(words);
  return yes_no(true);
}

}  // namespace lockstep::redis::commands
