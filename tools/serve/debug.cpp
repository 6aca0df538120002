#include "tools/serve/debug.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "model/redis/arguments.h"
#include "model/redis/errors.h"

namespace lockstep::tools::serve {

namespace {

using model::Command;
using model::Reply;
using redis::is_option;

Reply unknown_subcommand(const Command& command) {
  return lua::Error{"ERR unknown subcommand or wrong number of arguments for '" + command[1].substr(0, 128) +
                    "'. Try DEBUG HELP."};
}

/// Whatever strtod makes of the word, as in Redis: nonsense is no time at all.
sim::Duration sleep_of(const std::string& seconds) {
  const double wanted = std::strtod(seconds.c_str(), nullptr);
  if (!(wanted > 0)) return sim::Duration::zero();
  constexpr double day = 24 * 60 * 60;
  return sim::Duration(static_cast<std::int64_t>(std::min(wanted, day) * 1000));
}

Debugged clock_command(const Command& command, std::int64_t now_ms) {
  if (command.size() == 2) return {.reply = now_ms};
  const bool advances = is_option(command[2], "advance");
  if (command.size() != 4 || !(advances || is_option(command[2], "set")))
    return {.reply = unknown_subcommand(command)};
  const auto number = redis::parse_integer(command[3]);
  if (!number) return {.reply = redis::errors::not_an_integer()};
  const std::int64_t base = advances ? now_ms : 0;
  if (*number < -base || *number > clock_max_ms - base)
    return {.reply = lua::Error{"ERR value is out of range"}};
  return {.reply = lua::ok(), .clock_ms = base + *number};
}

}  // namespace

bool is_debug(const Command& command) { return is_option(command[0], "debug"); }

Debugged debug(const Command& command, std::optional<std::int64_t> virtual_ms) {
  if (command.size() < 2) return {.reply = redis::errors::wrong_arity("debug")};
  if (virtual_ms && is_option(command[1], "clock")) return clock_command(command, *virtual_ms);
  if (command.size() == 3 && is_option(command[1], "sleep"))
    return {.reply = lua::ok(), .sleep = sleep_of(command[2])};
  if (command.size() == 3 && is_option(command[1], "set-active-expire"))
    return {.reply = lua::ok(), .active_expire = std::atoi(command[2].c_str()) != 0};
  return {.reply = unknown_subcommand(command)};
}

Reply debug_refused() {
  return lua::Error{
      "ERR Can't execute 'debug': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed "
      "in "
      "this context"};
}

}  // namespace lockstep::tools::serve
