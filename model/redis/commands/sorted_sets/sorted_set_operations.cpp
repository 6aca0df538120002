// Unions, intersections and differences of sorted sets, and the commands that store them (t_zset.c,
// zunionInterDiffGenericCommand). A set takes part as a sorted set whose scores are all 1.
#include <algorithm>
#include <cmath>
#include <map>

#include "model/redis/arguments.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

enum class Aggregate : std::uint8_t { sum, min, max };
enum class Operation : std::uint8_t { unite, intersect, subtract };
enum class Result : std::uint8_t { shown, stored, counted };

/// One operand, whatever its type; neither pointer: there is no such key.
class Source {
 public:
  explicit Source(const Value* value)
      : sorted_(value ? std::get_if<SortedSet>(value) : nullptr),
        set_(value ? std::get_if<Set>(value) : nullptr) {
    if (!sorted_ || sorted_->compact) return;
    for (const Scored& entry : sorted_->entries) by_member_.emplace(entry.member, entry.score);
  }

  std::size_t size() const {
    if (sorted_) return sorted_->entries.size();
    return set_ ? set_->members.size() : 0;
  }

  std::optional<double> score(std::string_view member) const {
    if (set_) return set_->contains(member) ? std::optional(1.0) : std::nullopt;
    if (!sorted_) return std::nullopt;
    if (sorted_->compact) {
      const double* const found = sorted_->score(member);
      return found ? std::optional(*found) : std::nullopt;
    }
    const auto at = by_member_.find(member);
    return at == by_member_.end() ? std::nullopt : std::optional(at->second);
  }

  /// Calls `visit` with each member and its score until it returns false.
  template <class Visit>
  void each(Visit visit) const {
    if (sorted_) {
      for (const Scored& entry : sorted_->entries)
        if (!visit(entry.member, entry.score)) return;
    }
    if (set_) {
      for (const std::string& member : set_->members)
        if (!visit(member, 1.0)) return;
    }
  }

  double weight = 1;

 private:
  const SortedSet* sorted_;
  const Set* set_;
  std::map<std::string_view, double> by_member_;  // of a skip list, which is long
};

using Sources = std::vector<Source>;
using Scores = std::vector<Scored>;

struct SetOperationOptions {
  Aggregate aggregate = Aggregate::sum;
  bool with_scores = false;
  std::uint64_t limit = 0;  // of ZINTERCARD; 0: none
};

double weighted(double weight, double score) {
  const double product = weight * score;
  return std::isnan(product) ? 0 : product;
}

/// inf - inf is 0; what is not a number never wins a comparison.
double aggregated(Aggregate aggregate, double a, double b) {
  if (aggregate == Aggregate::min) return b < a ? b : a;
  if (aggregate == Aggregate::max) return b > a ? b : a;
  const double sum = a + b;
  return std::isnan(sum) ? 0 : sum;
}

/// The smallest first, which decides in what order scores are added up.
void sort_by_size(Sources& sources) {
  std::stable_sort(sources.begin(), sources.end(),
                   [](const Source& a, const Source& b) { return a.size() < b.size(); });
}

Scores united(Sources sources, Aggregate aggregate) {
  sort_by_size(sources);
  std::map<std::string_view, double> scores;
  for (const Source& source : sources) {
    source.each([&](std::string_view member, double score) {
      const double value = weighted(source.weight, score);
      const auto [at, added] = scores.emplace(member, value);
      if (!added) at->second = aggregated(aggregate, at->second, value);
      return true;
    });
  }
  Scores all;
  for (const auto& [member, score] : scores) all.push_back({score, std::string(member)});
  return all;
}

Scores intersected(Sources sources, const SetOperationOptions& options) {
  sort_by_size(sources);
  Scores common;
  sources[0].each([&](std::string_view member, double score) {
    double value = weighted(sources[0].weight, score);
    for (auto source = sources.begin() + 1; source != sources.end(); ++source) {
      const auto other = source->score(member);
      if (!other) return true;
      value = aggregated(options.aggregate, value, *other * source->weight);
    }
    common.push_back({value, std::string(member)});
    return common.size() != options.limit;
  });
  return common;
}

Scores subtracted(const Sources& sources) {
  Scores left;
  sources[0].each([&](std::string_view member, double score) {
    const bool elsewhere = std::any_of(sources.begin() + 1, sources.end(), [&](const Source& source) {
      return source.score(member).has_value();
    });
    if (!elsewhere) left.push_back({score, std::string(member)});
    return true;
  });
  return left;
}

