#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/sets/draws.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

/// Stores the pairs of HSET and HMSET. Returns an error reply, or how many fields are new.
Reply set_pairs(Call& call, Words words) {
  if (words.size() % 2 == 1) return errors::wrong_arity(call.name());
  Hash* const hash = call.find_or_create<Hash>(words[1]);
  if (!hash) return errors::wrong_type();
  const CompactLimits limits = call.compact_limits();
  std::size_t created = 0;
  for (std::size_t i = 2; i < words.size(); i += 2)
    created += hash->set(words[i], words[i + 1], limits) ? 1 : 0;
  call.replicate(words);
  return count(created);
}

}  // namespace

Reply hset(Call& call, Words words) { return set_pairs(call, words); }

Reply hmset(Call& call, Words words) {
  Reply result = set_pairs(call, words);
  return result.error() ? result : lua::ok();
}

Reply hsetnx(Call& call, Words words) {
  Hash* hash = nullptr;
  if (!call.find(words[1], hash)) return errors::wrong_type();
  if (hash && hash->find(words[2])) return yes_no(false);
  if (!hash) hash = call.find_or_create<Hash>(words[1]);
  hash->set(words[2], words[3], call.compact_limits());
  call.replicate(words);
  return yes_no(true);
}

Reply hget(Call& call, Words words) {
  Hash* hash = nullptr;
  if (!call.find(words[1], hash)) return errors::wrong_type();
  const std::string* const value = hash ? hash->find(words[2]) : nullptr;
  return value ? bulk(*value) : Reply(Nil{});
}

Reply hmget(Call& call, Words words) {
  Hash* hash = nullptr;
  if (!call.find(words[1], hash)) return errors::wrong_type();
  Reply::Array values;
  values.reserve(words.size() - 2);
  for (const std::string_view field : words.subspan(2)) {
    const std::string* const value = hash ? hash->find(field) : nullptr;
    values.push_back(value ? bulk(*value) : Reply(Nil{}));
  }
  return values;
}

Reply hdel(Call& call, Words words) {
  Hash* hash = nullptr;
  if (!call.find(words[1], hash)) return errors::wrong_type();
  if (!hash) return count(0);
  std::size_t removed = 0;
  for (const std::string_view field : words.subspan(2)) removed += hash->erase(field) ? 1 : 0;
  if (hash->pairs.empty()) call.db().erase(words[1]);
  if (removed > 0) call.replicate(words);
  return count(removed);
}

Reply hexists(Call& call, Words words) {
  Hash* hash = nullptr;
  if (!call.find(words[1], hash)) return errors::wrong_type();
  return yes_no(hash && hash->find(words[2]));
}

Reply hlen(Call& call, Words words) {
  Hash* hash = nullptr;
  if (!call.find(words[1], hash)) return errors::wrong_type();
  return count(hash ? hash->pairs.size() : 0);
}

Reply hstrlen(Call& call, Words words) {
  Hash* hash = nullptr;
  if (!call.find(words[1], hash)) return errors::wrong_type();
  const std::string* const value = hash ? hash->find(words[2]) : nullptr;
  return count(value ? value->size() : 0);
}

namespace {

enum class Columns : std::uint8_t { fields, values, both };

Reply listing(Call& call, Words words, Columns columns) {
  Hash* hash = nullptr;
  if (!call.find(words[1], hash)) return errors::wrong_type();
  Reply::Array shown;
  if (!hash) return shown;
  for (const auto& [field, value] : hash->pairs) {
    if (columns != Columns::values) shown.emplace_back(field);
    if (columns != Columns::fields) shown.emplace_back(value);
  }
  return shown;
}

}  // namespace

Reply hgetall(Call& call, Words words) { return listing(call, words, Columns::both); }
Reply hkeys(Call& call, Words words) { return listing(call, words, Columns::fields); }
Reply hvals(Call& call, Words words) { return listing(call, words, Columns::values); }

namespace {

using Pairs = Sequence<std::pair<std::string, std::string>>;

void show_pair(Reply::Array& shown, const Pairs::value_type& pair, bool with_values) {
  shown.emplace_back(pair.first);
  if (with_values) shown.emplace_back(pair.second);
}

}  // namespace

Reply hrandfield(Call& call, Words words) {
  constexpr std::int64_t most = drawn_max;
  const bool counted = words.size() > 2, with_values = words.size() == 4;
  std::int64_t wanted = 1;
  if (counted) {
    const auto given = parse_integer(words[2]);
    if (!given) return errors::not_an_integer();
    if (*given < -most) return errors::outside_range(-most, most);
    if (words.size() > 4 || (with_values && !is_option(words[3], "withvalues"))) return errors::syntax();
    if (with_values && (*given < -most / 2 || *given > most / 2)) return Error{"ERR value is out of range"};
    wanted = *given;
  }
  Hash* hash = nullptr;
  if (!call.find(words[1], hash)) return errors::wrong_type();
  if (!hash) return counted ? empty_array() : Reply(Nil{});
  const Pairs& pairs = hash->pairs;
  if (!counted) return bulk(pairs[call.draw(pairs.size())].first);
  const auto bytes = [&](const Pairs::value_type& pair) {
    return pair.first.size() + (with_values ? pair.second.size() + sizeof(Reply) : 0);
  };
  if (!fits_in_a_reply(wanted, pairs, bytes)) return errors::reply_too_long();
  Reply::Array shown;
  for (const std::size_t place : draw_counted(call, pairs.size(), wanted))
    show_pair(shown, pairs[place], with_values);
  return shown;
}

}  // namespace lockstep::redis::commands
