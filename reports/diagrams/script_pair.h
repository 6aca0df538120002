// script_pair.h: two versions of scripts beside each other, line by line, with how often each side ran each.
//
// Scripts of one role are a pair. Lines with the same text stand in one row, as many as possible; between
// such rows what only one side has stands beside what only the other has. Pairs whose texts differ come
// first, then those of the same text that ran, and a changed script that ran on neither side is named, since
// nothing was seen of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/diagrams/drawing.h"
#include "reports/diagrams/script_view.h"

namespace lockstep::reports {

struct PairedRow {
  std::optional<std::size_t> a, b;  // places in the lines of both sides; at least one is there
  bool same = false;                // both have this text
};

struct ScriptPair {
  std::optional<CountedScript> a, b;
  std::vector<PairedRow> rows;
  bool same() const { return a && b && a->sha1 == b->sha1; }
};

struct PairedScripts {
  std::string a, b;   // what the sides are called, and what was counted; lines parted by '\n'
  std::vector<ScriptPair> scripts;
  std::vector<std::string> unrun;  // roles whose scripts differ and ran on neither side
};

/// The sides also hold scripts that never ran.
PairedScripts paired(const CountedScripts& a, const CountedScripts& b);

/// "=" both have the line, "|" each has another there, "<" only the first side has it, ">" only the second.
char mark_of(const PairedRow& row);

Drawing script_pair_drawing(const PairedScripts& pairs);
/// The same for a terminal.
std::string paired_text(const PairedScripts& pairs);

}  // namespace lockstep::reports
