// The commands that take a stretch of a sorted set: by rank, by score, or by member (lexicographic).
#include <algorithm>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

enum class By : std::uint8_t { unsaid, rank, score, lex };
enum class Direction : std::uint8_t { unsaid, forward, reverse };

struct ScoreRange {
  double min = 0, max = 0;
  bool min_excluded = false, max_excluded = false;

  bool above_min(const Scored& entry) const { return min_excluded ? entry.score > min : entry.score >= min; }
  bool below_max(const Scored& entry) const { return max_excluded ? entry.score < max : entry.score <= max; }
};

struct LexBound {
  enum class Kind : std::uint8_t { lowest, highest, included, excluded } kind = Kind::included;
  std::string_view member;
};

struct LexRange {
  LexBound min, max;

  bool above_min(const Scored& entry) const {
    if (min.kind == LexBound::Kind::lowest) return true;
    if (min.kind == LexBound::Kind::highest) return false;
    return min.kind == LexBound::Kind::excluded ? entry.member > min.member : entry.member >= min.member;
  }
  bool below_max(const Scored& entry) const {
    if (max.kind == LexBound::Kind::highest) return true;
    if (max.kind == LexBound::Kind::lowest) return false;
    return max.kind == LexBound::Kind::excluded ? entry.member < max.member : entry.member <= max.member;
  }
};

bool parse_score(std::string_view word, double& bound, bool& excluded) {
  excluded = !word.empty() && word[0] == '(';
  const auto parsed = parse_score_bound(word.substr(excluded ? 1 : 0));
  if (!parsed) return false;
  bound = *parsed;
  return true;
}

bool parse_range(std::string_view min, std::string_view max, ScoreRange& range) {
  return parse_score(min, range.min, range.min_excluded) && parse_score(max, range.max, range.max_excluded);
}

bool parse_bound(std::string_view word, LexBound& bound) {
  if (word == "-" || word == "+") {
    bound.kind = word == "-" ? LexBound::Kind::lowest : LexBound::Kind::highest;
    return true;
  }
  if (word.empty() || (word[0] != '[' && word[0] != '(')) return false;
  bound.kind = word[0] == '(' ? LexBound::Kind::excluded : LexBound::Kind::included;
  bound.member = word.substr(1);
  return true;
}

bool parse_range(std::string_view min, std::string_view max, LexRange& range) {
  return parse_bound(min, range.min) && parse_bound(max, range.max);
}

Reply not_a_range(const ScoreRange&) { return Error{"ERR min or max is not a float"}; }
Reply not_a_range(const LexRange&) { return Error{"ERR min or max not valid string range item"}; }

/// Redis looks at both ends before it walks (t_zset.c, zzlIsInLexRange). For a lexicographic range in a set
/// whose scores differ, which is nobody's intention, that decides what is answered.
template <class Range>
bool overlaps(const SortedSet& sorted, const Range& range) {
  return !sorted.entries.empty() && range.above_min(sorted.entries.back()) &&
         range.below_max(sorted.entries.front());
}

/// The stretch from the first entry above the minimum to the last before one is above the maximum. The
/// `skipped` entries of a LIMIT count from that first one, and nobody looks at them: where members are not in
/// order, the stretch may go on behind one that is outside the range.
template <class Range>
IndexRange stretch_of(const SortedSet& sorted, const Range& range, std::uint64_t skipped = 0) {
  const auto& entries = sorted.entries;
  if (!overlaps(sorted, range)) return {};
  const auto above = [&](const Scored& entry) { return range.above_min(entry); };
  const auto below = [&](const Scored& entry) { return range.below_max(entry); };
  auto first = std::find_if(entries.begin(), entries.end(), above);
  if (first == entries.end() || !below(*first)) return {};
  if (skipped >= static_cast<std::size_t>(entries.end() - first)) return {};
  first += static_cast<std::ptrdiff_t>(skipped);
  const auto end = std::find_if_not(first, entries.end(), below);
  return {first.place(), end.place() - first.place()};
}

/// As `stretch_of`, walking from the other end.
template <class Range>
IndexRange stretch_from_end(const SortedSet& sorted, const Range& range, std::uint64_t skipped) {
  const auto& entries = sorted.entries;
  if (!overlaps(sorted, range)) return {};
  auto end = entries.end();
  while (end != entries.begin() && !range.below_max(*std::prev(end))) --end;
  if (end == entries.begin() || !range.above_min(*std::prev(end)) || skipped >= end.place()) return {};
  end -= static_cast<std::ptrdiff_t>(skipped);
  auto first = end;
  while (first != entries.begin() && range.above_min(*std::prev(first))) --first;
  return {first.place(), end.place() - first.place()};
}

