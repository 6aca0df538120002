// The commands that add to a number kept in a string or in a field of a hash.
#include <cmath>
#include <limits>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

std::optional<std::int64_t> sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

Reply add_to_string(Call& call, Words words, std::int64_t by) {
  String* text = nullptr;
  if (!call.find(words[1], text)) return errors::wrong_type();
  const auto old = text ? parse_integer(text->bytes) : std::optional<std::int64_t>(0);
  if (!old) return errors::not_an_integer();
  const auto result = sum(*old, by);
  if (!result) return errors::overflow();
  call.put(words[1], String{std::to_string(*result)});
  call.replicate(words);
  return *result;
}

}  // namespace

Reply incr(Call& call, Words words) { return add_to_string(call, words, 1); }
Reply decr(Call& call, Words words) { return add_to_string(call, words, -1); }

Reply incrby(Call& call, Words words) {
  const auto by = parse_integer(words[2]);
  return by ? add_to_string(call, words, *by) : errors::not_an_integer();
}

Reply decrby(Call& call, Words words) {
  const auto by = parse_integer(words[2]);
  if (!by) return errors::not_an_integer();
  if (*by == std::numeric_limits<std::int64_t>::min()) return Error{"ERR decrement would overflow"};
  return add_to_string(call, words, -*by);
}

Reply incrbyfloat(Call& call, Words words) {
  String* text = nullptr;
  if (!call.find(words[1], text)) return errors::wrong_type();
  const auto old = text ? parse_long_float(text->bytes) : std::optional<long double>(0);
  const auto by = parse_long_float(words[2]);
  if (!old || !by) return errors::not_a_float();
  const long double result = *old + *by;
  if (!std::isfinite(result)) return errors::not_finite();
  std::string shown = format_long_float(result);
  call.put(words[1], String{shown, Form::text});
  call.replicate({"SET", words[1], shown, "KEEPTTL"});
  return shown;
}

Reply hincrby(Call& call, Words words) {
  const auto by = parse_integer(words[3]);
  if (!by) return errors::not_an_integer();
  Hash* hash = nullptr;
  if (!call.find(words[1], hash)) return errors::wrong_type();
  const std::string* const text = hash ? hash->find(words[2]) : nullptr;
  const auto old = text ? parse_integer(*text) : std::optional<std::int64_t>(0);
  if (!old) return Error{"ERR hash value is not an integer"};
  const auto result = sum(*old, *by);
  if (!result) return errors::overflow();
  if (!hash) hash = call.find_or_create<Hash>(words[1]);
  hash->set(words[2], std::to_string(*result), call.compact_limits());
  call.replicate(words);
  return *result;
}

Reply hincrbyfloat(Call& call, Words words) {
  const auto by = parse_long_float(words[3]);
  if (!by) return errors::not_a_float();
  if (!std::isfinite(*by)) return Error{"ERR value is NaN or Infinity"};
  Hash* hash = nullptr;
  if (!call.find(words[1], hash)) return errors::wrong_type();
  const std::string* const text = hash ? hash->find(words[2]) : nullptr;
  const auto old = text ? parse_long_float(*text) : std::optional<long double>(0);
  if (!old) return Error{"ERR hash value is not a float"};
  const long double result = *old + *by;
  if (!std::isfinite(result)) return errors::not_finite();
  std::string shown = format_long_float(result);
  if (!hash) hash = call.find_or_create<Hash>(words[1]);
  hash->set(words[2], shown, call.compact_limits());
  call.replicate({"HSET", words[1], words[2], shown});
  return shown;
}

}  // namespace lockstep::redis::commands
