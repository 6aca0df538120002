#include "scenarios/format/step_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/client/lock_kind.h"
#include "scenarios/format/duration.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

using model::LockObject;
using model::Step;
using model::StepKind;

namespace {

constexpr std::size_t nesting_max = 16;
constexpr std::uint32_t repeat_max = 1'000'000;
constexpr std::size_t names_max = 1'000;  // look-ups are linear, and a world keeps state for each object

const std::vector<std::string> known_steps = {
    "start", "think",  "work",  "lock",  "lock-interruptibly", "trylock", "unlock", "force-unlock", "signal",
    "await", "expect", "crash", "repeat"};
/// Kinds that there will be: a scenario that names one is not misspelt.
const std::vector<std::string> coming_kinds = {"fair", "fenced", "multi", "red"};
const std::vector<std::string> known_answers = {"true", "false", "exception"};

std::optional<std::uint16_t> kind_number(std::string_view word) {
  const auto kinds = model::shipped_kinds();
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i]->name == word) return static_cast<std::uint16_t>(i);
  return std::nullopt;
}

std::vector<std::string> known_kinds() {
  std::vector<std::string> words = coming_kinds;
  for (const model::LockKind* kind : model::shipped_kinds()) words.emplace_back(kind->name);
  return words;
}

/// The group whose first master is called so: "R1" → 1.
std::optional<std::uint16_t> group_named(std::string_view word) {
  if (word.size() < 2 || word.size() > 4 || word.front() != 'R') return std::nullopt;
  std::uint16_t group = 0;
  for (const char c : word.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    group = static_cast<std::uint16_t>(group * 10 + (c - '0'));
  }
  return group;
}

struct Word {
  std::string_view text;
  std::size_t offset = 0;
};

/// A byte that may stand in names of locks, objects and signals.
bool object_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-.:/@").find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 200 && std::all_of(text.begin(), text.end(), object_byte);
}

/// Words in the order of the text; `{`, `}` and `;` are words of their own.
std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view marks = "{};";
    if (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r') {
      ++at;
    } else if (marks.find(text[at]) != std::string_view::npos) {
      words.push_back({text.substr(at, 1), at});
      ++at;
    } else {
      const std::size_t end = std::min(text.find_first_of(" \t\r\n{};", at), text.size());
      words.push_back({text.substr(at, end - at), at});
      at = end;
    }
  }
  return words;
}

StepProblem problem(const Word& word, std::string what, std::string hint = {}) {
  return {word.offset, std::max<std::size_t>(1, word.text.size()), std::move(what), std::move(hint)};
}

/// One parse of one text. Each method takes the words from `next_` on, and returns a problem or nothing.
class StepParser {
 public:
  StepParser(std::string_view text, std::size_t text_index, Names& names, std::vector<ParsedStep>& program)
      : text_(text), text_index_(text_index), words_(words_of(text)), names_(names), program_(program) {}

  std::optional<StepProblem> parse();

 private:
  using Found = std::optional<StepProblem>;

  bool ended() const { return next_ >= words_.size(); }
  bool at(std::string_view mark) const { return !ended() && words_[next_].text == mark; }
  bool at_separator() const { return ended() || at(";") || at("{") || at("}"); }
  /// Where something is missing: right behind the last word that was read.
  Word behind() const {
    const Word& last = words_[next_ - 1];
    return {text_.substr(last.offset + last.text.size(), 0), last.offset + last.text.size()};
  }
  void add(Step step, const Word& from);
  Found one_step();
  Found step_of(const Word& verb, StepKind kind);
  Found argument(const Word& verb, std::string_view wanted, Word& found);
  Found timed(const Word& verb, Step& step);
  Found call(const Word& verb, Step& step);
  Found option(const Word& verb, Step& step, LockObject& lock);
  Found named_signal(const Word& verb, Step& step);
  Found expectation(const Word& verb, Step& step);
  Found open_loop(const Word& verb);
  Found close_loop();

  std::string_view text_;
  std::size_t text_index_;
  std::vector<Word> words_;
  std::size_t next_ = 0;
  std::vector<std::size_t> open_;  // the repeat steps whose braces are open
  std::vector<Word> open_words_;
  Names& names_;
  std::vector<ParsedStep>& program_;
};

