// CONFIG GET, SET, RESETSTAT, REWRITE (Redis config.c). What is set together is set completely or not at all.
#include "model/redis/commands/server/config.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"
#include "model/redis/data/glob.h"
#include "model/redis/pubsub/notifications.h"
#include "sim/base/verify.h"

namespace lockstep::redis::commands {

namespace {

std::string_view kept_as(const Option& option) {
  return option.kept_as.empty() ? option.name : option.kept_as;
}

std::string yes_no_text(bool value) { return value ? "yes" : "no"; }

/// The values that are members of Settings.
std::optional<std::string> member_value(const Settings& settings, std::string_view name) {
  if (name == "min-replicas-to-write") return std::to_string(settings.min_replicas_to_write);
  if (name == "min-replicas-max-lag") return std::to_string(settings.min_replicas_max_lag);
  if (name == "maxmemory") return std::to_string(settings.maxmemory);
  if (name == "enable-debug-command") return yes_no_text(settings.debug_allowed);
  if (name == "replica-serve-stale-data") return yes_no_text(settings.serves_stale);
  return std::nullopt;
}

bool set_member(Settings& settings, std::string_view name, const std::string& value) {
  if (name == "min-replicas-to-write") settings.min_replicas_to_write = *parse_integer(value);
  else if (name == "min-replicas-max-lag") settings.min_replicas_max_lag = *parse_integer(value);
  else if (name == "maxmemory") settings.maxmemory = *parse_memory(value);
  else if (name == "replica-serve-stale-data") settings.serves_stale = value == "yes";
  else return false;
  return true;
}

void set_value(Settings& settings, const Option& option, const std::string& value) {
  const std::string_view name = kept_as(option);
  if (set_member(settings, name, value)) return;
  const auto at = settings.others.find(name);
  if (at != settings.others.end()) settings.others.erase(at);
  if (value != option.initial) settings.others.emplace(name, value);
}

}  // namespace

const Option* find_option(std::string_view name) {
  const auto all = config_options();
  const std::string lower = to_lower(name);
  const auto at =
      std::lower_bound(all.begin(), all.end(), lower,
                       [](const Option& option, const std::string& wanted) { return option.name < wanted; });
  return at != all.end() && at->name == lower ? &*at : nullptr;
}

std::string config_value(const Settings& settings, std::string_view name) {
  const Option* const option = find_option(name);
  VERIFY(option != nullptr);
  if (auto value = member_value(settings, kept_as(*option))) return *std::move(value);
  const auto at = settings.others.find(kept_as(*option));
  return at == settings.others.end() ? std::string(option->initial) : at->second;
}

CompactLimits compact_limits(const Settings& settings) {
  CompactLimits limits;
  if (settings.others.empty()) return limits;
  const auto read = [&](std::string_view name, std::size_t& limit) {
    const auto at = settings.others.find(name);
    if (at != settings.others.end()) limit = static_cast<std::size_t>(*parse_integer(at->second));
  };
  read("hash-max-listpack-entries", limits.hash_fields);
  read("hash-max-listpack-value", limits.hash_bytes);
  read("set-max-intset-entries", limits.set_integers);
  read("zset-max-listpack-entries", limits.sorted_entries);
  read("zset-max-listpack-value", limits.sorted_bytes);
  constexpr std::size_t intset_max = std::size_t{1} << 30;
  limits.set_integers = std::min(limits.set_integers, intset_max);
  return limits;
}

Reply config_get(Call& call, Words words) {
  std::map<std::string_view, std::string_view> names;  // each as it was asked for first
  for (const std::string_view word : words.subspan(2)) {
    if (word.find_first_of("[*?") == std::string_view::npos) {
      if (const Option* const option = find_option(word)) names.emplace(option->name, word);
      continue;
    }
    for (const Option& option : config_options()) {
      if (glob_matches(to_lower(word), option.name)) names.emplace(option.name, option.name);
    }
  }
  Reply::Array found;
  for (const auto& [name, asked] : names) {
    const bool is_clustered = name == "cluster-enabled" && *call.node().cluster;
    found.push_back(bulk(asked));
    found.push_back(is_clustered ? bulk("yes") : Reply(config_value(*call.node().settings, name)));
  }
  return found;
}

namespace {

Reply failed(std::string_view name, std::string_view why) {
  return Error{"ERR CONFIG SET failed (possibly related to argument '" + shown(name) + "') - " + shown(why)};
}

/// Whether these names may be set at all; Nil if so.
Reply check_names(Words words) {
  std::set<std::string_view> seen;
  for (std::size_t i = 2; i < words.size(); i += 2) {
    const Option* const option = find_option(words[i]);
    if (!option) {
      return Error{"ERR Unknown option or number of arguments for CONFIG SET - '" + shown(words[i]) + "'"};
    }
    if (option->kind == Option::Kind::immutable) return failed(words[i], "can't set immutable config");
    if (option->kind == Option::Kind::guarded) return failed(words[i], "can't set protected config");
    if (!seen.insert(option->name).second) return failed(words[i], "duplicate parameter");
  }
  return Nil{};
}

/// Where this server listens is its own affair, and how many files it may open the machine's (config.c,
/// updatePort, updateMaxclients). Nil if the value can be had.
Reply check_possible(const Call& call, const Option& option, const std::string& value,
                     const std::string& before) {
  if (value == before) return Nil{};
  if (option.name == "port" || option.name == "tls-port")
    return failed(option.name, "Unable to listen on this port. Check server logs.");
  if (option.name == "bind") return failed(option.name, "Failed to bind to specified addresses.");
  const std::int64_t most = call.environment().clients_max;
  if (option.name == "maxclients" && *parse_integer(value) > most) {
    return failed(option.name,
                  "The operating system is not able to handle the specified number of clients, try with " +
                      std::to_string(most));
  }
  return Nil{};
}

}  // namespace

Reply config_set(Call& call, Words words) {
  if (words.size() % 2 != 0) return errors::syntax();
  if (Reply problem = check_names(words); !problem.is_nil()) return problem;
  Settings changed = *call.node().settings;
  for (std::size_t i = 2; i < words.size(); i += 2) {
    const Option& option = *find_option(words[i]);
    const std::string before = config_value(changed, option.name);
    const Checked checked = check_value(option, words[i + 1], before);
    if (!checked.value) return failed(option.name, checked.problem);
    if (Reply problem = check_possible(call, option, *checked.value, before); !problem.is_nil())
      return problem;
    set_value(changed, option, *checked.value);
    // What CONFIG GET shows for it lacks n behind A.
    if (option.name == "notify-keyspace-events") changed.events = event_bits(words[i + 1]);
  }
  call.node().settings.write() = std::move(changed);
  return lua::ok();
}

Reply config_resetstat(Call& call, Words) {
  if (!call.node().statistics->counts) return lua::ok();
  Statistics& statistics = call.node().statistics.write();
  statistics.connections = statistics.commands = 0;
  statistics.by_command.clear();
  statistics.errors.clear();
  return lua::ok();
}

Reply config_rewrite(Call&, Words) { return Error{"ERR The server is running without a config file"}; }

}  // namespace lockstep::redis::commands
