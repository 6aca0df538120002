// verify.h: the framework's own mistakes stop the program, in every build.
//
// VERIFY is for what must hold if Lockstep itself is right. A modelled error (a Redis error reply, a refused
// lock) is a value, and a user's mistake is a Result with a sentence; neither belongs here. A framework that
// is broken must not report a verdict, so a failed VERIFY ends the process with exit code 70 after an
// optional hook has printed what the run was doing.
#pragma once

#include <string>

namespace lockstep::sim {

/// Prints `what` with its place, runs the hook if there is one, and exits with code 70.
[[noreturn]] void verify_failed(const char* what, const char* file, int line);

/// Sets what a failed VERIFY prints last, normally the trail so far; an empty function pointer removes it.
void set_verify_hook(std::string (*describe)());

}  // namespace lockstep::sim

#define VERIFY(condition) \
  ((condition) ? void() : ::lockstep::sim::verify_failed(#condition, __FILE__, __LINE__))

/// A place that is never reached if Lockstep is right; `what` says what should have been the case.
#define UNREACHABLE(what) ::lockstep::sim::verify_failed(what, __FILE__, __LINE__)
