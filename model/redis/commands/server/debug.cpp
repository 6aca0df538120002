// DEBUG, as far as tests of clients use it (Redis debug.c), and one sub-command of our own:
//   DEBUG CLOCK              the wall clock in milliseconds since 1970
//   DEBUG CLOCK SET ms       moves it there, back too
//   DEBUG CLOCK ADVANCE ms   moves it by so much
// What concerns the clock and the process is left to the program that runs the node (Outcome).
#include <algorithm>
#include <cstdlib>

#include "lua/redis_api/resp3.h"
#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/server/config.h"
#include "model/redis/commands/server/help.h"
#include "model/redis/errors.h"
#include "model/redis/resp/resp3.h"

namespace lockstep::redis::commands {

namespace {

/// Integers of a script are exact up to here.
constexpr std::int64_t clock_max_ms = 9'007'199'254'740'991;

/// Nonsense is no time at all, as in Redis.
Duration sleep_of(std::string_view seconds) {
  const auto wanted = parse_float(seconds);
  constexpr auto day = 86'400.0;
  if (!wanted || *wanted <= 0) return Duration::zero();
  return Duration(static_cast<std::int64_t>(std::min(*wanted, day) * 1000));
}

Reply clock(Call& call, Words words) {
  const std::int64_t now = call.now();
  if (words.size() == 2) return now;
  const bool advances = is_option(words[2], "advance");
  if (words.size() != 4 || !(advances || is_option(words[2], "set")))
    return errors::unknown_subcommand("DEBUG", words[1]);
  const auto number = parse_integer(words[3]);
  if (!number) return errors::not_an_integer();
  const std::int64_t base = advances ? now : 0;
  if (*number < -base || *number > clock_max_ms - base) return Error{"ERR value is out of range"};
  call.outcome().clock_step = Duration(base + *number - now);
  return lua::ok();
}

using lua::Type3;
using lua::Typed;

/// The kinds of which RESP2 has only a form.
std::optional<Reply> resp3_sample(Call& call, std::string_view kind) {
  const auto flag = [](bool value) { return Reply(Typed{Type3::boolean, {count(value ? 1 : 0)}}); };
  if (is_option(kind, "double")) return Typed{Type3::number, {bulk("3.141")}};
  if (is_option(kind, "set")) return Typed{Type3::set, {count(0), count(1), count(2)}};
  if (is_option(kind, "map"))
    return Typed{Type3::map, {count(0), flag(false), count(1), flag(true), count(2), flag(false)}};
  if (is_option(kind, "true") || is_option(kind, "false")) return flag(is_option(kind, "true"));
  if (is_option(kind, "verbatim")) return lua::verbatim_text("This is a verbatim\nstring");
  if (is_option(kind, "bignum"))
    return Typed{Type3::big_number, {bulk("1234567999999999999999999999999999999")}};
  if (is_option(kind, "attrib")) {
    return Typed{Type3::attribute,
                 {bulk("key-popularity"), Reply::Array{bulk("key:123"), count(90)},
                  bulk("Some real reply following the attribute")}};
  }
  if (!is_option(kind, "push")) return std::nullopt;
  call.outcome().more_replies.push_back(bulk("Some real reply following the push reply"));
  return Typed{Type3::push, {bulk("server-cpu-usage"), count(42)}};
}

/// DEBUG PROTOCOL: a reply of each kind, in the form that RESP2 has for it.
Reply sample(std::string_view kind) {
  const Reply::Array three{count(0), count(1), count(2)};
  if (is_option(kind, "string")) return bulk("Hello World");
  if (is_option(kind, "integer")) return std::int64_t{12345};
  if (is_option(kind, "double")) return bulk("3.141");
  if (is_option(kind, "null")) return Nil{};
  if (is_option(kind, "array") || is_option(kind, "set")) return three;
  if (is_option(kind, "map")) return Reply::Array{count(0), count(0), count(1), count(1), count(2), count(0)};
  if (is_option(kind, "attrib")) return bulk("Some real reply following the attribute");
  if (is_option(kind, "push")) return Error{"ERR RESP2 is not supported by this command"};
  if (is_option(kind, "true")) return count(1);
  if (is_option(kind, "false")) return count(0);
  if (is_option(kind, "verbatim")) return bulk("This is a verbatim\nstring");
  if (is_option(kind, "bignum")) return bulk("1234567999999999999999999999999999999");
  return Error{
      "ERR Wrong protocol type name. Please use one of the following: "
      "string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false"};
}

/// DEBUG POPULATE count [prefix [size]]: makes the keys that are not there yet. It is no write: replicas are
/// not told.
Reply populate(Call& call, Words words) {
  const auto positive = [](std::string_view word) {
    const auto number = parse_integer(word);
    return number && *number >= 0 ? number : std::nullopt;
  };
  const auto keys = positive(words[2]);
  const auto size = words.size() == 5 ? positive(words[4]) : std::optional<std::int64_t>(0);
  if (!keys || !size) return errors::not_positive();
  const std::string prefix = words.size() > 3 ? shown(words[3]) : "key";
  constexpr std::uint64_t stored_bytes_max = std::uint64_t{2} << 30, overhead = 128;
  const std::uint64_t bytes_each = static_cast<std::uint64_t>(*size) + prefix.size() + overhead;
  if (*keys > 0 && bytes_each > stored_bytes_max / static_cast<std::uint64_t>(*keys))
    return Error{"ERR Lockstep refuses to make more than 2 GiB at once"};
  for (std::int64_t i = 0; i < *keys; ++i) {
    const std::string key = prefix + ":" + std::to_string(i);
    if (call.entry(key)) continue;
    std::string value = "value:" + std::to_string(i);
    if (*size > 0) value.resize(static_cast<std::size_t>(*size), '\0');
    call.overwrite(key, String{std::move(value), Form::given});
    call.touch_key(key);
  }
  return lua::ok();
}

}  // namespace

Reply debug(Call& call, Words words) {
  const std::string_view word = words[1];
  if (is_option(word, "help") && words.size() == 2) return help(call, words);
  if (is_option(word, "clock")) return clock(call, words);
  if (is_option(word, "sleep") && words.size() == 3) {
    call.outcome().order().sleep = sleep_of(words[2]);
    return lua::ok();
  }
  if (is_option(word, "set-active-expire") && words.size() == 3) {
    call.outcome().order().active_expire = std::atoi(std::string(words[2]).c_str()) != 0;
    return lua::ok();
  }
  if (is_option(word, "populate") && words.size() >= 3 && words.size() <= 5) return populate(call, words);
  if (is_option(word, "protocol") && words.size() == 3) {
    auto typed = speaks_resp3(call.node(), call.from()) ? resp3_sample(call, words[2]) : std::nullopt;
    return typed ? *std::move(typed) : sample(words[2]);
  }
  if (is_option(word, "error") && words.size() == 3) {
    call.set_failures(0);  // it is not counted as one
    return Error{on_one_line(std::string(words[2]))};
  }
  if (is_option(word, "log") && words.size() == 3) return lua::ok();
  if (is_option(word, "set-disable-deny-scripts") && words.size() == 3) return lua::ok();
  if (is_option(word, "quicklist-packed-threshold") && words.size() == 3) {
    const auto bytes = parse_memory(words[2]);
    if (bytes && *bytes < std::uint64_t{1} << 32) return lua::ok();
    return Error{"ERR argument must be a memory value bigger than 1 and smaller than 4gb"};
  }
  return errors::unknown_subcommand("DEBUG", word);
}

}  // namespace lockstep::redis::commands
