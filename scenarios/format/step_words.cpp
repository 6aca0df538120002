// The words of the step language, and steps printed in it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "model/client/token.h"
#include "scenarios/format/duration.h"
#include "scenarios/format/step_parser.h"
#include "scenarios/format/step_text.h"

namespace lockstep::scenarios {

using model::Answer;
using model::Step;
using model::StepKind;

namespace {

constexpr std::array<std::pair<StepKind, std::string_view>, 27> step_words = {{
    {StepKind::start, "start"},
    {StepKind::think, "think"},
    {StepKind::work, "work"},
    {StepKind::lock, "lock"},
    {StepKind::lock_interruptibly, "lock-interruptibly"},
    {StepKind::try_lock, "trylock"},
    {StepKind::unlock, "unlock"},
    {StepKind::force_unlock, "force-unlock"},
    {StepKind::signal, "signal"},
    {StepKind::await, "await"},
    {StepKind::expect, "expect"},
    {StepKind::crash, "crash"},
    {StepKind::is_held, "is-held"},
    {StepKind::is_locked, "is-locked"},
    {StepKind::hold_count, "hold-count"},
    {StepKind::remain_time, "remain-time"},
    {StepKind::get_token, "get-token"},
    {StepKind::get, "get"},
    {StepKind::cancel, "cancel"},
    {StepKind::shutdown, "shutdown"},
    {StepKind::command, "redis"},
    {StepKind::write, "write"},
    {StepKind::repeat, "repeat"},
    {StepKind::try_block, "try"},
    {StepKind::again, "}"},
    {StepKind::finally_block, "} finally {"},
    {StepKind::end_block, "}"},
}};

}  // namespace

std::string_view word_of(StepKind kind) {
  for (const auto& [known, word] : step_words) {
    if (known == kind) return word;
  }
  return {};
}

std::optional<StepKind> step_kind(std::string_view word) {
  for (const auto& [kind, known] : step_words) {
    if (known == word && word.front() != '}') return kind;
  }
  return std::nullopt;
}

std::string_view word_of(Answer answer) {
  switch (answer) {
    case Answer::yes: return "true";
    case Answer::no: return "false";
    case Answer::exception: return "exception";
  }
  return {};
}

std::optional<Answer> answer_of(std::string_view word) {
  for (const Answer answer : {Answer::yes, Answer::no, Answer::exception}) {
    if (word_of(answer) == word) return answer;
  }
  return std::nullopt;
}

bool is_call(StepKind kind) { return model::intent_of(kind).has_value(); }

namespace {

std::string print_command(const Step& step, const model::LockObject& where) {
  std::string text(word_of(step.kind));
  if (where.group.value != 0) text += fmt::format(" on=R{}", where.group.value);
  for (const std::string& word : step.words) text += " " + quoted_if_needed(word);
  return text;
}

}  // namespace

std::string print_lock(const model::LockObject& lock, Kinds kinds) {
  if (!lock.made_of.empty()) return lock.name;
  if (!lock.key.empty()) {
    const std::string group = is_lock_name(lock.key) ? lock.key : "'" + lock.key + "'";
    return fmt::format("{}:{}/{}", kinds[lock.kind]->name, group, fmt::join(lock.values, "+"));
  }
  const bool plain = is_name(lock.name);
  std::string text;
  if (lock.kind != 0 || (plain && lock.name.find(':') != std::string::npos)) {
    text = fmt::format("{}:", kinds[lock.kind]->name);
  }
  text += plain ? lock.name : "'" + lock.name + "'";
  if (lock.fresh) text += "#fresh";
  return text;
}

namespace {

std::string print_step(const Step& step, const std::vector<model::LockObject>& objects,
                       const std::vector<std::string>& signals, Kinds kinds) {
  const std::string_view word = word_of(step.kind);
  switch (step.kind) {
    case StepKind::start:
    case StepKind::think:
    case StepKind::work: return fmt::format("{} {}", word, print(step.span));
    case StepKind::signal:
    case StepKind::await: return fmt::format("{} {}", word, signals[step.signal]);
    case StepKind::expect: return fmt::format("{} {}", word, word_of(step.answer));
    case StepKind::crash:
    case StepKind::get:
    case StepKind::cancel:
    case StepKind::shutdown:
    case StepKind::again:
    case StepKind::finally_block:
    case StepKind::end_block: return std::string(word);
    case StepKind::try_block: return fmt::format("{} {{", word);
    case StepKind::command: return print_command(step, objects[step.object]);
    case StepKind::write: return fmt::format("{} {}", word, objects[step.object].name);
    case StepKind::repeat:
      if (step.count == 0) return fmt::format("{} forever {{", word);
      return fmt::format("{} {} {{", word, step.count);
    default: break;
  }
  const model::LockObject& lock = objects[step.object];
  std::string text = fmt::format("{} {}", word, print_lock(lock, kinds));
  if (step.wait) text += " wait=" + print(*step.wait);
  if (step.lease) text += " lease=" + print(*step.lease);
  if (step.by) text += fmt::format(" by={}", *step.by);
  if (step.kind == StepKind::hold_count && step.count > 1) text += fmt::format(" least={}", step.count);
  if (step.kind == StepKind::remain_time && step.span.lo > sim::Duration::zero())
    text += " least=" + print(step.span.lo);
  if (step.async) text += " async";
  if (model::wants_token(step)) text += fmt::format(" {}", model::asks_for_token);
  if (!lock.via.empty()) text += " via=" + lock.via;
  if (lock.group.value != 0) text += fmt::format(" on=R{}", lock.group.value);
  return text;
}

}  // namespace

std::string print_step(const Step& step, const Names& names) {
  return print_step(step, names.objects, names.signals, names.kinds);
}

std::string print_step(const Step& step, const model::Setup& setup) {
  return print_step(step, setup.objects, setup.signals, setup.kinds);
}

}  // namespace lockstep::scenarios
