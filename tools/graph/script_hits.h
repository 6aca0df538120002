// script_hits.h: how often each line of each script of a scenario ran, and how each `if` went.
//
// Counted is on the scripts in their layout (script_layout.h), in one run or in a whole search: there, each
// transition between two states is counted once, whichever way led to its state.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "lua/engine/line_watch.h"
#include "model/setup/setup.h"
#include "reports/diagrams/script_pair.h"
#include "reports/diagrams/script_view.h"
#include "sim/base/result.h"
#include "sim/trace.h"
#include "sim/trail/trail.h"
#include "tools/graph/script_layout.h"

namespace lockstep::tools {

/// Of a thousand steps each: as many as an engine without an overseer allows.
inline constexpr std::uint64_t script_portions_max = 10'000;

class HitCounter final : public lua::LineWatch {
 public:
  struct Hits {
    std::uint64_t runs = 0;
    std::map<int, std::uint64_t> lines;
    std::map<std::pair<int, int>, std::uint64_t> ways;  // from a line to the one after it; 0: the beginning
  };

  std::string laid_out(std::string_view body) override;
  void begin(std::string_view sha1, Kind kind) override;
  bool goes_on() override;
  void at_line(int line) override;

  /// Absent: it never ran.
  const Hits* find(const std::string& sha1) const;

 private:
  std::map<std::string, Hits, std::less<>> by_sha1_;
  Hits* current_ = nullptr;
  int last_ = 0;
  std::uint64_t portions_ = 0;  // of a thousand steps each, of the script that runs
};

struct CountOptions {
  bool unrun = false;    // also scripts that never ran
  bool lenient = false;  // a run that leaves its trail is counted so far, and its title says so
  std::optional<std::uint64_t> decisions_max{};  // of a run; its title says so if it would go on
};

/// Of what Lua gets of a script.
ScriptLayout layout_of(const lua::Script& script);

/// What it counted of the scripts of a scenario: those that ran, and if asked for the others behind them.
reports::CountedScripts counted_scripts(const model::Setup& setup, const HitCounter& counter,
                                        bool unrun = false);

struct CountedSearch {
  reports::CountedScripts counted;
  std::uint64_t states = 0, transitions = 0;
  bool complete = false;
};

struct CountedRun {
  reports::CountedScripts counted;
  std::uint64_t decisions = 0;
  sim::Trace trace;  // its events name lines of the layout
};

/// Of one run: what its scripts did, with the line that made the violating write.
sim::Result<CountedRun> count_run(const model::Setup& setup, const sim::Trail& trail,
                                  const CountOptions& how = {});
/// Of every transition between the states of an exhaustive search; red is the first counterexample's write.
CountedSearch count_search(const model::Setup& setup, std::uint64_t states_max, const CountOptions& how = {});

/// One script with the counts, for the caller that ran it.
reports::CountedScript counted_script(const lua::Script& script, const HitCounter& counter);

struct CountedPair {
  reports::PairedScripts scripts;
  bool complete = true;  // neither search was cut
};

/// The same of two versions: of one run in both, if there is a trail, else of two searches.
sim::Result<CountedPair> count_pair(const model::Setup& a, const model::Setup& b, const sim::Trail* trail,
                                    std::uint64_t states_max);

}  // namespace lockstep::tools
