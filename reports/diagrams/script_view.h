// script_view.h: scripts with a count for each line and for both outcomes of each `if`.
//
// A line that was never reached is marked, and so is an outcome that never came; the line that made the write
// after which a promise was broken is red. What was counted is for the caller to say (a run, a search), and
// stands in the title. A count is of times, never of states.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/diagrams/drawing.h"

namespace lockstep::reports {

struct CountedBranch {
  std::uint64_t taken = 0, not_taken = 0;
  bool operator==(const CountedBranch&) const = default;
};

struct CountedLine {
  std::string text;
  int indent = 0;
  bool is_code = true;  // it can be reached
  std::uint64_t hits = 0;
  std::optional<CountedBranch> branch;  // of an `if`
  std::string broken;                   // the promise that was broken after the write that stands here
};

struct CountedScript {
  std::string role, file, sha1;
  std::uint64_t runs = 0;
  std::vector<CountedLine> lines;
};

struct CountedScripts {
  std::string title;  // lines parted by '\n'
  std::vector<CountedScript> scripts;
};

Drawing script_drawing(const CountedScripts& counted);
/// The same for a terminal.
std::string script_text(const CountedScripts& counted);

}  // namespace lockstep::reports
