// refusals.cpp: what a refused trylock skips (step_parser.h).
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

/// Where a refusal of the trylock at `from` goes on.
std::size_t refusal_target(const Names& names, const std::vector<ParsedStep>& program, std::size_t from) {
  const LockObject& lock = names.objects[program[from].step.object];
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

}  // namespace

void set_refusal_jumps(const Names& names, std::vector<ParsedStep>& program) {
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (program[i].step.kind != StepKind::try_lock) continue;
    program[i].step.jump = static_cast<std::uint32_t>(refusal_target(names, program, i));
  }
}

}  // namespace lockstep::scenarios
