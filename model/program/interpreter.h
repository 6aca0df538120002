// interpreter.h: how a thread goes through its program.
//
// The interpreter does by itself what takes no time and sends nothing (expect, signal, loops, try), and stops
// at the next step that does: a wait, a call, the crash of its process, or the end. A call is begun and lived
// through by others (model/client/process.h); when it is over they say what it answered.
//
// `try { … } finally { … }` is Java's: an exception of the first part, or its end, leads to the second;
// behind that the exception goes on upwards. One that is thrown in the second part takes its place.
#pragma once

#include <vector>

#include "model/observation.h"
#include "model/program/cursor.h"

namespace lockstep::model {

/// What the steps of a program cause outside of their thread.
struct ProgramOut {
  std::vector<Observation>& seen;
  std::vector<std::uint16_t>& signals;  // raised
};

/// Goes on from Ready, Busy or AwaitingSignal. Returns the step that its process must carry out now (a call,
/// or `crash`), or nothing if the thread waits or has ended.
const Step* go_on(Cursor& cursor, ThreadId id, const std::vector<Step>& program,
                  const std::vector<bool>& signals, ProgramOut out);

/// The call that the cursor stands at is over: the program goes on behind it.
void call_returned(Cursor& cursor, const std::vector<Step>& program, Answer answer);

/// The call that the cursor stands at has returned a future, or was none: the program goes on behind it.
void future_begun(Cursor& cursor);

/// Whether a thread outside of a call can go on now; inside one, its machine knows.
bool can_go_on(const Cursor& cursor, const std::vector<bool>& signals);

/// The thread is inside an interval lo..hi: it may go on now or later.
bool flexible(const Cursor& cursor);

bool is_acquire(StepKind kind);

}  // namespace lockstep::model
