// cmd_gate.h: `lockstep gate` says whether a change of scripts loses a promise, for CI.
//
// Exit code 1: something regressed, 3: something is unknown, 4: nothing was selected, a premise never occurs,
// or a changed script was never sent. How long anything takes decides nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/base/time.h"
#include "tools/cli/export_findings.h"
#include "tools/cli/verb.h"

namespace lockstep::tools {

enum class Annotations { automatic, github, none };

struct GateOptions {
  std::vector<std::string> scenarios, more_scenarios;  // behind --scenarios, and without it
  std::string base, head;                              // SET, DIR, or ROLE=FILE pairs
  std::string baseline = "lockstep-baseline.json";
  bool update_baseline = false;
  std::vector<std::string> trails;  // files and folders
  std::string cache;                // a folder; empty: that of the baseline
  std::vector<FindingsExport> exports;
  std::set<std::string> fail_on{"regressed", "unfound"};
  Annotations annotations = Annotations::automatic;
  std::optional<std::uint64_t> states_max, runs;
  std::uint64_t seed = 1;
  std::optional<sim::Duration> time_limit;  // for each scenario
  std::optional<std::uint64_t> memory_limit;
  Format format = Format::human;
};

Verb gate_verb();

}  // namespace lockstep::tools
