// findings.h: what a check or a gate has to say of each property of each scenario, as plain data with many
// readers: text, Markdown, JSON, HTML, JUnit, SARIF, annotations of GitHub.
//
// A gate compares two sets of scripts, base and head; a check knows only what was expected. Both are judged
// by the weight of what was found, which decides the exit code, and told by a word. Names may be hostile:
// every reader escapes what it prints. The same findings give the same bytes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/trace.h"

namespace lockstep::reports {

/// From the best to the worst; each outweighs those before it.
enum class Weight { fine, vacuous, unknown, failed };

struct Finding {
  std::string scenario, property;
  std::string promise;  // of the property, in one sentence
  std::string outcome;  // "same", "regressed", "accepted" …; of a check "as expected" …
  Weight weight = Weight::fine;
  std::string base, head;     // verdicts: proved, passed, violated, unknown; of a check, base is expected
  std::string why;            // in a sentence; empty: it goes without saying
  std::string reason, until;  // of what is accepted
  std::uint64_t states = 0, steps = 0;
  std::string story;   // the counterexample, one line a step
  std::string replay;  // the command that shows it again
  std::string trail_file, trace_file;
  std::string scenario_file;                        // empty: it is built in
  std::map<std::string, std::string> script_files;  // by role
  std::string role;  // of the script whose write made the violation, and the line of that write
  std::int64_t line = 0;
  sim::Trace trace;  // without events: there is none

  bool told() const { return weight != Weight::fine || outcome != usual_outcome(); }
  std::string_view usual_outcome() const { return base_is_expectation ? "as expected" : "same"; }
  bool base_is_expectation = false;

  std::string script_file() const {
    const auto found = script_files.find(role);
    return found == script_files.end() ? std::string() : found->second;
  }
};

struct ChangedScript {
  std::string role, file;
  std::uint64_t added = 0, removed = 0;  // lines
  bool sent = true;                      // by a scenario that was checked
};

struct Findings {
  std::string command;                   // "check", "gate"
  std::string version;                   // of Lockstep
  std::string about;                     // "redisson@3.10.5 → ./lua"
  bool complete = true;                  // false: it was interrupted
  std::uint64_t scenarios = 0, cut = 0;  // checked; of these, not completely searched
  std::vector<ChangedScript> changed;
  std::uint64_t unchanged = 0;      // scripts
  std::vector<std::string> trails;  // in words: what became of stored trails
  std::vector<std::string> notes;   // what else is to be known, each a sentence
  std::vector<Finding> all;
  Weight weight = Weight::fine;
};

/// What is not as usual, the worst first, and otherwise in the order of the findings.
std::vector<const Finding*> worst_first(const Findings& findings);
/// "2 regressed, 1 accepted, 63 same"
std::string counts_text(const Findings& findings);
/// "proved → violated"
std::string verdicts_text(const Finding& finding);
/// "lua/unlock.lua:11", else the scenario's file; empty: neither is known.
std::string place_text(const Finding& finding);

/// The write that made the violation: of those before it the last that a script in one of these roles did,
/// else the last that any script did.
struct ViolatingWrite {
  std::string role;
  std::int64_t line = 0;
};
ViolatingWrite violating_write(const sim::Trace& trace, const std::string& property,
                               const std::vector<ChangedScript>& changed);

std::string findings_text(const Findings& findings, bool colour);
std::string findings_json(const Findings& findings);
std::string findings_markdown(const Findings& findings);
std::string findings_html(const Findings& findings);
/// The Jenkins dialect.
std::string findings_junit(const Findings& findings);
/// 2.1.0, with what GitHub demands.
std::string findings_sarif(const Findings& findings);
/// Commands of a workflow: at most ten errors and ten warnings, the worst first.
std::string findings_annotations(const Findings& findings);

}  // namespace lockstep::reports
