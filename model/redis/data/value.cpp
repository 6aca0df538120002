#include "model/redis/data/value.h"

#include <algorithm>

#include "model/redis/arguments.h"
#include "sim/base/overloaded.h"

namespace lockstep::redis {

// ---- Hash ---------------------------------------------------------------------------------------

namespace {

template <class Pairs>
auto position_of(Pairs& pairs, bool compact, std::string_view field) {
  if (compact)
    return std::find_if(pairs.begin(), pairs.end(), [&](const auto& p) { return p.first == field; });
  const auto at = std::lower_bound(pairs.begin(), pairs.end(), field,
                                   [](const auto& p, std::string_view f) { return p.first < f; });
  return at != pairs.end() && at->first == field ? at : pairs.end();
}

}  // namespace

const std::string* Hash::find(std::string_view field) const {
  const auto at = position_of(pairs, compact, field);
  return at == pairs.end() ? nullptr : &at->second;
}

std::string* Hash::find(std::string_view field) {
  const auto at = position_of(pairs, compact, field);
  return at == pairs.end() ? nullptr : &at->second;
}

bool Hash::set(std::string_view field, std::string_view value) {
  if (compact && (field.size() > compact_bytes_max || value.size() > compact_bytes_max)) spread();
  if (std::string* old = find(field)) {
    old->assign(value);
    return false;
  }
  if (compact) {
    pairs.emplace_back(field, value);
    if (pairs.size() > compact_elements_max) spread();
  } else {
    const auto at = std::lower_bound(pairs.begin(), pairs.end(), field,
                                     [](const auto& p, std::string_view f) { return p.first < f; });
    pairs.emplace(at, field, value);
  }
  return true;
}

bool Hash::erase(std::string_view field) {
  const auto at = position_of(pairs, compact, field);
  if (at == pairs.end()) return false;
  pairs.erase(at);
  return true;
}

void Hash::spread() {
  compact = false;
  std::sort(pairs.begin(), pairs.end());
}

// ---- Set ----------------------------------------------------------------------------------------

namespace {

/// Of two integers in their only decimal form.
bool numeric_less(std::string_view a, std::string_view b) {
  const bool negative = a[0] == '-';
  if (negative != (b[0] == '-')) return negative;
  if (a.size() != b.size()) return (a.size() < b.size()) != negative;
  return negative ? a > b : a < b;
}

auto lower_bound_of(const Set& set, std::string_view member) {
  return set.integers ? std::lower_bound(set.members.begin(), set.members.end(), member, numeric_less)
                      : std::lower_bound(set.members.begin(), set.members.end(), member, std::less<>{});
}

}  // namespace

bool Set::contains(std::string_view member) const {
  if (integers && !parse_integer(member)) return false;
  const auto at = lower_bound_of(*this, member);
  return at != members.end() && *at == member;
}

bool Set::insert(std::string_view member) {
  const bool fits = integers && parse_integer(member);
  if (fits || !integers) {
    const auto at = lower_bound_of(*this, member);
    if (at != members.end() && *at == member) return false;
    if (!integers || members.size() < compact_elements_max) {
      members.emplace(at, member);
      return true;
    }
  }
  // Redis converts an intset that an integer makes too long after the insertion; the members are the same.
  integers = false;
  std::sort(members.begin(), members.end());
  members.emplace(lower_bound_of(*this, member), member);
  return true;
}

bool Set::erase(std::string_view member) {
  if (!contains(member)) return false;
  members.erase(lower_bound_of(*this, member));
  return true;
}

std::string_view encoding(const Set& set) { return set.integers ? "intset" : "hashtable"; }

// ---- SortedSet ----------------------------------------------------------------------------------

std::optional<std::size_t> SortedSet::rank(std::string_view member) const {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].member == member) return i;
  }
  return std::nullopt;
}

const double* SortedSet::score(std::string_view member) const {
  const auto at = rank(member);
  return at ? &entries[*at].score : nullptr;
}

void SortedSet::insert(Scored entry) {
  if (compact && entry.score == 0) entry.score = 0.0;  // a listpack keeps whole numbers as integers
  const auto at =
      std::lower_bound(entries.begin(), entries.end(), entry, [](const Scored& a, const Scored& b) {
        return a.score != b.score ? a.score < b.score : a.member < b.member;
      });
  entries.insert(at, std::move(entry));
}

void SortedSet::add(std::string_view member, double score) {
  if (member.size() > compact_bytes_max || entries.size() >= compact_entries_max) compact = false;
  insert(Scored{score, std::string(member)});
}

void SortedSet::move(std::size_t rank, double score) {
  const auto at = entries.begin() + static_cast<std::ptrdiff_t>(rank);
  Scored moved{score, std::move(at->member)};
  entries.erase(at);
  insert(std::move(moved));
}

void SortedSet::put(std::string_view member, double score) {
  if (const auto at = rank(member)) move(*at, score);
  else add(member, score);
}

bool SortedSet::erase(std::string_view member) {
  const auto at = rank(member);
  if (!at) return false;
  entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(*at));
  return true;
}

void SortedSet::settle() {
  const bool short_members = std::all_of(entries.begin(), entries.end(), [](const Scored& entry) {
    return entry.member.size() <= compact_bytes_max;
  });
  compact = short_members && entries.size() <= compact_entries_max;
  if (!compact) return;
  for (Scored& entry : entries) entry.score = entry.score == 0 ? 0.0 : entry.score;
}

std::string_view encoding(const SortedSet& sorted) { return sorted.compact ? "listpack" : "skiplist"; }

// ---- Value --------------------------------------------------------------------------------------

std::string_view type_name(const Value& value) {
  return std::visit(sim::overloaded{
                        [](const String&) { return std::string_view("string"); },
                        [](const List&) { return std::string_view("list"); },
                        [](const Set&) { return std::string_view("set"); },
                        [](const Hash&) { return std::string_view("hash"); },
                        [](const SortedSet&) { return std::string_view("zset"); },
                    },
                    value);
}

bool is_empty(const Value& value) {
  return std::visit(sim::overloaded{
                        [](const String&) { return false; },
                        [](const List& list) { return list.items.empty(); },
                        [](const Set& set) { return set.members.empty(); },
                        [](const Hash& hash) { return hash.pairs.empty(); },
                        [](const SortedSet& sorted) { return sorted.entries.empty(); },
                    },
                    value);
}

}  // namespace lockstep::redis
