#include "scenarios/format/step_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/client/outside.h"
#include "model/client/token.h"
#include "model/program/interpreter.h"
#include "scenarios/format/duration.h"
#include "scenarios/format/step_names.h"
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
    "start",  "think",  "work",  "lock",    "lock-interruptibly", "trylock", "unlock", "force-unlock",
    "signal", "await",  "expect", "crash",  "is-held",            "is-locked", "hold-count",
    "remain-time", "get-token", "get", "cancel", "shutdown", "redis", "write", "repeat", "try"};
const std::vector<std::string> known_answers = {"true", "false", "exception"};

/// One parse of one text. Each method takes the words from `next_` on, and returns a problem or nothing.
class StepParser {
 public:
  StepParser(std::string_view text, std::size_t text_index, Names& names, std::vector<ParsedStep>& program)
      : text_(text), text_index_(text_index), words_(words_of(text)), names_(names), program_(program) {}

  std::optional<StepProblem> parse();

 private:
  using Found = std::optional<StepProblem>;

  bool ended() const { return next_ >= words_.size(); }
  bool at(std::string_view mark) const { return !ended() && words_[next_].is(mark); }
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
  Found token(const Word& word, Step& step, const LockObject& lock);
  Found named_signal(const Word& verb, Step& step);
  Found expectation(const Word& verb, Step& step);
  Found of_future(const Word& verb);
  Found async(const Word& word, Step& step, const LockObject& lock);
  static Found at_least(const Word& key, const Word& value, Step& step);
  Found command(const Word& verb, Step& step);
  Found write(const Word& verb, Step& step);
  Found open_loop(const Word& verb);
  Found open_try(const Word& verb);
  Found open(const Word& verb, Step step, std::string_view wants_steps);
  Found close();

  std::string_view text_;
  std::size_t text_index_;
  std::vector<Word> words_;
  std::size_t next_ = 0;
  std::vector<std::size_t> open_;  // the steps whose braces are open
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
      if (const Found found = close()) return found;
    }
    if (ended()) break;
    if (!at(";")) return problem(words_[next_], "steps are separated by `;`");
    ++next_;
    while (at("}")) {  // a `;` before a closing brace is allowed
      if (const Found found = close()) return found;
    }
    if (at(";")) ++next_;
  }
  if (!open_.empty())
    return problem(open_words_.back(), fmt::format("this `{}` has no closing `}}` in the same step text",
                                                   open_words_.back().text));
  return std::nullopt;
}

void StepParser::add(Step step, const Word& from) {
  const Word& last = words_[next_ - 1];
  step.text = print_step(step, names_);
  program_.push_back(
      {std::move(step), from.offset, last.offset + last.text.size() - from.offset, text_index_});
}

std::optional<StepProblem> StepParser::one_step() {
  const Word verb = words_[next_];
  if (verb.is("{") || verb.is("}"))
    return problem(verb, fmt::format("a `{}` without its `repeat N {{`", verb.text));
  const std::optional<StepKind> kind = step_kind(verb.text);
  if (!kind) {
    return problem(verb, fmt::format("unknown step `{}`", verb.text),
                   did_you_mean(verb.text, known_steps, "steps are " + either(known_steps)));
  }
  ++next_;
  if (ends_never(program_)) return problem(verb, "nothing follows `repeat forever`");
  if (*kind == StepKind::repeat) return open_loop(verb);
  if (*kind == StepKind::try_block) return open_try(verb);
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
    case StepKind::crash:
    case StepKind::shutdown: break;
    case StepKind::get:
    case StepKind::cancel: found = of_future(verb); break;
    case StepKind::command: found = command(verb, step); break;
    case StepKind::write: found = write(verb, step); break;
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
  const bool read = before == StepKind::get || before == StepKind::cancel;
  if (!is_call(before) && !read && before != StepKind::expect)
    return problem(verb, "`expect` stands right behind the call whose answer it names");
  if (program_.back().step.async)
    return problem(verb, "what a call with `async` has come to is known behind its `get`");
  step.answer = *answer;
  return std::nullopt;
}

