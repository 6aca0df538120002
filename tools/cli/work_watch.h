// work_watch.h: long work seen from outside: its wall time, its memory, Ctrl-C, and a line of progress.
//
// The deterministic core asks for these through properties::Outside, and through nothing else. Progress goes
// to standard error: on a terminal as one line that is written over four times a second, elsewhere as a line
// every ten seconds, or every two if it is asked for, also as JSON. SIGUSR1 has it told at once. The first
// Ctrl-C ends the work with what is known; a second one ends the program. SIGTERM does the same.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "properties/check/check.h"
#include "sim/search/ranks.h"
#include "tools/cli/console.h"
#include "tools/cli/exit_code.h"

namespace lockstep::tools {

/// Line by line and as JSON is every two seconds; now and then, every ten.
enum class Telling { nothing, on_one_line, line_by_line, as_json, now_and_then };

/// As it is wished; else on a terminal as one line, elsewhere now and then, and to the quiet nothing.
Telling telling_of(const Console& console);

/// What the machine has in memory for this program, in bytes; 0 if the system does not say.
std::uint64_t resident_bytes();

/// While one lives, Ctrl-C, SIGTERM and SIGUSR1 are noted instead of ending the program. SIGTERM is what
/// Slurm and Kubernetes send at first, and all that mpirun tells its processes of a Ctrl-C, or of one of them
/// that died, a second before it kills them; if by then the work is not ended, the first process says so.
class InterruptWatch {
 public:
  explicit InterruptWatch(const sim::Ranks* ranks = nullptr);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  static bool interrupted();
  /// That of the program; of interrupted work it says which signal it was.
  static int status_of(ExitCode code);
  /// Whether somebody wants to know how far it is since this was asked last.
  static bool asked_how_far();
};

/// Looks after one check at a time.
class WorkWatch {
 public:
  using Clock = std::chrono::steady_clock;

  WorkWatch(Console& console, Telling telling, std::optional<sim::Duration> time_limit)
      : console_(console), telling_(telling), time_limit_(time_limit) {}
  ~WorkWatch() { erase(); }
  WorkWatch(const WorkWatch&) = delete;
  WorkWatch& operator=(const WorkWatch&) = delete;

  /// Another check begins now. What is returned refers to this watch.
  properties::Outside begin(const std::string& scenario);
  /// Takes the line of progress away.
  void erase();

 private:
  void tell(const properties::CheckProgress& progress);

  Console& console_;
  Telling telling_;
  std::optional<sim::Duration> time_limit_;
  std::string scenario_;
  Clock::time_point began_, told_;
  std::uint64_t states_told_ = 0;
  bool line_stands_ = false;
};

/// "plain/two: 12 345 states, 4 000 a second, depth 33, 120 waiting; violated: mutual-exclusion; 9 open"
std::string progress_text(const std::string& scenario, const properties::CheckProgress& progress,
                          std::uint64_t states_a_second);

/// The same as an object on one line.
std::string progress_json(const std::string& scenario, const properties::CheckProgress& progress,
                          std::uint64_t states_a_second);

}  // namespace lockstep::tools
