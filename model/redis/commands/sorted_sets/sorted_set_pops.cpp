// ZPOPMIN, ZPOPMAX and ZMPOP, which take entries from an end, and ZRANDMEMBER, which shows some by chance.
#include <algorithm>

#include "model/redis/arguments.h"
#include "model/redis/commands/sets/draws.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

enum class End : std::uint8_t { lowest, highest };

/// Takes so many entries, or all; the key goes with the last one.
std::vector<Scored> take(Call& call, std::string_view key, SortedSet& sorted, End end, std::uint64_t wanted) {
  const auto& entries = sorted.entries;
  const std::size_t taking = std::min<std::uint64_t>(wanted, entries.size());
  const std::size_t from = end == End::lowest ? 0 : entries.size() - taking;
  const auto first = entries.begin() + static_cast<std::ptrdiff_t>(from);
  std::vector<Scored> taken(first, first + static_cast<std::ptrdiff_t>(taking));
  sorted.erase(from, taking);
  if (end == End::highest) std::reverse(taken.begin(), taken.end());
  if (entries.empty()) call.db().erase(key);
  return taken;
}

Reply pop(Call& call, Words words, End end) {
  if (words.size() > 3) return errors::syntax();
  const auto wanted = words.size() == 3 ? parse_integer(words[2]) : 1;
  if (!wanted || *wanted < 0) return errors::not_positive();
  SortedSet* sorted = nullptr;
  if (!call.find(words[1], sorted)) return errors::wrong_type();
  if (!sorted || *wanted == 0) return empty_array();
  Reply::Array popped;
  for (Scored& entry : take(call, words[1], *sorted, end, static_cast<std::uint64_t>(*wanted))) {
    popped.emplace_back(std::move(entry.member));
    popped.emplace_back(format_score(entry.score));
  }
  call.replicate(words);
  return popped;
}

struct PopOptions {
  Words keys;
  End end = End::lowest;
  std::uint64_t wanted = 1;
};

/// numkeys key … MIN|MAX [COUNT n]. Returns an error reply, or Nil if all is well.
Reply parse_pop_options(Words words, PopOptions& options) {
  const auto keys = parse_integer(words[1]);
  if (!keys || *keys < 1) return Error{"ERR numkeys should be greater than 0"};
  const auto given = static_cast<std::uint64_t>(*keys);
  if (given >= words.size() - 2) return errors::syntax();
  options.keys = words.subspan(2, given);
  const Words rest = words.subspan(2 + given);
  if (!is_option(rest[0], "min") && !is_option(rest[0], "max")) return errors::syntax();
  options.end = is_option(rest[0], "min") ? End::lowest : End::highest;
  if (rest.size() == 1) return Nil{};
  // What is wrong with the count is told before what stands behind it.
  if (rest.size() == 2 || !is_option(rest[1], "count")) return errors::syntax();
  const auto wanted = parse_integer(rest[2]);
  if (!wanted || *wanted < 1) return Error{"ERR count should be greater than 0"};
  if (rest.size() > 3) return errors::syntax();
  options.wanted = static_cast<std::uint64_t>(*wanted);
  return Nil{};
}

}  // namespace

Reply zpopmin(Call& call, Words words) { return pop(call, words, End::lowest); }
Reply zpopmax(Call& call, Words words) { return pop(call, words, End::highest); }

/// Replicated as ZPOPMIN or ZPOPMAX of the key that had something, with the number that was taken.
Reply zmpop(Call& call, Words words) {
  PopOptions options;
  if (Reply problem = parse_pop_options(words, options); !problem.is_nil()) return problem;
  for (const std::string_view key : options.keys) {
    SortedSet* sorted = nullptr;
    if (!call.find(key, sorted)) return errors::wrong_type();
    if (!sorted) continue;
    Reply::Array popped;
    for (Scored& entry : take(call, key, *sorted, options.end, options.wanted))
      popped.emplace_back(Reply::Array{std::move(entry.member), format_score(entry.score)});
    call.replicate({options.end == End::lowest ? "ZPOPMIN" : "ZPOPMAX", key, std::to_string(popped.size())});
    return Reply::Array{bulk(key), std::move(popped)};
  }
  return lua::NilArray{};
}

Reply zrandmember(Call& call, Words words) {
  const bool counted = words.size() > 2, with_scores = words.size() == 4;
  const auto given = counted ? parse_integer(words[2]) : 1;
  if (!given) return errors::not_an_integer();
  if (*given < -drawn_max) return errors::outside_range(-drawn_max, drawn_max);
  if (words.size() > 4 || (with_scores && !is_option(words[3], "withscores"))) return errors::syntax();
  if (with_scores && (*given < -drawn_max / 2 || *given > drawn_max / 2))
    return Error{"ERR value is out of range"};
  SortedSet* sorted = nullptr;
  if (!call.find(words[1], sorted)) return errors::wrong_type();
  if (!sorted) return counted ? empty_array() : Reply(Nil{});
  const auto& entries = sorted->entries;
  if (!counted) return entries[call.draw(entries.size())].member;
  const std::size_t score_bytes = with_scores ? sizeof(Reply) : 0;  // its text needs no more
  const auto shown = [&](const Scored& entry) { return entry.member.size() + score_bytes; };
  if (!fits_in_a_reply(*given, entries, shown)) return errors::reply_too_long();
  auto places = draw_counted(call, entries.size(), *given);
  // All of them are shown from the highest to the lowest, as Redis's iterator goes (t_zset.c, zuiNext).
  if (*given > 0 && places.size() == entries.size()) std::reverse(places.begin(), places.end());
  Reply::Array drawn;
  for (const std::size_t place : places) {
    drawn.emplace_back(entries[place].member);
    if (with_scores) drawn.emplace_back(format_score(entries[place].score));
  }
  return drawn;
}

}  // namespace lockstep::redis::commands