std::optional<StepProblem> StepParser::parse() {
  if (words_.empty()) return StepProblem{0, 1, "an empty step", "write a step such as `lock orders`"};
  while (!ended()) {
    if (at(";")) return problem(words_[next_], "an empty step before `;`");
    if (const Found found = one_step()) return found;
    while (at("}")) {
      if (const Found found = close_loop()) return found;
    }
    if (ended()) break;
    if (!at(";")) return problem(words_[next_], "steps are separated by `;`");
    ++next_;
    while (at("}")) {  // a `;` before a closing brace is allowed
      if (const Found found = close_loop()) return found;
    }
    if (at(";")) ++next_;
  }
  if (!open_.empty())
    return problem(open_words_.back(), "this `repeat` has no closing `}` in the same step text");
  return std::nullopt;
}

void StepParser::add(Step step, const Word& from) {
  const Word& last = words_[next_ - 1];
  step.text = print_step(step, names_.objects, names_.signals);
  program_.push_back(
      {std::move(step), from.offset, last.offset + last.text.size() - from.offset, text_index_});
}

std::optional<StepProblem> StepParser::one_step() {
  const Word verb = words_[next_];
  if (verb.text == "{" || verb.text == "}")
    return problem(verb, fmt::format("a `{}` without its `repeat N {{`", verb.text));
  if (verb.text == "write") {
    return problem(verb, "`write` is not modelled yet: there are no fenced resources");
  }
  const std::optional<StepKind> kind = step_kind(verb.text);
  if (!kind) {
    return problem(verb, fmt::format("unknown step `{}`", verb.text),
                   did_you_mean(verb.text, known_steps, "steps are " + either(known_steps)));
  }
  ++next_;
  if (*kind == StepKind::repeat) return open_loop(verb);
  return step_of(verb, *kind);
}

std::optional<StepProblem> StepParser::step_of(const Word& verb, StepKind kind) {
  Step step{.kind = kind};
  Found found;
  switch (kind) {
    case StepKind::start:
    case StepKind::think:
    case StepKind::work: found = timed(verb, step); break;
    case StepKind::signal:
    case StepKind::await: found = named_signal(verb, step); break;
    case StepKind::expect: found = expectation(verb, step); break;
    case StepKind::crash: break;
    default: found = call(verb, step); break;
  }
  if (found) return found;
  if (!at_separator()) {
    const Word extra = words_[next_];
    return problem(extra, fmt::format("`{}` is too much for step `{}`", extra.text, verb.text));
  }
  add(std::move(step), verb);
  return std::nullopt;
}

std::optional<StepProblem> StepParser::argument(const Word& verb, std::string_view wanted, Word& found) {
  if (at_separator()) return problem(behind(), fmt::format("step `{}` wants {}", verb.text, wanted));
  found = words_[next_++];
  return std::nullopt;
}

std::optional<StepProblem> StepParser::timed(const Word& verb, Step& step) {
  Word word;
  if (const Found found = argument(verb, "a time, such as `10s` or `0..500ms`", word)) return found;
  const sim::Result<model::Interval> span = parse_interval(word.text);
  if (!span.ok()) return problem(word, span.problem().text);
  step.span = *span;
  const bool first = program_.empty();
  if (step.kind == StepKind::start && !first)
    return problem(verb, "`start` is only for the first step of a thread");
  return std::nullopt;
}

std::optional<StepProblem> StepParser::named_signal(const Word& verb, Step& step) {
  Word word;
  if (const Found found = argument(verb, "the name of a signal", word)) return found;
  if (!is_name(word.text)) return problem(word, fmt::format("`{}` is no name for a signal", word.text));
  step.signal = names_.signal(word.text);
  if (names_.signals.size() > names_max) return problem(word, fmt::format("more than {} signals", names_max));
  return std::nullopt;
}

std::optional<StepProblem> StepParser::expectation(const Word& verb, Step& step) {
  Word word;
  if (const Found found = argument(verb, either(known_answers), word)) return found;
  const std::optional<model::Answer> answer = answer_of(word.text);
  if (!answer) {
    return problem(word, fmt::format("`expect` wants {}, not `{}`", either(known_answers), word.text),
                   did_you_mean(word.text, known_answers));
  }
  const StepKind before = program_.empty() ? StepKind::crash : program_.back().step.kind;
  if (!is_call(before) && before != StepKind::expect) {
    return problem(verb, "`expect` stands right behind the call whose answer it names");
  }
  step.answer = *answer;
  return std::nullopt;
}

