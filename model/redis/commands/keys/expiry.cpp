#include <limits>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t earliest = std::numeric_limits<std::int64_t>::min();

enum class Unit : std::uint8_t { seconds, milliseconds };
enum class Base : std::uint8_t { now, epoch };

struct Conditions {
  bool nx = false, xx = false, gt = false, lt = false;
};

/// Reads NX, XX, GT and LT from the fourth word on. Returns an error reply, or Nil if all is well.
Reply parse_conditions(Words words, Conditions& conditions) {
  for (const std::string_view word : words.subspan(3)) {
    if (is_option(word, "nx")) {
      conditions.nx = true;
    } else if (is_option(word, "xx")) {
      conditions.xx = true;
    } else if (is_option(word, "gt")) {
      conditions.gt = true;
    } else if (is_option(word, "lt")) {
      conditions.lt = true;
    } else {
      return Error{"ERR Unsupported option " + shown(word)};
    }
  }
  if (conditions.nx && (conditions.xx || conditions.gt || conditions.lt)) {
    return Error{"ERR NX and XX, GT or LT options at the same time are not compatible"};
  }
  if (conditions.gt && conditions.lt) {
    return Error{"ERR GT and LT options at the same time are not compatible"};
  }
  return Nil{};
}

/// A key without a TTL counts as living for ever.
bool conditions_hold(const Conditions& conditions, const Entry& entry, Duration wanted) {
  if (conditions.nx && entry.remaining) return false;
  if (conditions.xx && !entry.remaining) return false;
  if (conditions.gt && (!entry.remaining || wanted <= *entry.remaining)) return false;
  if (conditions.lt && entry.remaining && wanted >= *entry.remaining) return false;
  return true;
}

/// Redis computes the absolute deadline and refuses one that does not fit; the model needs only what remains.
/// Returns nothing if Redis refuses.
std::optional<Duration> remaining_of(Call& call, std::int64_t given, Unit unit, Base base) {
  if (unit == Unit::seconds) {
    if (given > latest / 1000 || given < earliest / 1000) return std::nullopt;
    given *= 1000;
  }
  if (base == Base::now) {
    // Only for absurdly long times does it matter what time it is.
    if (given > latest / 2 && given > latest - call.now()) return std::nullopt;
    return Duration(given) + call.elapsed();
  }
  const std::int64_t beginning = call.now() - call.elapsed().count();
  return Duration(given < earliest + beginning ? earliest : given - beginning);
}

Reply expire_generic(Call& call, Words words, Unit unit, Base base) {
  Conditions conditions;
  if (Reply problem = parse_conditions(words, conditions); !problem.is_nil()) return problem;
  const auto given = parse_integer(words[2]);
  if (!given) return errors::not_an_integer();
  const auto wanted = remaining_of(call, *given, unit, base);
  if (!wanted) return errors::invalid_expire_time(call.name());
  Entry* const entry = call.entry(words[1]);
  if (!entry || !conditions_hold(conditions, *entry, *wanted)) return yes_no(false);

  // A deadline that is not in the future removes the key, but never on the word of a master: its DEL comes by
  // itself.
  if (*wanted <= call.elapsed() && call.source() != Call::Source::master) {
    call.db().erase(words[1]);
    call.replicate({"DEL", words[1]});
    return yes_no(true);
  }
  Keyspace::expire(*entry, *wanted);
  if (call.replicates()) {  // under the absolute name, with its conditions
    std::vector<std::string_view> sent(words.begin(), words.end());
    if (!is_option(words[0], "pexpireat")) sent[0] = "PEXPIREAT";
    call.replicate_at(sent, 2, *wanted);
  }
  return yes_no(true);
}

constexpr std::int64_t absent = -2, without_ttl = -1;

/// Half a second counts as a whole one.
std::int64_t to_seconds(std::int64_t milliseconds) {
  return milliseconds / 1000 + (milliseconds % 1000 >= 500 ? 1 : 0);
}

/// What is left of the key, or `absent` or `without_ttl`.
std::int64_t time_to_live(Call& call, std::string_view key) {
  const Entry* const entry = call.entry(key);
  if (!entry) return absent;
  if (!entry->remaining) return without_ttl;
  return std::max<std::int64_t>((*entry->remaining - call.elapsed()).count(), 0);
}

std::int64_t deadline(Call& call, std::string_view key) {
  const Entry* const entry = call.entry(key);
  if (!entry) return absent;
  if (!entry->remaining) return without_ttl;
  const std::int64_t beginning = call.now() - call.elapsed().count(), remaining = entry->remaining->count();
  return remaining > latest - beginning ? latest : beginning + remaining;
}

}  // namespace

Reply expire(Call& call, Words words) { return expire_generic(call, words, Unit::seconds, Base::now); }
Reply pexpire(Call& call, Words words) { return expire_generic(call, words, Unit::milliseconds, Base::now); }
Reply expireat(Call& call, Words words) { return expire_generic(call, words, Unit::seconds, Base::epoch); }
Reply pexpireat(Call& call, Words words) {
  return expire_generic(call, words, Unit::milliseconds, Base::epoch);
}

Reply pttl(Call& call, Words words) { return time_to_live(call, words[1]); }

Reply ttl(Call& call, Words words) {
  const std::int64_t left = time_to_live(call, words[1]);
  return left < 0 ? left : to_seconds(left);
}

Reply pexpiretime(Call& call, Words words) { return deadline(call, words[1]); }

Reply expiretime(Call& call, Words words) {
  const std::int64_t at = deadline(call, words[1]);
  return at < 0 ? at : to_seconds(at);
}

Reply persist(Call& call, Words words) {
  Entry* const entry = call.entry(words[1]);
  if (!entry || !entry->remaining) return yes_no(false);
  entry->remaining.reset();
  call.replicate(words);
  return yes_no(true);
}

}  // namespace lockstep::redis::commands
