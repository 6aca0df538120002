// What CONFIG SET makes of a value (Redis config.c, the set functions of each kind of option).
#include <algorithm>
#include <array>
#include <charconv>

#include "model/redis/arguments.h"
#include "model/redis/commands/server/config.h"
#include "model/redis/commands/catalog/facts.h"
#include "sim/base/verify.h"

namespace lockstep::redis::commands {

namespace {

Checked taken(std::string value) { return {std::move(value), {}}; }
Checked refused(std::string problem) { return {std::nullopt, std::move(problem)}; }

/// What a server says that was built with the allocator of its system, as Debian builds it.
constexpr std::string_view no_defragmentation =
    "Active defragmentation cannot be enabled: it requires a Redis server compiled with a modified Jemalloc "
    "like the one shipped by default with the Redis source distribution";

struct Limits {
  std::int64_t least = 0;
  std::uint64_t greatest = 0;
};

Limits limits_of(const Option& option) {
  Limits limits;
  const auto words = parts_of(option.rule, " ");
  VERIFY(words.size() == 2);
  std::from_chars(words[0].data(), words[0].data() + words[0].size(), limits.least);
  std::from_chars(words[1].data(), words[1].data() + words[1].size(), limits.greatest);
  return limits;
}

Checked out_of_range(const Option& option) {
  const auto words = parts_of(option.rule, " ");
  return refused("argument must be between " + std::string(words[0]) + " and " + std::string(words[1]) +
                 " inclusive");
}

Checked check_integer(const Option& option, std::string_view text) {
  const auto value = parse_integer(text);
  if (!value) return refused("argument couldn't be parsed into an integer");
  const Limits limits = limits_of(option);
  const bool too_great = *value > 0 && static_cast<std::uint64_t>(*value) > limits.greatest;
  if (*value < limits.least || too_great) return out_of_range(option);
  constexpr std::int64_t hz_min = 1, hz_max = 500;
  return taken(std::to_string(option.name == "hz" ? std::clamp(*value, hz_min, hz_max) : *value));
}

Checked check_memory(const Option& option, std::string_view text) {
  const bool may_be_percent = option.kind == Option::Kind::memory_or_percent;
  if (may_be_percent && text.ends_with('%')) {
    const auto percent = parse_integer(text.substr(0, text.size() - 1));
    if (!percent || *percent < 0) return refused("argument must be a memory or percent value");
    constexpr std::int64_t hundred = 100;
    if (*percent > hundred) return refused("percentage argument must be less or equal to 100");
    return taken(std::string(text));
  }
  const auto bytes = parse_memory(text);
  if (!bytes) {
    return refused(may_be_percent ? "argument must be a memory or percent value"
                                  : "argument must be a memory value");
  }
  const Limits limits = limits_of(option);
  if (*bytes < static_cast<std::uint64_t>(limits.least) || *bytes > limits.greatest)
    return out_of_range(option);
  constexpr std::uint64_t backlog_min = 16 * 1024;
  return taken(std::to_string(option.name == "repl-backlog-size" ? std::max(*bytes, backlog_min) : *bytes));
}

/// One word of the rule, or several of them if the kind allows it.
Checked check_choice(const Option& option, std::string_view text) {
  const auto allowed = parts_of(option.rule, ", ");
  const auto words = option.kind == Option::Kind::choices ? parts_of(text, " ") : std::vector{text};
  const auto is_allowed = [&](std::string_view word) {
    return std::find(allowed.begin(), allowed.end(), to_lower(word)) != allowed.end();
  };
  if (words.empty() || !std::all_of(words.begin(), words.end(), is_allowed))
    return refused("argument(s) must be one of the following: " + std::string(option.rule));
  if (option.kind == Option::Kind::choice) return taken(to_lower(text));
  const auto chosen = [&](std::string_view word) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view one) { return to_lower(one) == word; });
  };
  if (chosen("save") && chosen("nosave"))
    return refused("shutdown options SAVE and NOSAVE can't be used simultaneously");
  std::string value;
  for (const std::string_view word : allowed) {
    if (word != "default" && chosen(word)) value.append(value.empty() ? "" : " ").append(word);
  }
  return taken(value.empty() ? "default" : value);
}