std::optional<StepProblem> StepParser::of_future(const Word& verb) {
  if (future_before(program_, program_.size())) return std::nullopt;
  return problem(verb, fmt::format("`{}` wants a call with `async` before it, and no other call in between",
                                   verb.text),
                 "`lock orders async; work 1s; get`");
}

std::optional<StepProblem> StepParser::async(const Word& word, Step& step, const LockObject& lock) {
  const model::LockKind& kind = *names_.kinds[lock.kind];
  if (word.text != "async") return problem(word, "`async` takes no value");
  if (kind.listening == nullptr)
    return problem(word, fmt::format("no call of a {} lock returns a future here", kind.name));
  if (step.async) return problem(word, "`async` is said twice");
  step.async = true;
  return std::nullopt;
}

/// `hold-count a least=2`, `remain-time a least=5s`.
std::optional<StepProblem> StepParser::at_least(const Word& key, const Word& value, Step& step) {
  const bool said = step.count != 0 || step.span.lo != sim::Duration::zero();
  if (said) return problem(key, "option `least` is given twice");
  if (step.kind == StepKind::hold_count) {
    const auto count = number_in(value.text, 1'000'000);
    if (!count) return problem(value, fmt::format("`least` wants a number from 1 on, not `{}`", value.text));
    step.count = static_cast<std::uint32_t>(*count);
    return std::nullopt;
  }
  const sim::Result<sim::Duration> duration = parse_duration(value.text);
  if (!duration.ok()) return problem(value, duration.problem().text);
  if (*duration == sim::Duration::zero()) return problem(value, "`least` wants more than no time");
  step.span.lo = *duration;
  return std::nullopt;
}

std::optional<StepProblem> StepParser::call(const Word& verb, Step& step) {
  Word word;
  if (const Found found = argument(verb, "the name of a lock", word)) return found;
  LockObject lock;
  if (Found found = parse_lock(word.text, names_.kinds, lock)) {
    found->offset += word.offset;
    return found;
  }
  Word lease, by;
  while (!at_separator()) {
    if (words_[next_].text.starts_with("lease=")) lease = words_[next_];
    if (words_[next_].text.starts_with("by=")) by = words_[next_];
    if (const Found found = option(verb, step, lock)) return found;
  }
  if (step.kind == StepKind::try_lock && step.lease && !step.wait) {
    return problem(lease, "`trylock` takes a `lease` only together with a `wait`, as Java's tryLock does",
                   "write `wait=0s` not to wait");
  }
  if (step.by && step.kind != StepKind::is_held && !step.async)
    return problem(by, "a thread that waits calls for itself: `by` wants `async`");
  if (step.by && lock.fresh)
    return problem(by, "each key of `#fresh` is one thread's own, so `by` fits none");
  const model::LockKind& kind = *names_.kinds[lock.kind];
  if (lock.made_of.empty() && model::role_for(kind, *model::intent_of(step.kind)) == nullptr)
    return problem(verb, fmt::format("a {} lock has no such call", kind.name));
  const bool asked_or_thrown =
      step.kind == StepKind::force_unlock || model::is_question(*model::intent_of(step.kind));
  const bool of_whole = model::is_acquire(step.kind) || step.kind == StepKind::unlock ||
                        (kind.asking != nullptr && asked_or_thrown && step.kind != StepKind::get_token);
  if (!lock.made_of.empty() && !of_whole)
    return problem(verb, fmt::format("a {} lock has no such call", kind.name),
                   "its members have: name one of them");
  if (!lock.made_of.empty() && (!lock.via.empty() || lock.group.value != 0))
    return problem(word, "a lock that is made of others lies where these do");
  step.object = names_.object(lock);
  if (names_.objects.size() > names_max)
    return problem(word, fmt::format("more than {} lock objects", names_max));
  return std::nullopt;
}

