// refusals.cpp: what a refused trylock skips, and what cannot go on for ever (step_parser.h).
#include "model/program/interpreter.h"
#include "scenarios/format/step_parser.h"

namespace lockstep::scenarios {

using model::LockObject;
using model::Step;
using model::StepKind;

bool same_lock(const LockObject& a, const LockObject& b) {
  return a.kind == b.kind && a.name == b.name && a.fresh == b.fresh && a.group == b.group;
}

namespace {

std::size_t behind_expects(const std::vector<ParsedStep>& program, std::size_t at) {
  while (at < program.size() && program[at].step.kind == StepKind::expect) ++at;
  return at;
}

/// Where a refusal goes on of the trylock at `call`, which is answered at `from`: there, or by a get.
std::size_t refusal_target(const Names& names, const std::vector<ParsedStep>& program, std::size_t call,
                           std::size_t from) {
  const LockObject& lock = names.objects[program[call].step.object];
  const std::size_t next = behind_expects(program, from + 1);
  std::size_t held = 1;
  std::size_t block_end = 0;  // of the outermost try that begins behind the trylock, while it lasts
  for (std::size_t i = next; i < program.size(); ++i) {
    const Step& step = program[i].step;
    if (step.kind == StepKind::repeat) {  // an inner block gives back what it takes
      i = step.jump - 1;
      continue;
    }
    if (step.kind == StepKind::try_block && i > block_end) block_end = program[step.jump].step.jump;
    const bool closes = step.kind == StepKind::again || step.kind == StepKind::finally_block ||
                        step.kind == StepKind::end_block;
    if (closes && i > block_end) return next;  // the end of the block that the trylock stands in
    const bool takes = model::is_acquire(step.kind);
    if (!takes && step.kind != StepKind::unlock) continue;
    if (!same_lock(names.objects[step.object], lock)) continue;
    if (takes) ++held;
    else if (--held == 0) return behind_expects(program, (i < block_end ? block_end : i) + 1);
  }
  return next;
}

bool comes_between(StepKind kind) {
  return kind == StepKind::think || kind == StepKind::work || kind == StepKind::signal ||
         kind == StepKind::await || kind == StepKind::try_block;
}

}  // namespace

std::optional<std::size_t> future_before(const std::vector<ParsedStep>& program, std::size_t at) {
  while (at > 0 && comes_between(program[at - 1].step.kind)) --at;
  if (at == 0 || !program[at - 1].step.async) return std::nullopt;
  return at - 1;
}

void set_refusal_jumps(const Names& names, std::vector<ParsedStep>& program) {
  for (std::size_t i = 0; i < program.size(); ++i) {
    const StepKind kind = program[i].step.kind;
    if (kind != StepKind::try_lock && kind != StepKind::get && kind != StepKind::cancel) continue;
    const std::size_t call = kind == StepKind::get ? *future_before(program, i) : i;
    const bool tries = program[call].step.kind == StepKind::try_lock;
    const std::size_t target =
        tries ? refusal_target(names, program, call, i) : behind_expects(program, i + 1);
    program[i].step.jump = static_cast<std::uint32_t>(target);
  }
}

bool ends_never(const std::vector<ParsedStep>& program) {
  if (program.empty() || program.back().step.kind != StepKind::again) return false;
  return program[program.back().step.jump - 1].step.count == 0;
}

std::optional<std::string> not_for_ever(const Names& names, const std::vector<ParsedStep>& program) {
  if (!ends_never(program)) return std::nullopt;
  bool takes_time = false;
  for (std::size_t i = program.back().step.jump; i < program.size(); ++i) {
    const Step& step = program[i].step;
    takes_time = takes_time || ((step.kind == StepKind::work || step.kind == StepKind::think) &&
                                step.span.lo > sim::Duration::zero());
    if (is_call(step.kind) && names.objects[step.object].fresh)
      return "`#fresh` makes a key of its own in each round, so it is not for `repeat forever`";
  }
  if (!takes_time) return "the steps of `repeat forever` must take time: `work 1s`, or `think 1s`";
  return std::nullopt;
}

}  // namespace lockstep::scenarios
