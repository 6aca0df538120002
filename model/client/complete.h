// complete.h: the last step of making a Setup.
#pragma once

#include "model/setup/setup.h"
#include "sim/base/result.h"

namespace lockstep::model {

/// Its program has no end (`repeat forever`, a count of 0).
bool goes_round_for_ever(const ThreadSetup& thread);

/// What a problem is about: a step of a program, or with a process, the scripts of that for this step.
struct Blamed {
  std::optional<ThreadId> thread;
  std::size_t step = 0;
  std::optional<ProcessId> process;
};

/// Fills in what follows from the rest (the derived members of Setup) and checks that what the programs ask
/// for can be sent: every lock kind has the calls made on it, every role that they need has a script, KEYS
/// and ARGV have names that the kind can fill, and who goes round for ever sends the same in each round. Call
/// it once, last.
sim::Result<Setup> complete(Setup setup, Blamed* blamed = nullptr);

}  // namespace lockstep::model
