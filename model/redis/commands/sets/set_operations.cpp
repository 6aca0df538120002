// Intersections, unions and differences of sets, and the commands that store them (t_set.c,
// sinterGenericCommand and sunionDiffGenericCommand).
//
// A stored result begins as an intset and is filled in Redis's order, so that it is an intset afterwards
// whenever Redis's is one, whatever the sets were that it was made of.
#include <algorithm>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

using Sets = std::vector<const Set*>;  // nullptr: there is no such key

/// Returns false if a key holds another type, even behind one that decides the result.
bool find_all(Call& call, Words keys, Sets& sets) {
  for (const std::string_view key : keys) {
    Set* set = nullptr;
    if (!call.find(key, set)) return false;
    if (!set) call.missed(key);
    sets.push_back(set);
  }
  return true;
}

bool is_missing(const Set* set) { return set == nullptr; }
std::size_t size_of(const Set* set) { return set ? set->members.size() : 0; }

/// What all sets contain, in the order of the smallest, but not more than `limit`; 0: no limit.
std::vector<std::string> intersection(Sets sets, std::uint64_t limit) {
  std::vector<std::string> common;
  if (std::any_of(sets.begin(), sets.end(), is_missing)) return common;
  std::stable_sort(sets.begin(), sets.end(),
                   [](const Set* a, const Set* b) { return size_of(a) < size_of(b); });
  for (const std::string& member : sets[0]->members) {
    if (!std::all_of(sets.begin() + 1, sets.end(), [&](const Set* set) { return set->contains(member); }))
      continue;
    common.push_back(member);
    if (common.size() == limit) break;
  }
  return common;
}

void insert_all(Set& set, const Sequence<std::string>& members, const CompactLimits& limits) {
  for (const std::string& member : members) set.insert(member, limits);
}

Set union_of(const Sets& sets, const CompactLimits& limits) {
  Set all;
  for (const Set* const set : sets) {
    if (set) insert_all(all, set->members, limits);
  }
  return all;
}

/// Redis estimates which way is less work: to look up each member of the first set in all others, or to
/// remove all members of the others from the first. The second way passes through a set that holds the whole
/// first one, which may cease to be an intset for it.
bool removing_is_cheaper(const Sets& sets) {
  std::size_t there = 0, members = 0;
  for (const Set* const set : sets) {
    there += set ? 1 : 0;
    members += size_of(set);
  }
  return size_of(sets[0]) * there / 2 > members;
}

Set difference(const Sets& sets, const CompactLimits& limits) {
  Set left;
  if (!sets[0]) return left;
  if (removing_is_cheaper(sets)) {
    insert_all(left, sets[0]->members, limits);
    for (auto set = sets.begin() + 1; set != sets.end(); ++set) {
      if (!*set) continue;
      for (const std::string& member : (*set)->members) left.erase(member);
    }
    return left;
  }
  for (const std::string& member : sets[0]->members) {
    const bool elsewhere = std::any_of(sets.begin() + 1, sets.end(),
                                       [&](const Set* set) { return set && set->contains(member); });
    if (!elsewhere) left.insert(member, limits);
  }
  return left;
}

/// An empty result removes what was there, and is replicated only if there was something.
Reply store(Call& call, Words words, Set result) {
  if (result.members.empty()) {
    if (call.db().erase(words[1])) call.replicate(words);
    return count(0);
  }
  const std::size_t size = result.members.size();
  call.entry(words[1]);  // a dead one goes by a DEL of its own
  call.overwrite(words[1], std::move(result));
  call.replicate(words);
  return count(size);
}

using SetOperation = Set (*)(const Sets&, const CompactLimits&);

Reply show_result(Call& call, Words words, SetOperation operation) {
  Sets sets;
  if (!find_all(call, words.subspan(1), sets)) return errors::wrong_type();
  return bulks(operation(sets, call.compact_limits()).members);
}

Reply store_result(Call& call, Words words, SetOperation operation) {
  Sets sets;
  if (!find_all(call, words.subspan(2), sets)) return errors::wrong_type();
  return store(call, words, operation(sets, call.compact_limits()));
}

Set intersection_as_set(const Sets& sets, const CompactLimits& limits) {
  Set common;
  insert_all(common, intersection(sets, 0), limits);
  return common;
}

/// Reads LIMIT, which may be given more than once. Returns an error reply, or Nil if all is well.
Reply parse_limit(Words options, std::uint64_t& limit) {
  for (std::size_t i = 0; i < options.size(); i += 2) {
    if (!is_option(options[i], "limit") || i + 1 == options.size()) return errors::syntax();
    const auto given = parse_integer(options[i + 1]);
    if (!given || *given < 0) return Error{"ERR LIMIT can't be negative"};
    limit = static_cast<std::uint64_t>(*given);
  }
  return Nil{};
}

}  // namespace

Reply sinter(Call& call, Words words) {
  Sets sets;
  if (!find_all(call, words.subspan(1), sets)) return errors::wrong_type();
  return bulks(intersection(std::move(sets), 0));
}

Reply sintercard(Call& call, Words words) {
  const auto keys = parse_integer(words[1]);
  if (!keys || *keys < 1) return Error{"ERR numkeys should be greater than 0"};
  const auto given = static_cast<std::uint64_t>(*keys);
  if (given > words.size() - 2) return Error{"ERR Number of keys can't be greater than number of args"};
  std::uint64_t limit = 0;
  if (Reply problem = parse_limit(words.subspan(2 + given), limit); !problem.is_nil()) return problem;
  Sets sets;
  if (!find_all(call, words.subspan(2, given), sets)) return errors::wrong_type();
  return count(intersection(std::move(sets), limit).size());
}

Reply sunion(Call& call, Words words) { return show_result(call, words, union_of); }
Reply sdiff(Call& call, Words words) { return show_result(call, words, difference); }
Reply sinterstore(Call& call, Words words) { return store_result(call, words, intersection_as_set); }
Reply sunionstore(Call& call, Words words) { return store_result(call, words, union_of); }
Reply sdiffstore(Call& call, Words words) { return store_result(call, words, difference); }

}  // namespace lockstep::redis::commands
