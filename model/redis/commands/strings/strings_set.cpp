// SET with its options, SETEX, PSETEX and GETEX: the string commands that set a time to live.
#include <limits>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

enum class Time : std::uint8_t { none, ex, px, exat, pxat };

struct StoreOptions {
  bool nx = false, xx = false, get = false, keep_ttl = false, persist = false;
  Time time = Time::none;
  std::size_t time_word = 0;
};

Time time_option(std::string_view word) {
  if (is_option(word, "ex")) return Time::ex;
  if (is_option(word, "px")) return Time::px;
  if (is_option(word, "exat")) return Time::exat;
  if (is_option(word, "pxat")) return Time::pxat;
  return Time::none;
}

/// Takes one option of SET; false: it is none, or contradicts an earlier one. The same option twice is no
/// contradiction.
bool take_set_option(StoreOptions& options, std::string_view word) {
  if (is_option(word, "nx") && !options.xx) return options.nx = true;
  if (is_option(word, "xx") && !options.nx) return options.xx = true;
  if (is_option(word, "get")) return options.get = true;
  if (is_option(word, "keepttl") && options.time == Time::none) return options.keep_ttl = true;
  return false;
}

bool take_getex_option(StoreOptions& options, std::string_view word) {
  if (is_option(word, "persist") && options.time == Time::none) return options.persist = true;
  return false;
}

bool parse_options(Words words, std::size_t from, bool (*take)(StoreOptions&, std::string_view),
                   StoreOptions& options) {
  for (std::size_t i = from; i < words.size(); ++i) {
    if (take(options, words[i])) continue;
    const Time time = time_option(words[i]);
    const bool contradicts =
        options.keep_ttl || options.persist || (options.time != Time::none && options.time != time);
    if (time == Time::none || contradicts || i + 1 == words.size()) return false;
    options.time = time;
    options.time_word = ++i;
  }
  return true;
}

/// Reads the time to live. Returns an error reply, or Nil if all is well.
Reply parse_time(Call& call, std::string_view word, Time time, Duration& remaining) {
  constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();
  const auto given = parse_integer(word);
  if (!given) return errors::not_an_integer();
  const bool seconds = time == Time::ex || time == Time::exat;
  if (*given <= 0 || (seconds && *given > latest / 1000)) return errors::invalid_expire_time(call.name());
  const std::int64_t milliseconds = seconds ? *given * 1000 : *given;
  if (time == Time::exat || time == Time::pxat) {
    remaining = Duration(milliseconds - call.now()) + call.elapsed();
  } else {
    if (milliseconds > latest / 2 && milliseconds > latest - call.now()) {
      return errors::invalid_expire_time(call.name());
    }
    remaining = Duration(milliseconds) + call.elapsed();
  }
  return Nil{};
}

/// What replicas get of a SET: any time as PXAT with no other option, and nothing of GET.
void replicate_set(Call& call, Words words, const StoreOptions& options, Duration remaining) {
  if (options.time != Time::none) {
    call.replicate_at({"SET", words[1], words[2], "PXAT", ""}, 4, remaining);
  } else if (options.get) {
    std::vector<std::string_view> sent(words.begin(), words.begin() + 3);
    for (const std::string_view word : words.subspan(3)) {
      if (!is_option(word, "get")) sent.push_back(word);
    }
    call.replicate(sent);
  } else {
    call.replicate(words);
  }
}

/// `found`: what is stored under the key; nullptr: nothing.
void store(Call& call, Entry* found, std::string_view key, std::string_view value,
           const StoreOptions& options, Duration remaining) {
  if (found) found->value = String{std::string(value)};
  Entry& entry = found ? *found : call.put(key, String{std::string(value)});
  if (options.time != Time::none) {
    Keyspace::expire(entry, remaining);
  } else if (!options.keep_ttl) {
    entry.remaining.reset();
  }
}

}  // namespace

Reply set(Call& call, Words words) {
  StoreOptions options;
  if (!parse_options(words, 3, take_set_option, options)) return errors::syntax();
  Duration remaining{};
  if (options.time != Time::none) {
    Reply problem = parse_time(call, words[options.time_word], options.time, remaining);
    if (!problem.is_nil()) return problem;
  }
  Reply answer = lua::ok();
  if (options.get) {
    answer = get(call, words);
    if (answer.error()) return answer;
  }
  Entry* const found = call.entry(words[1]);
  if ((options.nx && found) || (options.xx && !found)) return options.get ? answer : Reply(Nil{});
  store(call, found, words[1], words[2], options, remaining);
  replicate_set(call, words, options, remaining);
  return answer;
}

namespace {

Reply set_with_time(Call& call, Words words, Time time) {
  Duration remaining{};
  if (Reply problem = parse_time(call, words[2], time, remaining); !problem.is_nil()) return problem;
  StoreOptions options;
  options.time = time;
  Entry* const found = call.entry(words[1]);  // a dead key's DEL goes ahead
  store(call, found, words[1], words[3], options, remaining);
  call.replicate_at({"SET", words[1], words[3], "PXAT", ""}, 4, remaining);
  return lua::ok();
}

}  // namespace

Reply setex(Call& call, Words words) { return set_with_time(call, words, Time::ex); }
Reply psetex(Call& call, Words words) { return set_with_time(call, words, Time::px); }

Reply getex(Call& call, Words words) {
  StoreOptions options;
  if (!parse_options(words, 2, take_getex_option, options)) return errors::syntax();
  Reply value = get(call, words);
  if (!value.bulk()) return value;
  Entry& entry = *call.entry(words[1]);
  if (options.persist) {
    if (entry.remaining) call.replicate({"PERSIST", words[1]});
    entry.remaining.reset();
  } else if (options.time != Time::none) {
    Duration remaining{};
    Reply problem = parse_time(call, words[options.time_word], options.time, remaining);
    if (!problem.is_nil()) return problem;
    if (remaining <= Duration::zero() && call.source() != Call::Source::master) {
      call.db().erase(words[1]);
      call.replicate({"DEL", words[1]});
    } else {
      Keyspace::expire(entry, remaining);
      call.replicate_at({"PEXPIREAT", words[1], ""}, 2, remaining);
    }
  }
  return value;
}

}  // namespace lockstep::redis::commands
