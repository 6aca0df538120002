#include "model/redis/data/value.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/redis/arguments.h"
#include "sim/base/overloaded.h"

namespace lockstep::redis {

// ---- Hash ---------------------------------------------------------------------------------------

/// Where the field is; if it is not there, where it belongs.
std::size_t Hash::place_of(std::string_view field) const {
  if (!compact) return pairs.place_after([&](const auto& pair) { return pair.first < field; });
  const auto at = std::find_if(pairs.begin(), pairs.end(), [&](const auto& p) { return p.first == field; });
  return at.place();
}

const std::string* Hash::find(std::string_view field) const {
  const std::size_t place = place_of(field);
  if (place == pairs.size()) return nullptr;
  const auto& [there, value] = pairs[place];
  return there == field ? &value : nullptr;
}

std::string* Hash::find(std::string_view field) {
  return const_cast<std::string*>(std::as_const(*this).find(field));
}

bool Hash::set(std::string_view field, std::string_view value, const CompactLimits& limits) {
  if (compact && (field.size() > limits.hash_bytes || value.size() > limits.hash_bytes)) spread();
  std::string* const old = find(field);
  if (old) old->assign(value);
  else pairs.emplace(pairs.begin() + static_cast<std::ptrdiff_t>(place_of(field)), field, value);
  if (compact && pairs.size() > limits.hash_fields) spread();
  return !old;
}

bool Hash::erase(std::string_view field) {
  const std::size_t place = place_of(field);
  if (place == pairs.size() || pairs[place].first != field) return false;
  pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(place));
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

/// Where the member is; if it is not there, where it belongs.
std::size_t place_of(const Set& set, std::string_view member) {
  if (!set.integers) return set.members.place_after([&](const std::string& m) { return m < member; });
  return set.members.place_after([&](const std::string& m) { return numeric_less(m, member); });
}

bool is_at(const Set& set, std::size_t place, std::string_view member) {
  return place < set.members.size() && set.members[place] == member;
}

void insert_at(Set& set, std::size_t place, std::string_view member) {
  set.members.emplace(set.members.begin() + static_cast<std::ptrdiff_t>(place), member);
}

}  // namespace

bool Set::contains(std::string_view member) const {
  if (integers && !parse_integer(member)) return false;
  return is_at(*this, place_of(*this, member), member);
}

bool Set::insert(std::string_view member, const CompactLimits& limits) {
  const bool fits = integers && parse_integer(member);
  if (fits || !integers) {
    const std::size_t place = place_of(*this, member);
    if (is_at(*this, place, member)) return false;
    if (!integers || members.size() < limits.set_integers) {
      insert_at(*this, place, member);
      return true;
    }
  }
  // Redis converts an intset that an integer makes too long after the insertion; the members are the same.
  integers = false;
  std::sort(members.begin(), members.end());
  insert_at(*this, place_of(*this, member), member);
  return true;
}

bool Set::erase(std::string_view member) {
  if (!contains(member)) return false;
  members.erase(members.begin() + static_cast<std::ptrdiff_t>(place_of(*this, member)));
  return true;
}

std::string_view encoding(const Set& set) { return set.integers ? "intset" : "hashtable"; }

// ---- SortedSet ----------------------------------------------------------------------------------

namespace {

bool comes_before(const Scored& a, double score, std::string_view member) {
  return a.score != score ? a.score < score : a.member < member;
}

}  // namespace

std::size_t SortedSet::member_place(std::string_view member) const {
  return members_.place_after([&](const auto& known) { return known.first < member; });
}

std::optional<std::size_t> SortedSet::rank(std::string_view member) const {
  if (compact) {
    const auto at = std::find_if(entries.begin(), entries.end(),
                                 [&](const Scored& entry) { return entry.member == member; });
    return at == entries.end() ? std::nullopt : std::optional(at.place());
  }
  const std::size_t place = member_place(member);
  if (place == members_.size() || members_[place].first != member) return std::nullopt;
  const double score = members_[place].second;
  return entries.place_after([&](const Scored& entry) { return comes_before(entry, score, member); });
}

const double* SortedSet::score(std::string_view member) const {
  const auto at = rank(member);
  return at ? &entries[*at].score : nullptr;
}

void SortedSet::insert(Scored entry) {
  if (compact && entry.score == 0) entry.score = 0.0;  // a listpack keeps whole numbers as integers
  const std::size_t place = entries.place_after(
      [&](const Scored& other) { return comes_before(other, entry.score, entry.member); });
  entries.emplace(entries.begin() + static_cast<std::ptrdiff_t>(place), std::move(entry));
}

void SortedSet::spread() {
  compact = false;
  note_members();
}

void SortedSet::note_members() {
  members_ = {};
  if (compact) return;
  std::vector<std::pair<std::string, double>> all;
  for (const Scored& entry : entries) all.emplace_back(entry.member, entry.score);
  std::sort(all.begin(), all.end());
  members_ = Members(std::move(all));
}

void SortedSet::add(std::string_view member, double score, const CompactLimits& limits) {
  const bool too_large = member.size() > limits.sorted_bytes || entries.size() >= limits.sorted_entries;
  if (compact && too_large) spread();
  if (!compact) {
    const auto at = members_.begin() + static_cast<std::ptrdiff_t>(member_place(member));
    members_.emplace(at, std::string(member), score);
  }
  insert(Scored{score, std::string(member)});
}

void SortedSet::move(std::size_t rank, double score) {
  const auto at = entries.begin() + static_cast<std::ptrdiff_t>(rank);
  Scored moved{score, std::move(at->member)};
  if (!compact) members_[member_place(moved.member)].second = score;
  entries.erase(at);
  insert(std::move(moved));
}

void SortedSet::put(std::string_view member, double score, const CompactLimits& limits) {
  if (const auto at = rank(member)) move(*at, score);
  else add(member, score, limits);
}

bool SortedSet::erase(std::string_view member) {
  const auto at = rank(member);
  if (at) erase(*at, 1);
  return at.has_value();
}

void SortedSet::erase(std::size_t rank, std::size_t count) {
  const auto first = entries.begin() + static_cast<std::ptrdiff_t>(rank);
  const auto last = first + static_cast<std::ptrdiff_t>(count);
  if (!compact) {
    for (auto entry = first; entry != last; ++entry)
      members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(member_place(entry->member)));
  }
  entries.erase(first, last);
}

void SortedSet::settle(const CompactLimits& limits) {
  const bool short_members = std::all_of(entries.begin(), entries.end(), [&](const Scored& entry) {
    return entry.member.size() <= limits.sorted_bytes;
  });
  compact = short_members && entries.size() <= limits.sorted_entries;
  note_members();
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