/// A type that takes no part is refused before the options are read.
bool find_all(Call& call, Words keys, Sources& sources) {
  for (const std::string_view key : keys) {
    const Entry* const entry = call.entry(key);
    if (!entry) call.missed(key);
    const bool fits = !entry || std::holds_alternative<SortedSet>(entry->value) ||
                      std::holds_alternative<Set>(entry->value);
    if (!fits) return false;
    sources.emplace_back(entry ? &entry->value : nullptr);
  }
  return true;
}

bool parse_aggregate(std::string_view word, Aggregate& aggregate) {
  for (const auto& [name, value] :
       {std::pair("sum", Aggregate::sum), {"min", Aggregate::min}, {"max", Aggregate::max}}) {
    if (!is_option(word, name)) continue;
    aggregate = value;
    return true;
  }
  return false;
}

/// Reads what stands behind the keys; all of it may be repeated. Returns an error reply, or Nil.
Reply parse_options(Words words, Operation operation, Result result, Sources& sources,
                    SetOperationOptions& options) {
  const bool counted = result == Result::counted, scored = operation != Operation::subtract && !counted;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t behind = words.size() - i - 1;
    if (scored && behind >= sources.size() && is_option(words[i], "weights")) {
      for (Source& source : sources) {
        const auto weight = parse_float(words[++i]);
        if (!weight) return Error{"ERR weight value is not a float"};
        source.weight = *weight;
      }
    } else if (scored && behind >= 1 && is_option(words[i], "aggregate")) {
      if (!parse_aggregate(words[++i], options.aggregate)) return errors::syntax();
    } else if (result == Result::shown && is_option(words[i], "withscores")) {
      options.with_scores = true;
    } else if (counted && behind >= 1 && is_option(words[i], "limit")) {
      const auto limit = parse_integer(words[++i]);
      if (!limit || *limit < 0) return Error{"ERR LIMIT can't be negative"};
      options.limit = static_cast<std::uint64_t>(*limit);
    } else {
      return errors::syntax();
    }
  }
  return Nil{};
}

Reply store(Call& call, Words words, Scores entries) {
  if (entries.empty()) {
    if (call.db().erase(words[1])) call.replicate(words);
    return count(0);
  }
  SortedSet stored;
  stored.entries = std::move(entries);
  stored.settle(call.compact_limits());
  const std::size_t size = stored.entries.size();
  call.entry(words[1]);  // a dead one goes by a DEL of its own
  call.overwrite(words[1], std::move(stored));
  call.replicate(words);
  return count(size);
}

Reply show(const Scores& entries, bool with_scores) {
  Reply::Array shown;
  for (const Scored& entry : entries) {
    shown.emplace_back(entry.member);
    if (with_scores) shown.emplace_back(format_score(entry.score));
  }
  return shown;
}

Reply operate(Call& call, Words words, Operation operation, Result result) {
  const std::size_t numkeys = result == Result::stored ? 2 : 1;
  const auto keys = parse_integer(words[numkeys]);
  if (!keys) return errors::not_an_integer();
  if (*keys < 1)
    return Error{"ERR at least 1 input key is needed for '" + std::string(call.name()) + "' command"};
  const auto given = static_cast<std::uint64_t>(*keys);
  if (given > words.size() - numkeys - 1) return errors::syntax();
  Sources sources;
  if (!find_all(call, words.subspan(numkeys + 1, given), sources)) return errors::wrong_type();
  SetOperationOptions options;
  const Words rest = words.subspan(numkeys + 1 + given);
  if (Reply problem = parse_options(rest, operation, result, sources, options); !problem.is_nil())
    return problem;

  Scores entries = operation == Operation::unite       ? united(std::move(sources), options.aggregate)
                   : operation == Operation::intersect ? intersected(std::move(sources), options)
                                                       : subtracted(sources);
  if (result == Result::counted) return count(entries.size());
  std::sort(entries.begin(), entries.end(), [](const Scored& a, const Scored& b) {
    return a.score != b.score ? a.score < b.score : a.member < b.member;
  });
  return result == Result::stored ? store(call, words, std::move(entries))
                                  : show(entries, options.with_scores);
}

}  // namespace

Reply zunion(Call& call, Words words) { return operate(call, words, Operation::unite, Result::shown); }
Reply zunionstore(Call& call, Words words) { return operate(call, words, Operation::unite, Result::stored); }
Reply zinter(Call& call, Words words) { return operate(call, words, Operation::intersect, Result::shown); }
Reply zinterstore(Call& call, Words words) {
  return operate(call, words, Operation::intersect, Result::stored);
}
Reply zintercard(Call& call, Words words) {
  return operate(call, words, Operation::intersect, Result::counted);
}
Reply zdiff(Call& call, Words words) { return operate(call, words, Operation::subtract, Result::shown); }
Reply zdiffstore(Call& call, Words words) {
  return operate(call, words, Operation::subtract, Result::stored);
}

}  // namespace lockstep::redis::commands