std::optional<StepProblem> StepParser::call(const Word& verb, Step& step) {
  Word word;
  if (const Found found = argument(verb, "the name of a lock", word)) return found;
  LockObject lock;
  if (Found found = parse_lock(word.text, lock)) {
    found->offset += word.offset;
    return found;
  }
  Word lease;
  while (!at_separator()) {
    if (words_[next_].text.substr(0, 6) == "lease=") lease = words_[next_];
    if (const Found found = option(verb, step, lock)) return found;
  }
  if (step.kind == StepKind::try_lock && step.lease && !step.wait) {
    return problem(lease, "`trylock` takes a `lease` only together with a `wait`, as Java's tryLock does",
                   "write `wait=0s` not to wait");
  }
  step.object = names_.object(lock);
  if (names_.objects.size() > names_max)
    return problem(word, fmt::format("more than {} lock objects", names_max));
  return std::nullopt;
}

std::optional<StepProblem> StepParser::option(const Word& verb, Step& step, LockObject& lock) {
  const Word word = words_[next_++];
  const std::size_t equals = word.text.find('=');
  const Word key{word.text.substr(0, equals), word.offset};
  std::vector<std::string> known = {"via", "on"};
  const bool acquires = step.kind != StepKind::unlock && step.kind != StepKind::force_unlock;
  if (acquires) known.insert(known.begin(), "lease");
  if (step.kind == StepKind::try_lock) known.insert(known.begin(), "wait");
  if (std::find(known.begin(), known.end(), key.text) == known.end()) {
    return problem(key, fmt::format("unknown option `{}` of step `{}`", key.text, verb.text),
                   did_you_mean(key.text, known, "options are " + either(known)));
  }
  if (equals == std::string_view::npos) {
    return problem(word, fmt::format("option `{}` wants a value: `{}=…`", key.text, key.text));
  }
  const Word value{word.text.substr(equals + 1), word.offset + equals + 1};
  const auto twice = [&] { return problem(key, fmt::format("option `{}` is given twice", key.text)); };
  if (key.text == "via") {
    if (!is_name(value.text))
      return problem(value, fmt::format("`{}` is no name for a lock object", value.text));
    if (!lock.via.empty()) return twice();
    lock.via = std::string(value.text);
    return std::nullopt;
  }
  if (key.text == "on") {
    const auto group = group_named(value.text);
    if (!group)
      return problem(
          value, fmt::format("`on` wants the first master of a group, such as `R1`, not `{}`", value.text));
    if (lock.group.value != 0) return twice();
    lock.group = model::GroupId{*group};
    return std::nullopt;
  }
  const sim::Result<sim::Duration> duration = parse_duration(value.text);
  if (!duration.ok()) return problem(value, duration.problem().text);
  std::optional<sim::Duration>& member = key.text == "wait" ? step.wait : step.lease;
  if (member) return twice();
  if (key.text == "lease" && *duration == sim::Duration::zero())
    return problem(value, "a lease lasts at least `1ms`");
  member = *duration;
  return std::nullopt;
}

std::optional<StepProblem> StepParser::open_loop(const Word& verb) {
  Word word;
  if (const Found found = argument(verb, "how often, and its steps: `repeat 3 { lock a; unlock a }`", word))
    return found;
  std::uint32_t count = 0;
  for (const char c : word.text) {
    if (c < '0' || c > '9' || count > repeat_max) {
      count = 0;
      break;
    }
    count = count * 10 + static_cast<std::uint32_t>(c - '0');
  }
  if (count == 0 || count > repeat_max) {
    return problem(word,
                   fmt::format("`repeat` wants a number from 1 to {}, not `{}`", repeat_max, word.text));
  }
  if (!at("{")) return problem(ended() ? behind() : words_[next_], "`repeat N` wants its steps in braces");
  if (open_.size() >= nesting_max)
    return problem(verb, fmt::format("`repeat` is nested more than {} deep", nesting_max));
  ++next_;
  open_.push_back(program_.size());
  open_words_.push_back(verb);
  add(Step{.kind = StepKind::repeat, .count = count}, verb);
  if (at("}")) return problem(words_[next_], "`repeat` wants at least one step in its braces");
  if (ended()) return problem(verb, "this `repeat` has no closing `}` in the same step text");
  if (at(";")) return problem(words_[next_], "an empty step before `;`");
  return one_step();
}