struct RangeOptions {
  By by = By::unsaid;
  Direction direction = Direction::unsaid;
  bool with_scores = false;
  std::int64_t offset = 0, limit = -1;
  Words store_words;  // of ZRANGESTORE, which stores what the others show

  bool stores() const { return !store_words.empty(); }
};

/// Reads the options behind the range. Returns an error reply, or Nil if all is well.
Reply parse_range_options(Words words, RangeOptions& options) {
  const bool direction_open = options.direction == Direction::unsaid, by_open = options.by == By::unsaid;
  for (std::size_t i = 4; i < words.size(); ++i) {
    if (!options.stores() && is_option(words[i], "withscores")) {
      options.with_scores = true;
    } else if (is_option(words[i], "limit") && words.size() - i > 2) {
      const auto offset = parse_integer(words[i + 1]), limit = parse_integer(words[i + 2]);
      if (!offset || !limit) return errors::not_an_integer();
      options.offset = *offset;
      options.limit = *limit;
      i += 2;
    } else if (direction_open && options.direction == Direction::unsaid && is_option(words[i], "rev")) {
      options.direction = Direction::reverse;
    } else if (by_open && options.by == By::unsaid && is_option(words[i], "bylex")) {
      options.by = By::lex;
    } else if (by_open && options.by == By::unsaid && is_option(words[i], "byscore")) {
      options.by = By::score;
    } else {
      return errors::syntax();
    }
  }
  if (options.by == By::unsaid) options.by = By::rank;
  if (options.limit != -1 && options.by == By::rank) {
    return Error{"ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX"};
  }
  if (options.with_scores && options.by == By::lex) {
    return Error{"ERR syntax error, WITHSCORES not supported in combination with BYLEX"};
  }
  return Nil{};
}

/// Calls `visit` with each entry of the stretch that the limit leaves, in the asked direction. A negative
/// limit leaves all.
template <class Visit>
void each_left(const SortedSet& sorted, IndexRange range, const RangeOptions& options, Visit visit) {
  const bool reverse = options.direction == Direction::reverse;
  std::size_t left = range.count;
  if (options.limit >= 0) left = std::min<std::size_t>(left, static_cast<std::uint64_t>(options.limit));
  auto at = sorted.entries.begin() + static_cast<std::ptrdiff_t>(range.first + (reverse ? range.count : 0));
  for (std::size_t i = 0; i < left; ++i) visit(reverse ? *--at : *at++);
}

/// What ZRANGESTORE leaves of a stretch. Redis begins with a listpack unless it knows that there will be too
/// many entries, and so do -0 and 0 become one.
Reply store(Call& call, const SortedSet& sorted, IndexRange range, const RangeOptions& options) {
  const Words words = options.store_words;
  SortedSet stored;
  const CompactLimits limits = call.compact_limits();
  if (options.by == By::rank && range.count > limits.sorted_entries) stored.spread();
  each_left(sorted, range, options,
            [&](const Scored& entry) { stored.add(entry.member, entry.score, limits); });
  const std::size_t size = stored.entries.size();
  if (size > 0) {
    call.entry(words[1]);  // a dead one goes by a DEL of its own
    call.overwrite(words[1], std::move(stored));
    call.replicate(words);
  } else if (call.db().erase(words[1])) {
    call.replicate(words);
  }
  return count(size);
}

Reply finish(Call& call, const SortedSet& sorted, IndexRange range, const RangeOptions& options) {
  if (options.stores()) return store(call, sorted, range, options);
  Reply::Array shown;
  each_left(sorted, range, options, [&](const Scored& entry) {
    shown.emplace_back(entry.member);
    if (options.with_scores) shown.emplace_back(format_score(entry.score));
  });
  return shown;
}

/// A LIMIT whose count is -1 is accepted here, and ignored.
Reply range_by_rank(Call& call, Words words, const RangeOptions& options) {
  const auto start = parse_integer(words[2]), stop = parse_integer(words[3]);
  if (!start || !stop) return errors::not_an_integer();
  SortedSet* sorted = nullptr;
  if (!call.find(words[1], sorted)) return errors::wrong_type();
  if (!sorted) {
    call.missed(words[1]);
    return finish(call, {}, {}, options);
  }
  IndexRange range = clamp_range(*start, *stop, sorted->entries.size());
  if (options.direction == Direction::reverse) {
    range.first = range.count == 0 ? 0 : sorted->entries.size() - range.first - range.count;
  }
  return finish(call, *sorted, range, options);
}