std::optional<StepProblem> StepParser::option(const Word& verb, Step& step, LockObject& lock) {
  const Word word = words_[next_++];
  const std::size_t equals = word.text.find('=');
  const Word key{word.text.substr(0, equals), word.offset};
  const std::vector<std::string> known = options_of(step.kind, *names_.kinds[lock.kind]);
  if (key.text == model::asks_for_token && model::is_acquire(step.kind)) return token(word, step, lock);
  if (key.text == "async" && may_be_async(step.kind)) return async(word, step, lock);
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
  if (key.text == "least") return at_least(key, value, step);
  if (key.text == "by") {
    if (step.by) return twice();
    step.by = number_in(value.text, 1'000'000'000);
    if (step.by) return std::nullopt;
    return problem(value, fmt::format("`by` wants the number of a thread, not `{}`", value.text));
  }
  const sim::Result<sim::Duration> duration = parse_duration(value.text);
  if (!duration.ok()) return problem(value, duration.problem().text);
  std::optional<sim::Duration>& member = key.text == "wait" ? step.wait : step.lease;
  if (member) return twice();
  const bool of_scheme = lock.made_of.empty() && names_.kinds[lock.kind]->scheme != nullptr;
  if (key.text == "lease" && *duration == sim::Duration::zero() && of_scheme)
    return problem(value, "the lease of a scheme lasts at least `1ms`");
  member = *duration;
  return std::nullopt;
}

/// lockAndGetToken, tryLockAndGetToken.
std::optional<StepProblem> StepParser::token(const Word& word, Step& step, const LockObject& lock) {
  if (word.text != model::asks_for_token) return problem(word, "`token` takes no value");
  if (!lock.made_of.empty() || !names_.kinds[lock.kind]->promises.tokens)
    return problem(word, fmt::format("a {} lock gives no tokens", names_.kinds[lock.kind]->name),
                   "a fenced lock does: `lock fenced:orders token`");
  if (model::wants_token(step)) return problem(word, "`token` is said twice");
  step.words.emplace_back(model::asks_for_token);
  return std::nullopt;
}

std::optional<StepProblem> StepParser::open_loop(const Word& verb) {
  Word word;
  if (const Found found = argument(verb, "how often, and its steps: `repeat 3 { lock a; unlock a }`", word))
    return found;
  if (word.text == "forever") {
    if (open_.empty()) return open(verb, Step{.kind = StepKind::repeat}, "`repeat forever` wants a `{`");
    return problem(verb, "`repeat forever` stands in no other block, since nothing follows it");
  }
  const auto count = number_in(word.text, repeat_max);
  if (!count)
    return problem(word,
                   fmt::format("`repeat` wants a number from 1 to {}, not `{}`", repeat_max, word.text));
  const auto rounds = static_cast<std::uint32_t>(*count);
  return open(verb, Step{.kind = StepKind::repeat, .count = rounds}, "`repeat N` wants its steps in braces");
}

std::optional<StepProblem> StepParser::open_try(const Word& verb) {
  return open(verb, Step{.kind = StepKind::try_block}, "`try` wants its steps in braces");
}

std::optional<StepProblem> StepParser::open(const Word& verb, Step step, std::string_view wants_steps) {
  if (!at("{")) return problem(ended() ? behind() : words_[next_], std::string(wants_steps));
  if (open_.size() >= nesting_max)
    return problem(verb, fmt::format("`{}` is nested more than {} deep", verb.text, nesting_max));
  ++next_;
  open_.push_back(program_.size());
  open_words_.push_back(verb);
  add(std::move(step), verb);
  if (at("}"))
    return problem(words_[next_], fmt::format("`{}` wants at least one step in its braces", verb.text));
  if (ended())
    return problem(verb, fmt::format("this `{}` has no closing `}}` in the same step text", verb.text));
  if (at(";")) return problem(words_[next_], "an empty step before `;`");
  return one_step();
}

/// A closing brace; behind that of a `try` its `finally` begins.
std::optional<StepProblem> StepParser::close() {
  const Word brace = words_[next_];
  if (open_.empty()) return problem(brace, "a `}` without its `repeat N {`");
  ++next_;
  const std::size_t begin = open_.back();
  open_.pop_back();
  open_words_.pop_back();
  const auto here = static_cast<std::uint32_t>(program_.size());
  switch (program_[begin].step.kind) {
    case StepKind::try_block: {
      program_[begin].step.jump = here;
      if (!at("finally"))
        return problem(ended() ? behind() : words_[next_], "`try { … }` wants its `finally { … }`");
      const Word word = words_[next_++];
      return open(word, Step{.kind = StepKind::finally_block}, "`finally` wants its steps in braces");
    }
    case StepKind::finally_block:
      program_[begin].step.jump = here;
      add(Step{.kind = StepKind::end_block}, brace);
      break;
    default:
      add(Step{.kind = StepKind::again, .jump = static_cast<std::uint32_t>(begin + 1)}, brace);
      program_[begin].step.jump = static_cast<std::uint32_t>(program_.size());
  }
  return std::nullopt;
}

/// The words of the command are taken as they are; whether Redis knows it is its server kind's to say.
std::optional<StepProblem> StepParser::command(const Word& verb, Step& step) {
  LockObject where{.kind = model::number_of(model::operator_commands)};
  if (!at_separator() && words_[next_].text.starts_with("on=")) {
    const Word word = words_[next_++];
    const auto group = group_named(word.text.substr(3));
    if (!group)
      return problem(word, fmt::format("`on` wants the first master of a group, such as `R1`, not `{}`",
                                       word.text.substr(3)));
    where.group = model::GroupId{*group};
  }
  Word first;
  if (const Found found = argument(verb, "a command, such as `redis DEL orders`", first)) return found;
  step.words.emplace_back(unquoted(first));
  while (!at_separator()) step.words.emplace_back(unquoted(words_[next_++]));
  for (std::size_t i = next_ - step.words.size(); i < next_; ++i)
    if (is_unclosed(words_[i])) return problem(words_[i], "a `'` without the `'` that closes it");
  const Word& last = words_[next_ - 1];
  const Word all{text_.substr(first.offset, last.offset + last.text.size() - first.offset), first.offset};
  if (at("{") || at("}"))
    if (at("{") || open_.empty())
      return problem(words_[next_], "a word with a brace stands in quotes: `redis DEL 'a:{b}'`");
  if (const auto why = model::NodeSetup{}.kind->refuses(step.words)) {
    const bool value = why->starts_with('`');  // the command is one, and what it is to say is not
    return value ? problem(last, *why) : problem(all, fmt::format("this is no step: {}", *why));
  }
  step.object = names_.object(where);
  return std::nullopt;
}

std::optional<StepProblem> StepParser::write(const Word& verb, Step& step) {
  Word word;
  if (const Found found = argument(verb, "the name of a resource: `write ledger`", word)) return found;
  if (!is_node_name(word.text))
    return problem(word, fmt::format("`{}` is no name for a resource: a letter, then letters, digits, `-`, "
                                     "`_`",
                                     word.text));
  step.object = names_.object({.kind = model::number_of(model::resources), .name = std::string(word.text)});
  if (names_.objects.size() > names_max) return problem(word, fmt::format("more than {} names", names_max));
  return std::nullopt;
}

}  // namespace

std::optional<StepProblem> parse_steps(std::string_view text, std::size_t text_index, Names& names,
                                       std::vector<ParsedStep>& program) {
  return StepParser(text, text_index, names, program).parse();
}

}  // namespace lockstep::scenarios
