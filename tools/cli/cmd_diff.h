// cmd_diff.h: `lockstep diff A B` compares two sets of lock scripts, two traces, or two results of checks.
//
// What the words name decides: files are read as traces or results, anything else is scripts. Of scripts, a
// limit that was reached, and a changed script that no call sends, make the answer unknown, never "the
// same".
#pragma once

#include <cstdint>
#include <string>

#include "tools/cli/verb.h"

namespace lockstep::tools {

struct DiffOptions {
  std::string a, b;  // a file, or SET, DIR, ROLE=FILE[,ROLE=FILE…]
  std::uint64_t states_max = 50'000;
  bool by_actor = false, only_counts = false;  // of traces
  bool lines = false;    // of scripts: beside each other, with counts
  bool as_read = false;  // of scripts: replies by what clients read in them
  std::uint64_t lines_max = 40;
  Format format = Format::human;
};

Verb diff_verb();

}  // namespace lockstep::tools
