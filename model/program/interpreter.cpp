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

void begin_loop(Cursor& cursor, const Step& step) {
  if (step.count == 0) {
    cursor.step = step.jump;
    return;
  }
  cursor.loops.push_back(step.count);
  ++cursor.step;
}

void end_round(Cursor& cursor, const Step& step) {
  if (--cursor.loops.back() > 0) {
    cursor.step = step.jump;
    return;
  }
  cursor.loops.pop_back();
  ++cursor.step;
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
      end_round(running.cursor, step);
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
      return end_thread(running, thrown_by), nullptr;
    }
    if (cursor.refused && !expects) {
      cursor.step = *cursor.refused;
      cursor.refused.reset();
      continue;
    }
    if (at_end) return end_thread(running, std::nullopt), nullptr;
    if (!do_at_once(running, program[cursor.step])) return begin(cursor, program[cursor.step]);
  }
}

void call_returned(Cursor& cursor, const std::vector<Step>& program, Answer answer) {
  const Step& step = program[cursor.step];
  cursor.answer = answer;
  cursor.thrown = answer == Answer::exception;
  if (step.kind == StepKind::try_lock && answer != Answer::yes) cursor.refused = step.jump;
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