/// The classes of notify-keyspace-events, in the order in which Redis writes them.
Checked check_events(std::string_view text) {
  constexpr std::string_view all = "g$lshzxetd";
  if (text.find_first_not_of("Ag$lshzxeKEtmdn") != std::string_view::npos)
    return refused("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
  const auto has = [&](char c) { return text.find(c) != std::string_view::npos; };
  const bool everything = has('A') || std::all_of(all.begin(), all.end(), has);
  std::string value = everything ? "A" : "";
  for (const char c : std::string_view("g$lshzxetdn")) {
    if (!everything && has(c)) value += c;
  }
  for (const char c : std::string_view("KEm")) {
    if (has(c)) value += c;
  }
  return taken(value);
}

/// Pairs of seconds, at least one, and changes.
Checked check_save_points(std::string_view text) {
  if (text.empty()) return taken("");
  const auto words = parts_of(text, " ");
  bool good = words.size() % 2 == 0;
  for (std::size_t i = 0; good && i < words.size(); ++i) {
    const auto number = parse_integer(words[i]);
    good = number && *number >= (i % 2 == 0 ? 1 : 0);
  }
  return good ? taken(std::string(text)) : refused("Invalid save parameters");
}

/// "CLASS HARD SOFT SECONDS" once or more often, over what was there.
Checked check_buffer_limits(std::string_view text, std::string_view before) {
  const auto words = parts_of(text, " ");
  auto kept = parts_of(before, " ");
  std::vector<std::string> now(kept.begin(), kept.end());
  constexpr std::size_t each = 4;
  if (words.size() % each != 0) return refused("Wrong number of arguments in buffer limit configuration.");
  for (std::size_t i = 0; i < words.size(); i += each) {
    const std::string wanted = to_lower(words[i]);
    const auto at = std::find(now.begin(), now.end(), wanted == "replica" ? "slave" : wanted);
    if (at == now.end() || (at - now.begin()) % static_cast<std::ptrdiff_t>(each) != 0)
      return refused("Invalid client class specified in buffer limit configuration.");
    const auto hard = parse_memory(words[i + 1]), soft = parse_memory(words[i + 2]);
    const auto seconds = parse_integer(words[i + 3]);
    if (!hard || !soft || !seconds || *seconds < 0) {
      return refused("Error in hard, soft or soft_seconds setting in buffer limit configuration.");
    }
    at[1] = std::to_string(*hard), at[2] = std::to_string(*soft), at[3] = std::to_string(*seconds);
  }
  std::string value;
  for (const std::string& word : now) value += (value.empty() ? "" : " ") + word;
  return taken(value);
}

Checked check_three_integers(std::string_view text) {
  const auto words = parts_of(text, " ");
  if (words.size() != 3) return refused("wrong number of arguments");
  constexpr std::int64_t bound = 2000;
  for (const std::string_view word : words) {
    const auto number = parse_integer(word);
    if (!number || *number < -bound || *number > bound)
      return refused("Invalid oom-score-adj-values, elements must be between -2000 and 2000.");
  }
  return taken(std::string(text));
}

Checked check_percentiles(std::string_view text) {
  for (const std::string_view word : parts_of(text, " ")) {
    const auto number = parse_float(word);
    if (!number) return refused("Invalid latency-tracking-info-percentiles parameters");
    if (*number < 0 || *number > 100) {
      return refused("latency-tracking-info-percentiles parameters should sit between [0.0,100.0]");
    }
  }
  return taken(std::string(text));
}

/// Only the names that Redis fills in may stand between braces.
Checked check_title(std::string_view text) {
  constexpr std::array<std::string_view, 7> known{"title",    "listen-addr", "server-mode", "port",
                                                  "tls-port", "unixsocket",  "config-file"};
  bool good = !text.empty();
  for (std::size_t at = text.find('{'); good && at != std::string_view::npos; at = text.find('{', at + 1)) {
    const std::size_t end = text.find('}', at);
    good = end != std::string_view::npos &&
           std::find(known.begin(), known.end(), text.substr(at + 1, end - at - 1)) != known.end();
  }
  return good ? taken(std::string(text))
              : refused("template format is invalid or contains unknown variables");
}

}  // namespace

std::optional<std::uint64_t> parse_memory(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string unit = to_lower(text.substr(digits));
  constexpr std::uint64_t thousand = 1000, kibi = 1024;
  std::uint64_t factor = 1;
  if (unit == "k") factor = thousand;
  else if (unit == "kb") factor = kibi;
  else if (unit == "m") factor = thousand * thousand;
  else if (unit == "mb") factor = kibi * kibi;
  else if (unit == "g") factor = thousand * thousand * thousand;
  else if (unit == "gb") factor = kibi * kibi * kibi;
  else if (!unit.empty() && unit != "b") return std::nullopt;
  if (digits == 0) return unit.empty() ? std::optional<std::uint64_t>(0) : std::nullopt;
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + digits, value);
  if (problem == std::errc::result_out_of_range) value = UINT64_MAX;
  return value * factor;
}

Checked check_value(const Option& option, std::string_view text, std::string_view before) {
  switch (option.kind) {
    case Option::Kind::yes_or_no: {
      const std::string lower = to_lower(text);
      if (option.name == "activedefrag" && lower == "yes") return refused(std::string(no_defragmentation));
      return lower == "yes" || lower == "no" ? taken(lower) : refused("argument must be 'yes' or 'no'");
    }
    case Option::Kind::integer:
      return check_integer(option, text);
    case Option::Kind::memory:
    case Option::Kind::memory_or_percent:
      return check_memory(option, text);
    case Option::Kind::choice:
    case Option::Kind::choices:
      return check_choice(option, text);
    case Option::Kind::events:
      return check_events(text);
    case Option::Kind::save_points:
      return check_save_points(text);
    case Option::Kind::buffer_limits:
      return check_buffer_limits(text, before);
    case Option::Kind::three_integers:
      return check_three_integers(text);
    case Option::Kind::percentiles:
      return check_percentiles(text);
    case Option::Kind::title:
      return check_title(text);
    case Option::Kind::text:
      return taken(std::string(text));
    case Option::Kind::immutable:
    case Option::Kind::guarded:
      break;
  }
  return refused("can't set immutable config");
}

}  // namespace lockstep::redis::commands
