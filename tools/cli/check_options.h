// check_options.h: what `lockstep check` can be asked: the options, how they are written, and which of them
// do not go together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/time.h"
#include "tools/cli/export_findings.h"
#include "tools/cli/grammar.h"
#include "tools/cli/prefix.h"

namespace lockstep::tools {

enum class Strategy { automatic, bfs, dfs, random, uniform, swarm, pct, pos, surw, guided };

struct CheckOptions {
  std::vector<std::string> scenarios;  // files, folders, names of built-in ones
  bool all = false;                    // every built-in one
  std::string pattern;                 // only those whose name holds this; empty: all
  bool verbose = false;                // details of those that are as expected, too
  Strategy strategy = Strategy::automatic;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> runs;  // sampled schedules
  std::optional<std::uint64_t> budget;  // moves in all sampled schedules together
  bool coverage = false;                // say what samples met, and what they never did
  std::optional<std::uint64_t> states_max;
  std::optional<std::uint64_t> depth_max;     // moves from the start, in the exhaustive search
  std::optional<std::uint64_t> steps_max;     // moves drawn of one sampled schedule
  std::optional<std::uint64_t> settling_max;  // and behind these, without faults
  std::optional<sim::Duration> time_limit;    // wall time, for each scenario
  std::optional<std::uint64_t> memory_limit;  // bytes
  std::uint64_t workers = 1;                  // of the search
  bool exact = false;                         // compare whole states, not their digests
  bool memo = true;                           // of the search: steps are remembered, not taken again
  bool symmetry = true;
  bool reduce = false;
  bool shrink = true;
  std::vector<FindingsExport> exports;
  std::string report_dir;               // of pages and their index; empty: none are written
  std::vector<std::string> properties;  // empty: all that the scenario names
  std::vector<std::string> scripts;     // SET, DIR or ROLE=FILE, in the order given
  BeginsWith begins;                    // what all schedules begin with
  std::string save, resume;             // files of searches that did not end; empty: none
  bool boxes = false;                   // with few faults first, then with more
  std::optional<std::uint64_t> preemptions;  // at most so many in a run
  std::string shard;                    // I/N, auto, auto/N; empty: all runs
  Format format = Format::human;
};

/// Takes samples alone.
bool only_samples(Strategy strategy);
/// As it is written in a command.
std::string word_of(Strategy strategy);

void declare_check(Grammar& grammar, CheckOptions& options);

// What does not go together, as a sentence; empty: nothing.
std::string complaint_about_check(const CheckOptions& asked);
/// Where mpirun shares the search out.
std::string complaint_about_ranks(const CheckOptions& asked);

}  // namespace lockstep::tools
