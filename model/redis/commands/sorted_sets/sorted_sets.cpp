#include <cmath>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/keys/scan_options.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

struct AddOptions {
  bool nx = false, xx = false, gt = false, lt = false, ch = false, incr = false;
};

/// Reads the options in front of the scores; returns the index of the first score.
std::size_t parse_add_options(Words words, AddOptions& options) {
  std::size_t i = 2;
  for (; i < words.size(); ++i) {
    if (is_option(words[i], "nx")) {
      options.nx = true;
    } else if (is_option(words[i], "xx")) {
      options.xx = true;
    } else if (is_option(words[i], "ch")) {
      options.ch = true;
    } else if (is_option(words[i], "incr")) {
      options.incr = true;
    } else if (is_option(words[i], "gt")) {
      options.gt = true;
    } else if (is_option(words[i], "lt")) {
      options.lt = true;
    } else {
      break;
    }
  }
  return i;
}

/// Returns an error reply, or Nil if the options and the number of words fit together.
Reply check_add_options(const AddOptions& options, std::size_t score_words) {
  if (score_words == 0 || score_words % 2 != 0) return errors::syntax();
  if (options.nx && options.xx) return Error{"ERR XX and NX options at the same time are not compatible"};
  if ((options.gt && options.nx) || (options.lt && options.nx) || (options.gt && options.lt)) {
    return Error{"ERR GT, LT, and/or NX options at the same time are not compatible"};
  }
  if (options.incr && score_words > 2) {
    return Error{"ERR INCR option supports a single increment-element pair"};
  }
  return Nil{};
}

struct Change {
  enum class Kind : std::uint8_t { refused, same, updated, added, not_a_number } kind = Kind::refused;
  double score = 0;
};

Change change_score(SortedSet& sorted, std::string_view member, double given, const AddOptions& options,
                    const CompactLimits& limits) {
  const auto rank = sorted.rank(member);
  if (!rank) {
    if (options.xx) return {};
    sorted.add(member, given, limits);
    return {Change::Kind::added, given};
  }
  if (options.nx) return {};
  const double was = sorted.entries[*rank].score, wanted = options.incr ? was + given : given;
  if (std::isnan(wanted)) return {Change::Kind::not_a_number, 0};
  if ((options.lt && wanted >= was) || (options.gt && wanted <= was)) return {};
  if (wanted == was) return {Change::Kind::same, wanted};
  sorted.move(*rank, wanted);
  return {Change::Kind::updated, wanted};
}

Reply add_generic(Call& call, Words words, AddOptions options) {
  const std::size_t first = parse_add_options(words, options);
  Reply problem = check_add_options(options, words.size() - first);
  if (!problem.is_nil()) return problem;
  std::vector<double> scores;
  for (std::size_t i = first; i < words.size(); i += 2) {
    const auto score = parse_float(words[i]);
    if (!score) return errors::not_a_float();
    scores.push_back(*score);
  }
  SortedSet* sorted = nullptr;
  if (!call.find(words[1], sorted)) return errors::wrong_type();
  if (!sorted && options.xx) return options.incr ? Reply(Nil{}) : count(0);
  if (!sorted) sorted = call.find_or_create<SortedSet>(words[1]);

  const CompactLimits limits = call.compact_limits();
  std::size_t added = 0, updated = 0;
  Change last;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    last = change_score(*sorted, words[first + 2 * i + 1], scores[i], options, limits);
    // Only a lone increment can give a NaN, so nothing was changed before it.
    if (last.kind == Change::Kind::not_a_number) return Error{"ERR resulting score is not a number (NaN)"};
    added += last.kind == Change::Kind::added ? 1 : 0;
    updated += last.kind == Change::Kind::updated ? 1 : 0;
  }
  if (added + updated > 0) call.replicate(words);
  if (options.incr)
    return last.kind == Change::Kind::refused ? Reply(Nil{}) : Reply(format_score(last.score));
  return count(options.ch ? added + updated : added);
}

}  // namespace

Reply zadd(Call& call, Words words) { return add_generic(call, words, {}); }

Reply zincrby(Call& call, Words words) {
  AddOptions options;
  options.incr = true;
  return add_generic(call, words, options);
}

Reply zrem(Call& call, Words words) {
  SortedSet* sorted = nullptr;
  if (!call.find(words[1], sorted)) return errors::wrong_type();
  if (!sorted) return count(0);
  std::size_t removed = 0;
  for (const std::string_view member : words.subspan(2)) removed += sorted->erase(member) ? 1 : 0;
  if (sorted->entries.empty()) call.db().erase(words[1]);
  if (removed > 0) call.replicate(words);
  return count(removed);
}

Reply zscore(Call& call, Words words) {
  SortedSet* sorted = nullptr;
  if (!call.find(words[1], sorted)) return errors::wrong_type();
  const double* const score = sorted ? sorted->score(words[2]) : nullptr;
  return score ? Reply(format_score(*score)) : Reply(Nil{});
}

Reply zmscore(Call& call, Words words) {
  SortedSet* sorted = nullptr;
  if (!call.find(words[1], sorted)) return errors::wrong_type();
  Reply::Array scores;
  for (const std::string_view member : words.subspan(2)) {
    const double* const score = sorted ? sorted->score(member) : nullptr;
    scores.push_back(score ? Reply(format_score(*score)) : Reply(Nil{}));
  }
  return scores;
}

Reply zcard(Call& call, Words words) {
  SortedSet* sorted = nullptr;
  if (!call.find(words[1], sorted)) return errors::wrong_type();
  return count(sorted ? sorted->entries.size() : 0);
}

namespace {

enum class From : std::uint8_t { lowest, highest };

Reply rank_from(Call& call, Words words, From end) {
  SortedSet* sorted = nullptr;
  if (!call.find(words[1], sorted)) return errors::wrong_type();
  const auto rank = sorted ? sorted->rank(words[2]) : std::nullopt;
  if (!rank) return Nil{};
  return count(end == From::lowest ? *rank : sorted->entries.size() - 1 - *rank);
}

}  // namespace

Reply zrank(Call& call, Words words) { return rank_from(call, words, From::lowest); }
Reply zrevrank(Call& call, Words words) { return rank_from(call, words, From::highest); }

Reply zscan(Call& call, Words words) {
  const auto cursor = parse_cursor(words[2]);
  if (!cursor) return invalid_cursor();
  SortedSet* sorted = nullptr;
  if (!call.find(words[1], sorted)) return errors::wrong_type();
  if (!sorted) return scan_reply(0, {});
  ScanOptions options;
  if (Reply problem = parse_scan_options(words.subspan(3), TypeOption::unknown, options); !problem.is_nil())
    return problem;
  std::vector<std::string_view> names;
  for (const Scored& entry : sorted->entries) names.push_back(entry.member);
  const ScanStep step = sorted->compact ? everything(names.size()) : scan_step(names, *cursor, options.count);
  Reply::Array found;
  for (const std::size_t place : step.places) {
    const auto& [score, member] = sorted->entries[place];
    if (!options.matches(member)) continue;
    found.emplace_back(member);
    found.emplace_back(sorted->compact ? format_listpack_score(score) : format_score(score));
  }
  return scan_reply(step.cursor, std::move(found));
}

}  // namespace lockstep::redis::commands