template <class Range>
Reply range_by(Call& call, Words words, const RangeOptions& options) {
  const bool reverse = options.direction == Direction::reverse;
  Range range;
  if (!parse_range(words[reverse ? 3 : 2], words[reverse ? 2 : 3], range)) return not_a_range(range);
  SortedSet* sorted = nullptr;
  if (!call.find(words[1], sorted)) return errors::wrong_type();
  if (!sorted) {
    call.missed(words[1]);
    return finish(call, {}, {}, options);
  }
  // A negative offset leaves nothing.
  const std::uint64_t skipped =
      options.offset < 0 ? sorted->entries.size() : static_cast<std::uint64_t>(options.offset);
  const IndexRange stretch =
      reverse ? stretch_from_end(*sorted, range, skipped) : stretch_of(*sorted, range, skipped);
  return finish(call, *sorted, stretch, options);
}

Reply range_generic(Call& call, Words words, RangeOptions options) {
  if (Reply problem = parse_range_options(words, options); !problem.is_nil()) return problem;
  if (options.by == By::rank) return range_by_rank(call, words, options);
  return options.by == By::score ? range_by<ScoreRange>(call, words, options)
                                 : range_by<LexRange>(call, words, options);
}

Reply range_generic(Call& call, Words words, By by, Direction direction) {
  RangeOptions options;
  options.by = by;
  options.direction = direction;
  return range_generic(call, words, options);
}

template <class Range>
Reply count_by(Call& call, Words words) {
  Range range;
  if (!parse_range(words[2], words[3], range)) return not_a_range(range);
  SortedSet* sorted = nullptr;
  if (!call.find(words[1], sorted)) return errors::wrong_type();
  return count(sorted ? stretch_of(*sorted, range).count : 0);
}

Reply remove_stretch(Call& call, Words words, SortedSet& sorted, IndexRange range) {
  if (range.count == 0) return count(0);
  sorted.erase(range.first, range.count);
  if (sorted.entries.empty()) call.db().erase(words[1]);
  call.replicate(words);
  return count(range.count);
}

template <class Range>
Reply remove_by(Call& call, Words words) {
  Range range;
  if (!parse_range(words[2], words[3], range)) return not_a_range(range);
  SortedSet* sorted = nullptr;
  if (!call.find(words[1], sorted)) return errors::wrong_type();
  return sorted ? remove_stretch(call, words, *sorted, stretch_of(*sorted, range)) : count(0);
}

}  // namespace

Reply zrange(Call& call, Words words) { return range_generic(call, words, {}); }
Reply zrangestore(Call& call, Words words) {
  RangeOptions options;
  options.store_words = words;
  return range_generic(call, words.subspan(1), options);
}
Reply zrevrange(Call& call, Words words) { return range_generic(call, words, By::rank, Direction::reverse); }
Reply zrangebyscore(Call& call, Words words) {
  return range_generic(call, words, By::score, Direction::forward);
}
Reply zrevrangebyscore(Call& call, Words words) {
  return range_generic(call, words, By::score, Direction::reverse);
}
Reply zrangebylex(Call& call, Words words) { return range_generic(call, words, By::lex, Direction::forward); }
Reply zrevrangebylex(Call& call, Words words) {
  return range_generic(call, words, By::lex, Direction::reverse);
}

Reply zcount(Call& call, Words words) { return count_by<ScoreRange>(call, words); }
Reply zlexcount(Call& call, Words words) { return count_by<LexRange>(call, words); }

Reply zremrangebyscore(Call& call, Words words) { return remove_by<ScoreRange>(call, words); }
Reply zremrangebylex(Call& call, Words words) { return remove_by<LexRange>(call, words); }

Reply zremrangebyrank(Call& call, Words words) {
  const auto start = parse_integer(words[2]), stop = parse_integer(words[3]);
  if (!start || !stop) return errors::not_an_integer();
  SortedSet* sorted = nullptr;
  if (!call.find(words[1], sorted)) return errors::wrong_type();
  if (!sorted) return count(0);
  return remove_stretch(call, words, *sorted, clamp_range(*start, *stop, sorted->entries.size()));
}

}  // namespace lockstep::redis::commands
