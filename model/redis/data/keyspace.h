// keyspace.h: what one Redis node stores: keys, their values, and how long each key still lives.
//
// Invariants: (1) an empty aggregate is never stored; (2) an entry without `remaining` never dies; (3) an
// entry whose remaining time is r ≥ 0 is alive, one below zero is dead (Redis expires on now > when,
// strictly: db.c, keyIsExpired).
//
// Whether a dead entry is visible is not decided here: that depends on who asks (call.h).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "model/redis/data/value.h"
#include "model/server/effect.h"
#include "sim/base/fields.h"
#include "sim/base/time.h"

namespace lockstep::redis {

/// What remains of a key that is dead; only a server that remembers deaths (settings.h) knows more.
using model::long_dead;

struct Entry {
  Value value;
  std::optional<sim::Duration> remaining;

  bool dead() const { return remaining && *remaining < sim::Duration::zero(); }
  bool operator==(const Entry&) const = default;
  static auto fields(auto& e) { return std::tie(e.value, e.remaining); }
};
static_assert(sim::State<Entry>);

class Keyspace {
 public:
  using Entries = std::map<std::string, Entry, std::less<>>;

  const Entries& entries() const { return entries_; }
  std::size_t size() const { return entries_.size(); }

  Entry* find(std::string_view key);
  const Entry* find(std::string_view key) const;

  /// Stores a value in place of what was there. The entry's remaining time stays if it was there.
  Entry& put(std::string_view key, Value value);
  bool erase(std::string_view key);
  void clear() { entries_.clear(); }
  /// Removes aggregates without elements, which a command left behind that failed.
  void erase_empty() {
    std::erase_if(entries_, [](const auto& entry) { return is_empty(entry.second.value); });
  }

  /// Sets when an entry dies; less than zero is dead at once.
  static void expire(Entry& entry, sim::Duration remaining);

  /// Lets time pass for every key; dead ones stay, with no less than `floor` remaining. `passed` is negative
  /// when a wall clock was set back: dead keys then live again, as if they had died one millisecond ago.
  void age(sim::Duration passed, sim::Duration floor = long_dead);

  /// Removes the dead and returns their keys in order.
  std::vector<std::string> bury();

  /// How long until the next key that lives now is dead, or `never`.
  sim::Duration next_death() const;

  bool operator==(const Keyspace&) const = default;
  static auto fields(auto& k) { return std::tie(k.entries_); }

 private:
  Entries entries_;
};
static_assert(std::regular<Keyspace> && sim::HasFields<Keyspace>);

}  // namespace lockstep::redis
