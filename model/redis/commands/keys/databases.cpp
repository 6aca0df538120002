// SELECT and SWAPDB: the sixteen databases (Redis db.c).
#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"
#include "model/redis/watch.h"

namespace lockstep::redis::commands {

namespace {

constexpr std::int64_t int_max = 2'147'483'647;

/// A number that fits into an int of C; nullopt and a reply that says so otherwise.
std::optional<std::int64_t> read_index(std::string_view word, Reply& problem) {
  const auto index = parse_integer(word);
  if (!index) problem = errors::not_an_integer();
  if (!index || (*index <= int_max && *index >= -int_max - 1)) return index;
  problem = Error{"ERR value is out of range, value must between -2147483648 and 2147483647"};
  return std::nullopt;
}

bool exists(std::int64_t index) { return index >= 0 && index < databases_max; }
Reply no_such_database() { return Error{"ERR DB index is out of range"}; }

}  // namespace

/// A client goes on in that database; what a script selects holds until it ends.
Reply select(Call& call, Words words) {
  Reply problem;
  const auto index = read_index(words[1], problem);
  if (!index) return problem;
  if (*call.node().cluster && *index != 0) return Error{"ERR SELECT is not allowed in cluster mode"};
  if (!exists(*index)) return no_such_database();
  const auto number = static_cast<std::uint8_t>(*index);
  if (call.source() == Call::Source::client && (number != 0 || call.session()))
    call.session_to_change().database = number;
  call.select(number);
  return lua::ok();
}

Reply swapdb(Call& call, Words words) {
  if (*call.node().cluster) return Error{"ERR SWAPDB is not allowed in cluster mode"};
  Reply problem;
  const auto first = read_index(words[1], problem);
  if (!first) return Error{"ERR invalid first DB index"};
  const auto second = read_index(words[2], problem);
  if (!second) return Error{"ERR invalid second DB index"};
  if (!exists(*first) || !exists(*second)) return no_such_database();
  const auto a = static_cast<std::uint8_t>(*first), b = static_cast<std::uint8_t>(*second);
  if (a != b) {
    if (anybody_watches(call.node())) touch_swapped_databases(call.node(), a, b);
    std::swap(database(call.node(), a), database(call.node(), b));
  }
  call.replicate(words);
  return lua::ok();
}

}  // namespace lockstep::redis::commands
