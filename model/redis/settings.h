// settings.h: the configuration of one server, as far as it changes what clients are answered.
//
// The defaults are those of redis-server 7.0.15 without a configuration file. CONFIG GET knows many more
// names (commands/config.cpp); they are kept as text when somebody sets them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "sim/base/fields.h"
#include "sim/base/time.h"

namespace lockstep::redis {

inline constexpr int databases_max = 16;

/// Bytes that a server is said to use, whatever is stored: what memory Redis needs its allocator knows.
inline constexpr std::int64_t used_memory = 966'144;

struct Settings {
  std::int64_t min_replicas_to_write = 0;
  std::int64_t min_replicas_max_lag = 10;  // seconds
  std::uint64_t maxmemory = 0;             // bytes; 0: no limit
  std::uint16_t events = 0;                // notify-keyspace-events, as bits (notifications.h)
  bool debug_allowed = true;      // enable-debug-command; a server of ours allows it, Redis does not
  bool serves_stale = true;       // replica-serve-stale-data
  bool counts_offsets = false;    // whether the bytes of the replication stream are counted
  bool remembers_deaths = false;  // dead keys keep their deadline: for a clock that is set back exactly
  std::map<std::string, std::string, std::less<>> others;  // what CONFIG SET stored, by name

  bool operator==(const Settings&) const = default;
  static auto fields(auto& s) {
    return std::tie(s.min_replicas_to_write, s.min_replicas_max_lag, s.maxmemory, s.events, s.debug_allowed,
                    s.serves_stale, s.counts_offsets, s.remembers_deaths, s.others);
  }
};
static_assert(sim::State<Settings>);

/// Whether commands that may need more memory are refused. Nothing is evicted, whatever the policy.
inline bool out_of_memory(const Settings& settings) {
  return settings.maxmemory != 0 && settings.maxmemory < static_cast<std::uint64_t>(used_memory);
}

/// How exactly it is remembered when a dead key died.
inline sim::Duration floor_of_deaths(const Settings& settings) {
  return settings.remembers_deaths ? sim::Duration::min() : sim::Duration(-1);
}

}  // namespace lockstep::redis
