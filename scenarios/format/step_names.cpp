#include "scenarios/format/step_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/client/lock_kind.h"
#include "model/client/token.h"
#include "model/program/interpreter.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

using model::LockObject;

namespace {

std::optional<std::uint16_t> kind_number(std::string_view word, Kinds kinds) {
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i]->is_taken() && kinds[i]->name == word) return static_cast<std::uint16_t>(i);
  return std::nullopt;
}

std::vector<std::string> known_kinds(Kinds kinds) {
  std::vector<std::string> words;
  for (const model::LockKind* kind : kinds)
    if (kind->is_taken()) words.emplace_back(kind->name);
  return words;
}

}  // namespace

StepProblem problem(const Word& word, std::string what, std::string hint) {
  return {word.offset, std::max<std::size_t>(1, word.text.size()), std::move(what), std::move(hint)};
}

std::uint16_t Names::object(const LockObject& wanted) {
  const auto found = std::find(objects.begin(), objects.end(), wanted);
  const auto index = static_cast<std::uint16_t>(found - objects.begin());
  if (found == objects.end()) objects.push_back(wanted);
  return index;
}

std::uint16_t Names::signal(std::string_view wanted) {
  const auto found = std::find(signals.begin(), signals.end(), wanted);
  const auto index = static_cast<std::uint16_t>(found - signals.begin());
  if (found == signals.end()) signals.emplace_back(wanted);
  return index;
}

namespace {

/// `a+b+c`, each with its kind if it is not plain.
std::optional<StepProblem> parse_members(const Word& list, Kinds kinds, LockObject& lock) {
  std::size_t begin = 0;
  const std::string kind(kinds[lock.kind]->name);
  std::string name = kind + ":";
  for (bool more = true; more;) {
    std::size_t end = begin;
    for (bool quoted = false; end < list.text.size() && (quoted || list.text[end] != '+'); ++end)
      if (list.text[end] == '\'') quoted = !quoted;
    more = end < list.text.size();
    const Word word{list.text.substr(begin, end - begin), list.offset + begin};
    LockObject member;
    if (auto found = parse_lock(word.text, kinds, member)) {
      found->offset += word.offset;
      return found;
    }
    if (member.fresh || kinds[member.kind]->is_made_of_others())
      return problem(word, fmt::format("a {} lock cannot be made of this", kind));
    if (std::find(lock.made_of.begin(), lock.made_of.end(), member) != lock.made_of.end())
      return problem(word, fmt::format("`{}` is named twice", word.text));
    name += (begin == 0 ? "" : "+") + print_lock(member, kinds);
    lock.made_of.push_back(std::move(member));
    begin = end + 1;
  }
  lock.name = std::move(name);
  return std::nullopt;
}

}  // namespace

namespace {

/// A value is part of the name of a field, behind colons.
bool is_value_name(std::string_view text) {
  return is_name(text) && text.find_first_of(":/") == std::string_view::npos;
}

/// `orders/a+b`: some values of a group.
std::optional<StepProblem> parse_values(const Word& list, Kinds kinds, LockObject& lock) {
  const std::string kind(kinds[lock.kind]->name);
  const std::size_t slash = list.text.rfind('/');
  if (slash == std::string_view::npos || slash == 0)
    return problem(list, fmt::format("a {} lock wants a group and values of it", kind),
                   fmt::format("`{}:orders/a+b`", kind));
  std::string_view group = list.text.substr(0, slash);
  const bool quoted = group.size() > 2 && group.front() == '\'' && group.back() == '\'';
  if (quoted) group = group.substr(1, group.size() - 2);
  if (quoted ? !is_quoted_name(group) : !is_lock_name(group))
    return problem({list.text.substr(0, slash), list.offset},
                   fmt::format("`{}` is no name for a group", group),
                   "names with other characters stand in quotes");
  lock.key = std::string(group);
  for (std::size_t begin = slash + 1; begin <= list.text.size();) {
    const std::size_t end = std::min(list.text.find('+', begin), list.text.size());
    const Word value{list.text.substr(begin, end - begin), list.offset + begin};
    if (!is_value_name(value.text))
      return problem(value, value.text.empty() ? std::string("here the name of a value is missing")
                                               : fmt::format("`{}` is no name for a value", value.text));
    if (std::find(lock.values.begin(), lock.values.end(), value.text) != lock.values.end())
      return problem(value, fmt::format("`{}` is named twice", value.text));
    lock.values.emplace_back(value.text);
    begin = end + 1;
  }
  lock.name = fmt::format("{}/{}", lock.key, fmt::join(lock.values, "+"));
  return std::nullopt;
}

}  // namespace

