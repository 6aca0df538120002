// statistics.h: what a server counts of itself for INFO.
//
// A server counts only if somebody announced that it was started, or a connection (node.h, `start`,
// `connect`): in a search counting would make every state a new one. Times are the wall clock's, in
// milliseconds.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "sim/base/fields.h"

namespace lockstep::redis {

struct CommandCount {
  std::int64_t calls = 0;
  std::int64_t rejected = 0;  // refused before they ran
  std::int64_t failed = 0;    // ran, and answered an error
  bool operator==(const CommandCount&) const = default;
  static auto fields(auto& c) { return std::tie(c.calls, c.rejected, c.failed); }
};
static_assert(sim::State<CommandCount>);

struct Statistics {
  bool counts = false;
  std::int64_t started_ms = 0;
  std::int64_t saved_ms = 0;  // LASTSAVE
  std::int64_t connections = 0;
  std::int64_t commands = 0;
  std::int64_t saves = 0;
  std::map<std::string, CommandCount, std::less<>> by_command;
  std::map<std::string, std::int64_t, std::less<>> errors;  // by the first word of the error

  CommandCount& of(std::string_view command) {
    const auto at = by_command.find(command);
    return at != by_command.end() ? at->second : by_command[std::string(command)];
  }

  bool operator==(const Statistics&) const = default;
  static auto fields(auto& s) {
    return std::tie(s.counts, s.started_ms, s.saved_ms, s.connections, s.commands, s.saves, s.by_command,
                    s.errors);
  }
};
static_assert(sim::State<Statistics>);

}  // namespace lockstep::redis
