// value.h: the five types of value that a key can hold.
//
// Invariants: (1) an aggregate in a keyspace has at least one element (Keyspace removes one that became
// empty); (2) the order of every container is part of the value and the same in every run.
//
// Orders as a client sees them (Redis 7.0.15, t_hash.c, t_set.c, t_zset.c):
//   Hash       order of insertion while it is a listpack (at most 512 fields, no field or value above 64
//              bytes); updating a field keeps its place. Beyond that Redis has the order of a hash table,
//              seeded anew in each server; here it is the order of the field's bytes. The change is for good,
//              as in Redis.
//   Set        ascending numbers while all members are integers and there are at most 512; beyond that
//              bytewise, where Redis has hash order.
//   SortedSet  score, then member bytewise: exactly Redis's. It is a listpack while it has at most 128
//              entries and no member above 64 bytes, a skip list from then on, for good. A skip list tells
//              -0 from 0, a listpack does not.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "model/redis/data/sequence.h"
#include "sim/base/fields.h"

namespace lockstep::redis {

/// From this many elements on Redis gives up its compact forms, with the orders they show.
inline constexpr std::size_t compact_elements_max = 512;
/// A hash field or value of more bytes than this makes the hash a hash table.
inline constexpr std::size_t compact_bytes_max = 64;
/// The same for sorted sets, whose members may have as many bytes.
inline constexpr std::size_t compact_entries_max = 128;

/// The same as CONFIG SET may have changed them (hash-max-listpack-entries and its kin).
struct CompactLimits {
  std::size_t hash_fields = compact_elements_max, hash_bytes = compact_bytes_max;
  std::size_t set_integers = compact_elements_max;
  std::size_t sorted_entries = compact_entries_max, sorted_bytes = compact_bytes_max;
};

/// How the bytes of a string came to be, which decides how Redis stores them (encoding.h). Nothing but OBJECT
/// shows it.
enum class Form : std::uint8_t {
  given,   // by a client: what looks like an integer is kept as one (object.c, tryObjectEncoding)
  copied,  // by COPY: as given, but a small integer is not the one that all keys share
  text,    // by INCRBYFLOAT: never kept as an integer
  edited   // in place, by APPEND, SETRANGE, SETBIT: stays a buffer of its own, however short
};

struct String {
  std::string bytes;
  Form form = Form::given;
  bool operator==(const String&) const = default;
  static auto fields(auto& s) { return std::tie(s.bytes, s.form); }
};
static_assert(sim::State<String>);

struct List {
  Sequence<std::string> items;  // head first
  bool operator==(const List&) const = default;
  static auto fields(auto& l) { return std::tie(l.items); }
};
static_assert(sim::State<List>);

struct Hash {
  Sequence<std::pair<std::string, std::string>> pairs;  // field, value
  bool compact = true;                                  // a listpack in Redis; false: sorted by field

  const std::string* find(std::string_view field) const;
  std::string* find(std::string_view field);
  /// Returns whether the field is new.
  bool set(std::string_view field, std::string_view value, const CompactLimits& limits = {});
  bool erase(std::string_view field);

  bool operator==(const Hash&) const = default;
  static auto fields(auto& h) { return std::tie(h.pairs, h.compact); }
  void renamed() {
    if (!compact) std::sort(pairs.begin(), pairs.end());
  }

 private:
  std::size_t place_of(std::string_view field) const;
  void spread();
};
static_assert(sim::State<Hash>);

struct Set {
  Sequence<std::string> members;
  bool integers = true;  // an intset in Redis, in numeric order; false: bytewise

  bool contains(std::string_view member) const;
  bool insert(std::string_view member, const CompactLimits& limits = {});
  bool erase(std::string_view member);

  bool operator==(const Set&) const = default;
  static auto fields(auto& s) { return std::tie(s.members, s.integers); }
  void renamed() {
    if (!integers) std::sort(members.begin(), members.end());
  }
};
static_assert(sim::State<Set>);

struct Scored {
  double score = 0;  // never NaN
  std::string member;
  /// -0 is not 0 here: a client can tell them apart.
  bool operator==(const Scored& other) const {
    return std::bit_cast<std::uint64_t>(score) == std::bit_cast<std::uint64_t>(other.score) &&
           member == other.member;
  }
  static auto fields(auto& s) { return std::tie(s.score, s.member); }
};
static_assert(sim::State<Scored>);

/// A skip list has a table of its members beside it, as in Redis; what it holds follows from the entries.
struct SortedSet {
  Sequence<Scored> entries;  // by score, then member
  bool compact = true;       // a listpack in Redis, without -0; false: a skip list

  std::optional<std::size_t> rank(std::string_view member) const;
  const double* score(std::string_view member) const;
  /// Adds a member that is not there.
  void add(std::string_view member, double score, const CompactLimits& limits = {});
  /// Gives the member of this rank a new score.
  void move(std::size_t rank, double score);
  /// Adds the member or moves it to its new score.
  void put(std::string_view member, double score, const CompactLimits& limits = {});
  bool erase(std::string_view member);
  /// So many entries from this rank on.
  void erase(std::size_t rank, std::size_t count);
  /// Becomes a skip list, for good.
  void spread();
  /// Becomes compact if it is small enough, as the results of ZUNIONSTORE and its kin do.
  void settle(const CompactLimits& limits = {});

  bool operator==(const SortedSet& other) const {
    return compact == other.compact && entries == other.entries;
  }
  static auto fields(auto& z) { return std::tie(z.entries, z.compact); }
  void renamed() {
    std::sort(entries.begin(), entries.end(), [](const Scored& a, const Scored& b) {
      return std::tie(a.score, a.member) < std::tie(b.score, b.member);
    });
    note_members();
  }

 private:
  using Members = Sequence<std::pair<std::string, double>>;

  void insert(Scored entry);
  void note_members();
  std::size_t member_place(std::string_view member) const;

  Members members_;  // by member, with their scores; of a listpack none
};
static_assert(std::regular<SortedSet> && sim::HasFields<SortedSet>);

/// What OBJECT ENCODING calls them: "intset" or "hashtable", "listpack" or "skiplist".
std::string_view encoding(const Set& set);
std::string_view encoding(const SortedSet& sorted);

using Value = std::variant<String, List, Set, Hash, SortedSet>;

/// What TYPE answers: "string", "list", "set", "hash", "zset".
std::string_view type_name(const Value& value);

/// Whether an aggregate has lost its last element. A string is never empty in this sense.
bool is_empty(const Value& value);

}  // namespace lockstep::redis
