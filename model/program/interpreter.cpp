#include "model/program/interpreter.h"

#include "sim/base/overloaded.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

/// One thread while it goes on.
struct Running {
  Cursor& cursor;
  ThreadId id;
  const std::vector<Step>& program;
  const std::vector<bool>& signals;
  ProgramOut out;
};

void end_thread(Running& running, std::optional<std::uint32_t> thrown_by) {
  running.cursor.activity = Ended{};
  running.cursor.loops.clear();
  running.cursor.finals.clear();
  running.cursor.answer.reset();
  running.out.seen.push_back(ThreadEnded{running.id, thrown_by});
}

void check_expectation(Running& running, const Step& step) {
  Cursor& cursor = running.cursor;
  const bool met = cursor.answer == step.answer;
  running.out.seen.push_back(Expectation{running.id, met, step.answer, cursor.answer});
  if (step.answer == Answer::exception) cursor.thrown = false;
  ++cursor.step;
}

/// Rounds of a loop without an end (`count` is 0) are not counted, so that states come back.
void begin_loop(Cursor& cursor, const Step& step) {
  cursor.loops.push_back(step.count);
  ++cursor.step;
}

void end_round(Cursor& cursor, const Step& step, bool endless) {
  if (endless || --cursor.loops.back() > 0) {
    cursor.step = step.jump;
    return;
  }
  cursor.loops.pop_back();
  ++cursor.step;
}

/// How many blocks that `begin` opens and `end` closes a step lies in.
std::size_t blocks_around(const std::vector<Step>& program, std::size_t at, StepKind begin, StepKind end) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < at; ++i) {
    if (program[i].kind == begin) ++depth;
    else if (program[i].kind == end) --depth;
  }
  return depth;
}

/// The innermost try whose first part a step lies in.
std::optional<std::size_t> try_around(const std::vector<Step>& program, std::size_t at) {
  for (std::size_t i = at; i-- > 0;)
    if (program[i].kind == StepKind::try_block && program[i].jump > at) return i;
  return std::nullopt;
}

/// The exception of a step goes up from `at`: to the next `finally`, where it waits, or out of the thread.
void unwind(Running& running, std::size_t at, std::uint32_t thrown_by) {
  Cursor& cursor = running.cursor;
  const auto block = try_around(running.program, at);
  if (!block) return end_thread(running, thrown_by);
  cursor.thrown = false;
  cursor.answer.reset();
  cursor.refused.reset();
  cursor.loops.resize(blocks_around(running.program, *block, StepKind::repeat, StepKind::again));
  cursor.finals.resize(blocks_around(running.program, *block, StepKind::finally_block, StepKind::end_block));
  cursor.finals.push_back(thrown_by);
  cursor.step = running.program[*block].jump + 1;
}

void end_finally(Running& running) {
  Cursor& cursor = running.cursor;
  const std::optional<std::uint32_t> thrown_by = cursor.finals.back();
  cursor.finals.pop_back();
  if (thrown_by) unwind(running, cursor.step, *thrown_by);
  else ++cursor.step;
}

/// The steps that a thread does by itself in no time. False if this is not one of them.
bool do_at_once(Running& running, const Step& step) {
  switch (step.kind) {
    case StepKind::expect:
      check_expectation(running, step);
      return true;
    case StepKind::signal:
      running.out.signals.push_back(step.signal);
      ++running.cursor.step;
      return true;
    case StepKind::await:
      if (!running.signals[step.signal]) return false;
      ++running.cursor.step;
      return true;
    case StepKind::repeat:
      begin_loop(running.cursor, step);
      return true;
    case StepKind::again:
      end_round(running.cursor, step, running.program[step.jump - 1].count == 0);
      return true;
    case StepKind::try_block:
      ++running.cursor.step;
      return true;
    case StepKind::finally_block:
      running.cursor.finals.emplace_back();
      ++running.cursor.step;
      return true;
    case StepKind::end_block:
      end_finally(running);
      return true;
    default:
      return false;
  }
}

/// Begins a step that takes time; one that the process must carry out is returned.
const Step* begin(Cursor& cursor, const Step& step) {
  switch (step.kind) {
    case StepKind::start:
    case StepKind::think:
    case StepKind::work:
      cursor.activity = Busy{{step.span.lo}, {step.span.hi}};
      return nullptr;
    case StepKind::await:
      cursor.activity = AwaitingSignal{step.signal};
      return nullptr;
    case StepKind::crash:
      return &step;
    default:
      cursor.activity = InCall{};
      return &step;
  }
}

}  // namespace

const Step* go_on(Cursor& cursor, ThreadId id, const std::vector<Step>& program,
                  const std::vector<bool>& signals, ProgramOut out) {
  Running running{cursor, id, program, signals, out};
  if (std::holds_alternative<Busy>(cursor.activity)) ++cursor.step;
  cursor.activity = Ready{};
  for (;;) {
    const bool at_end = cursor.step >= program.size();
    const bool expects = !at_end && program[cursor.step].kind == StepKind::expect;
    const bool caught = expects && program[cursor.step].answer == Answer::exception;
    if (cursor.thrown && !caught) {
      const std::uint32_t thrown_by = cursor.step - 1;
      if (expects) check_expectation(running, program[cursor.step]);
      unwind(running, thrown_by, thrown_by);
      if (std::holds_alternative<Ended>(cursor.activity)) return nullptr;
      continue;
    }
    if (cursor.refused && !expects) {
      cursor.step = *cursor.refused;
      cursor.refused.reset();
      continue;
    }
    if (at_end) return end_thread(running, std::nullopt), nullptr;
    if (!do_at_once(running, program[cursor.step])) return begin(cursor, program[cursor.step]);
    if (std::holds_alternative<Ended>(cursor.activity)) return nullptr;
  }
}

void call_returned(Cursor& cursor, const std::vector<Step>& program, Answer answer) {
  const Step& step = program[cursor.step];
  cursor.answer = answer;
  cursor.thrown = answer == Answer::exception;
  const bool tries = step.kind == StepKind::try_lock || step.kind == StepKind::get;
  if (tries && answer != Answer::yes) cursor.refused = step.jump;
  ++cursor.step;
  cursor.activity = Ready{};
}

void future_begun(Cursor& cursor) {
  cursor.answer.reset();
  ++cursor.step;
  cursor.activity = Ready{};
}

bool can_go_on(const Cursor& cursor, const std::vector<bool>& signals) {
  return std::visit(sim::overloaded{
                        [](const Ready&) { return true; },
                        [](const Busy& busy) { return busy.lo.due(); },
                        [](const InCall&) { return false; },
                        [&](const AwaitingSignal& awaiting) { return bool{signals[awaiting.signal]}; },
                        [](const Ended&) { return false; },
                    },
                    cursor.activity);
}

bool flexible(const Cursor& cursor) {
  const Busy* busy = std::get_if<Busy>(&cursor.activity);
  return busy != nullptr && busy->hi.left > busy->lo.left;
}

bool is_acquire(StepKind kind) {
  return kind == StepKind::lock || kind == StepKind::lock_interruptibly || kind == StepKind::try_lock;
}

}  // namespace lockstep::model
