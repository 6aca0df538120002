#include "model/redis/data/keyspace.h"

#include <algorithm>
#include <limits>

namespace lockstep::redis {

using sim::Duration;

Entry* Keyspace::find(std::string_view key) {
  const auto at = entries_.find(key);
  return at == entries_.end() ? nullptr : &at->second;
}

const Entry* Keyspace::find(std::string_view key) const {
  const auto at = entries_.find(key);
  return at == entries_.end() ? nullptr : &at->second;
}

Entry& Keyspace::put(std::string_view key, Value value) {
  const auto at = entries_.lower_bound(key);
  if (at != entries_.end() && at->first == key) {
    at->second.value = std::move(value);
    return at->second;
  }
  return entries_.emplace_hint(at, key, Entry{std::move(value), std::nullopt})->second;
}

bool Keyspace::erase(std::string_view key) {
  const auto at = entries_.find(key);
  if (at == entries_.end()) return false;
  entries_.erase(at);
  return true;
}

void Keyspace::expire(Entry& entry, Duration remaining) { entry.remaining = remaining; }

void Keyspace::age(Duration passed, Duration floor) {
  for (auto& [key, entry] : entries_) {
    if (!entry.remaining) continue;
    const bool overflows = passed < Duration::zero() && *entry.remaining > Duration::max() + passed;
    entry.remaining = overflows ? Duration::max() : std::max(*entry.remaining - passed, floor);
  }
}

std::vector<std::string> Keyspace::bury() {
  std::vector<std::string> buried;
  for (auto at = entries_.begin(); at != entries_.end();) {
    if (at->second.dead()) {
      buried.push_back(at->first);
      at = entries_.erase(at);
    } else {
      ++at;
    }
  }
  return buried;
}

Duration Keyspace::next_death() const {
  Duration next = sim::never;
  for (const auto& [key, entry] : entries_) {
    if (!entry.remaining || entry.dead() || *entry.remaining == Duration::max()) continue;
    next = std::min(next, *entry.remaining + Duration(1));
  }
  return next;
}

}  // namespace lockstep::redis
