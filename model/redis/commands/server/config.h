// config.h: the names that CONFIG GET and CONFIG SET know, and what values they take (Redis config.c).
//
// A value that commands look at is a member of Settings; any other is kept there as text, unless it is the
// initial one. Some names are older names of others; both are listed, as in Redis.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/redis/data/value.h"
#include "model/redis/settings.h"

namespace lockstep::redis::commands {

struct Option {
  enum class Kind : std::uint8_t {
    text,
    yes_or_no,
    integer,  // rule: the least and the greatest
    memory,   // bytes, with or without a unit; rule as above
    memory_or_percent,
    choice,   // rule: the words allowed
    choices,  // several of them
    events,   // notify-keyspace-events
    save_points,
    buffer_limits,
    three_integers,  // oom-score-adj-values
    percentiles,
    title,      // proc-title-template
    immutable,  // only at the start
    guarded,    // only if enable-protected-configs allows it
  };

  std::string_view name, initial;
  Kind kind;
  std::string_view rule;
  std::string_view kept_as = {};  // the newer name
};

/// Sorted by name.
std::span<const Option> config_options();

/// nullptr: there is no such name. Case does not matter.
const Option* find_option(std::string_view name);

std::string config_value(const Settings& settings, std::string_view name);

/// What CONFIG SET says of the compact forms of values.
CompactLimits compact_limits(const Settings& settings);

/// A value in the form in which it is kept, or what is wrong with it; `before` is the present one.
struct Checked {
  std::optional<std::string> value;
  std::string problem;
};
Checked check_value(const Option& option, std::string_view text, std::string_view before);

/// Bytes as Redis reads them: "1gb", "100k". nullopt: not so.
std::optional<std::uint64_t> parse_memory(std::string_view text);

}  // namespace lockstep::redis::commands
