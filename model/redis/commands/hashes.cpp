#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

/// Stores the pairs of HSET and HMSET. Returns an error reply, or how many fields are new.
Reply set_pairs(Call& call, Words words) {
  if (words.size() % 2 == 1) return errors::wrong_arity(call.name());
  Hash* const hash = call.find_or_create<Hash>(words[1]);
  if (!hash) return errors::wrong_type();
  std::size_t created = 0;
  for (std::size_t i = 2; i < words.size(); i += 2) created += hash->set(words[i], words[i + 1]) ? 1 : 0;
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
  hash->set(words[2], words[3]);
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

}  // namespace lockstep::redis::commands