std::optional<StepProblem> parse_lock(std::string_view word, Kinds kinds, LockObject& lock) {
  const std::size_t colon = word.find(':');
  const std::size_t quote = word.find('\'');
  std::string_view name = word;
  std::size_t at = 0;
  if (colon != std::string_view::npos && colon < quote) {
    const Word kind{word.substr(0, colon), 0};
    if (const auto number = kind_number(kind.text, kinds)) {
      lock.kind = *number;
    } else {
      return problem(kind, fmt::format("unknown kind of lock `{}`", kind.text),
                     did_you_mean(kind.text, known_kinds(kinds),
                                  fmt::format("a name with a colon is written `plain:{}`", word)));
    }
    at = colon + 1;
    name = word.substr(at);
    if (kinds[lock.kind]->is_made_of_others()) return parse_members({name, at}, kinds, lock);
    if (kinds[lock.kind]->shares_key) return parse_values({name, at}, kinds, lock);
  }
  const bool quoted = name.starts_with('\'') && name.find('\'', 1) != std::string_view::npos;
  const std::size_t hash = name.find('#', quoted ? name.find('\'', 1) : 0);
  if (hash != std::string_view::npos) {
    if (name.substr(hash) != "#fresh") {
      return problem({name.substr(hash), at + hash},
                     fmt::format("unknown mark `{}` of a lock name", name.substr(hash)),
                     "did you mean `#fresh`?");
    }
    lock.fresh = true;
    name = name.substr(0, hash);
  }
  if (quoted && name.ends_with('\'') && is_quoted_name(name.substr(1, name.size() - 2))) {
    lock.name = std::string(name.substr(1, name.size() - 2));
    return std::nullopt;
  }
  if (name.find('=') != std::string_view::npos) {
    return problem({name, at}, fmt::format("`{}` stands where the name of a lock is wanted", name));
  }
  if (name.empty())
    return problem({word, 0}, word.empty() ? "the name of a lock is missing"
                                           : fmt::format("the name of a lock is missing behind `{}`", word));
  if (!is_lock_name(name))
    return problem({name, at}, fmt::format("`{}` is no name for a lock", name),
                   "names with other characters stand in quotes: `lock 'my orders'`");
  lock.name = std::string(name);
  return std::nullopt;
}

std::optional<std::uint16_t> group_named(std::string_view word) {
  if (word.size() < 2 || word.size() > 4 || word.front() != 'R') return std::nullopt;
  std::uint16_t group = 0;
  for (const char c : word.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    group = static_cast<std::uint16_t>(group * 10 + (c - '0'));
  }
  return group;
}

std::optional<std::int64_t> number_in(std::string_view text, std::int64_t most) {
  std::int64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || number > most) return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number == 0 || number > most ? std::nullopt : std::optional{number};
}

bool is_node_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return is_name(text) && text.size() <= 64 && letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
         });
}

bool may_be_async(model::StepKind call) {
  return model::is_acquire(call) || call == model::StepKind::unlock || call == model::StepKind::force_unlock;
}

std::vector<std::string> options_of(model::StepKind call, const model::LockKind& lock) {
  using model::StepKind;
  std::vector<std::string> options;
  if (call == StepKind::try_lock) options.emplace_back("wait");
  if (model::is_acquire(call)) options.emplace_back("lease");
  if (call == StepKind::hold_count || call == StepKind::remain_time) options.emplace_back("least");
  if (call == StepKind::is_held) options.emplace_back("by");
  options.insert(options.end(), {"via", "on"});
  if (model::is_acquire(call) && lock.promises.tokens) options.emplace_back(model::asks_for_token);
  if (may_be_async(call)) options.insert(options.end(), {"async", "by"});
  return options;
}

}  // namespace lockstep::scenarios