std::optional<StepProblem> StepParser::close_loop() {
  const Word brace = words_[next_];
  if (open_.empty()) return problem(brace, "a `}` without its `repeat N {`");
  ++next_;
  const std::size_t begin = open_.back();
  open_.pop_back();
  open_words_.pop_back();
  add(Step{.kind = StepKind::again, .jump = static_cast<std::uint32_t>(begin + 1)}, brace);
  program_[begin].step.jump = static_cast<std::uint32_t>(program_.size());
  return std::nullopt;
}

bool same_lock(const LockObject& a, const LockObject& b) {
  return a.kind == b.kind && a.name == b.name && a.fresh == b.fresh && a.group == b.group;
}

std::size_t behind_expects(const std::vector<ParsedStep>& program, std::size_t at) {
  while (at < program.size() && program[at].step.kind == StepKind::expect) ++at;
  return at;
}

/// Where a refusal of the trylock at `from` goes on.
std::size_t refusal_target(const Names& names, const std::vector<ParsedStep>& program, std::size_t from) {
  const LockObject& lock = names.objects[program[from].step.object];
  const std::size_t next = behind_expects(program, from + 1);
  std::size_t held = 1;
  for (std::size_t i = next; i < program.size(); ++i) {
    const Step& step = program[i].step;
    if (step.kind == StepKind::again) return next;  // the end of the block that the trylock stands in
    if (step.kind == StepKind::repeat) {            // an inner block gives back what it takes
      i = step.jump - 1;
      continue;
    }
    if (!is_call(step.kind) || !same_lock(names.objects[step.object], lock)) continue;
    if (step.kind == StepKind::force_unlock) continue;
    if (step.kind != StepKind::unlock) {
      ++held;
    } else if (--held == 0) {
      return behind_expects(program, i + 1);
    }
  }
  return next;
}

}  // namespace

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

std::optional<StepProblem> parse_lock(std::string_view word, LockObject& lock) {
  const std::size_t colon = word.find(':');
  std::string_view name = word;
  std::size_t at = 0;
  if (colon != std::string_view::npos) {
    const Word kind{word.substr(0, colon), 0};
    if (const auto number = kind_number(kind.text)) {
      lock.kind = *number;
    } else if (std::find(coming_kinds.begin(), coming_kinds.end(), kind.text) != coming_kinds.end()) {
      return problem(kind, fmt::format("{} locks are not modelled yet", kind.text));
    } else {
      return problem(kind, fmt::format("unknown kind of lock `{}`", kind.text),
                     did_you_mean(kind.text, known_kinds(),
                                  fmt::format("a name with a colon is written `plain:{}`", word)));
    }
    at = colon + 1;
    name = word.substr(at);
  }
  const std::size_t hash = name.find('#');
  if (hash != std::string_view::npos) {
    if (name.substr(hash) != "#fresh") {
      return problem({name.substr(hash), at + hash},
                     fmt::format("unknown mark `{}` of a lock name", name.substr(hash)),
                     "did you mean `#fresh`?");
    }
    lock.fresh = true;
    name = name.substr(0, hash);
  }
  if (name.find('=') != std::string_view::npos) {
    return problem({name, at}, fmt::format("`{}` stands where the name of a lock is wanted", name));
  }
  if (!is_name(name)) return problem({name, at}, fmt::format("`{}` is no name for a lock", name));
  lock.name = std::string(name);
  return std::nullopt;
}

void set_refusal_jumps(const Names& names, std::vector<ParsedStep>& program) {
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (program[i].step.kind != StepKind::try_lock) continue;
    program[i].step.jump = static_cast<std::uint32_t>(refusal_target(names, program, i));
  }
}

std::optional<StepProblem> parse_steps(std::string_view text, std::size_t text_index, Names& names,
                                       std::vector<ParsedStep>& program) {
  return StepParser(text, text_index, names, program).parse();
}

}  // namespace lockstep::scenarios
