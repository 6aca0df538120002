// result.h: what a check of one scenario found, as plain data.
//
// It is made in one place (tools/cli/check_result.cpp) and has two readers: text for people and JSON for
// programs. Verdicts and expectations are the words that scenarios use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/result/covered.h"

namespace lockstep::reports {

struct PropertyResult {
  std::string property;
  std::string verdict;       // proved, passed, violated, unknown
  std::string expected;      // proved, passed, holds, violated
  bool named = false;        // asked for; else everything is expected to hold
  bool as_expected = false;
  bool vacuous = false;
  std::string premise;       // the witness whose absence makes it vacuous
  std::string why;           // of unknown: which limit; of violated: what happened
  std::string trail_file, trace_file;  // of violated
  std::uint64_t steps = 0;   // of the trail
  std::string story;         // of the trail, as a table
  std::string again{};       // the command that finds the same without any file; empty: there is none
};

/// The runs that one policy drew.
struct SampledBy {
  std::string policy;
  std::uint64_t runs = 0, cut = 0;
  bool independent = true;      // no run depends on another
  std::string certificate{};    // of what was not there; empty: there is none
  std::string no_certificate{};  // why; empty: this policy has none to give
};

/// Where a search with `grain = "exact"` stopped, in ms: from `below` before each multiple of `spacing` to
/// `above` behind it. Every millisecond is a spacing of 1.
struct ExactInstants {
  std::int64_t spacing = 1, below = 0, above = 0;
};

struct CheckResult {
  std::string scenario, digest, scripts, bounds;
  std::vector<std::string> within;  // how far the bounds go: grain, lengths of faults, ties
  std::optional<ExactInstants> instants;
  std::string again;         // the option that names the scenario again; empty for a built-in one
  std::string file;          // what the command line called it
  std::vector<std::string> overrides;  // the words of --scripts
  std::string gate;          // the command that gates these scripts on what was found; empty: there is none
  bool searched = false;     // and not only sampled
  bool complete = false;     // every state was met
  /// What ended it too soon: states, depth, memory, time, interrupt, network (without bounds); or `decided`.
  std::string limit;
  bool symmetry = false;
  std::string symmetry_off;  // who looks into names, so that symmetry was not used
  bool reduced = false;       // by partial-order reduction
  std::string reduction_off;  // why not, where that was asked for
  std::uint64_t states = 0, transitions = 0, depth = 0;
  bool deep = false;  // depth first: what it found is not the shortest
  std::vector<std::string> boxes;        // of a search in boxes: the largest that were exhausted, as bounds
  std::uint64_t runs = 0, steps = 0;     // sampled
  std::uint64_t cut = 0;  // how many of the runs came to no end
  std::uint64_t cut_at_limit = 0;        // of these, those that were cut
  std::uint64_t settled = 0;             // how many went on without faults where no more was drawn
  std::uint64_t cut_after = 0, settling_max = 0;  // so many moves are drawn, and follow without faults
  std::vector<SampledBy> sampled_by;
  Covered covered;
  std::vector<PropertyResult> properties;
  std::vector<std::string> seen, unseen;  // the witnesses that the scenario demands
};

/// How well a result meets what was expected; each outweighs those before it.
enum class Outcome { as_expected, vacuous, unknown, different };

Outcome outcome_of(const PropertyResult& result);
Outcome outcome_of(const CheckResult& result);
/// "as expected", "vacuous", "unknown", "not as expected".
std::string_view words_of(Outcome outcome);

/// Of a result that rests on samples: the share of schedules drawn like them that may fail at the most, with
/// 95 % confidence, if none of the N that went to their end did: 1 − 0.05^(1/N). Nothing without samples.
/// Nothing where a run depends on another.
std::optional<double> failure_rate_bound(const CheckResult& result);
/// The same of schedules as one policy draws them.
std::optional<double> failure_rate_bound(const CheckResult& result, const SampledBy& by);

struct ResultTextOptions {
  bool colour = false;
  bool counterexample = true;  // tell the first one; the others are in their files
};

/// A head line, the work that was done, and one line for each property and each witness that was not seen;
/// what is not as expected comes first.
std::string result_text(const CheckResult& result, const ResultTextOptions& options = {});

/// "1 violated as expected, 12 proved as expected"
std::string verdicts_line(const CheckResult& result);

/// One line for a scenario in which all is as expected: how many verdicts of which kind, and what is vacuous.
std::string result_line(const CheckResult& result, bool colour = false);
/// How many scenarios ended how.
std::string summary_text(const std::vector<CheckResult>& results);

/// A JSON list with one object for each result, and a line end.
std::string results_json(const std::vector<CheckResult>& results);

}  // namespace lockstep::reports
