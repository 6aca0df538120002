// trail.h: the decisions of one run as a text file, which is stored, replayed, shrunk, edited by hand and
// gated on.
//
//   lockstep-trail 1
//   lines    = 11
//   scenario = failover/master-dies-before-replication
//   file     = ./failover.toml
//   digest   = 3f9c0a…
//   scripts  = redisson@3.10.5+unlock
//   script   = unlock 5f1e… fixed/unlock.lua
//   property = mutual-exclusion
//   verdict  = violated
//   then     = default until 41
//
//   # the master dies before the write has reached the replica
//   @12 5/6 crash-node R0
//   @13 2/4 promote R1
//
// A decision is `@STEP CHOSEN/ARITY MOVE`: at this step (the first is 1) the move at place CHOSEN (from 0) of
// a list of ARITY was taken. `?` instead of CHOSEN/ARITY takes the move wherever it stands. Without @STEP it
// is the step after the one before. At a step that no line speaks of the *default* is taken: the first move
// of the list (policy.h). So a full trail lists every step and is strict throughout, and a shrunk one lists
// the deviations only; both stand for exactly one run.
//
// `file` is where the scenario was read from, unless its name says that. `lines` is how many lines follow it,
// so that a file that was cut off is seen; what is written by hand may leave it out. Each `script` is a role,
// the SHA1 of the script that served in it, and the file that it was read from.
//
// `then` says what follows the last line: `stop` ends the run, `default until N` goes on with the default
// schedule through step N, and `default` until the run ends by itself. Lines that begin with `#` are
// comments. The text of a move is the system's own (System::show); this file does not know what it means,
// and so is no template. Moves and header values have no line breaks and no spaces at their ends.
//
// A byte order mark in front is skipped. Errors: parse_trail answers one sentence with file and line
// ("trail.txt:7: …"); it refuses files that are binary, empty, or beyond trail_bytes_max.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"

namespace lockstep::sim {

inline constexpr int trail_format = 1;
inline constexpr std::size_t trail_bytes_max = 64u << 20;

/// Which of how many moves was taken.
struct Choice {
  std::uint32_t index = 0;
  std::uint32_t arity = 0;
  bool operator==(const Choice&) const = default;
};

/// Where something stands in its file, from 1; 0 in a trail that was not read. All are equal.
struct FileLine {
  std::size_t number = 0;
  bool operator==(const FileLine&) const { return true; }
};

struct TrailLine {
  std::size_t step = 0;
  std::optional<Choice> choice;  // absent: wherever the move stands
  std::string move;
  FileLine at{};
  bool operator==(const TrailLine&) const = default;
};

/// What follows the last line.
struct Then {
  bool by_default = false;           // the default schedule; otherwise the run ends there
  std::optional<std::size_t> until;  // its last step; absent: until the run ends by itself
  bool operator==(const Then&) const = default;
};

/// A script that was run; the source is empty if its file's name cannot stand in a line.
struct TrailScript {
  std::string role, sha1, source;
  bool operator==(const TrailScript&) const = default;
};

struct Trail {
  std::string scenario;          // its name
  std::string scenario_file;     // as it was named; empty: the scenario's name tells
  std::string scenario_digest;   // of the scenario's text; empty: not recorded
  std::string scripts;           // the script set that was run
  std::string property;          // what the trail shows; empty: nothing in particular
  std::string verdict;           // of that property in this run: "violated", "passed"
  std::vector<TrailLine> lines;  // steps ascend
  Then then;
  std::vector<TrailScript> used{};  // the scripts of the set; roles ascend
  FileLine scenario_at{}, scripts_at{}, property_at{}, verdict_at{};
  bool operator==(const Trail&) const = default;
};

/// Whether a text can stand in a line: no control bytes, no blanks at its ends.
bool fits_in_trail(std::string_view text);

/// The file's text. Steps are written where some are left out, so that a full trail stays easy to edit.
std::string text_of(const Trail& trail);

/// By its first word.
bool looks_like_trail(std::string_view text);

/// Reads a trail; `name` is what an error calls the file.
Result<Trail> parse_trail(std::string_view text, std::string_view name);

/// One decision as a line of a trail has it, or its move alone, which is taken wherever it stands; `previous`
/// is the step of the line before.
Result<TrailLine> parse_decision(std::string_view text, std::size_t previous);

}  // namespace lockstep::sim
