// cmd_diff.h: `lockstep diff A B` says whether two sets of lock scripts can be told apart, and by
// which calls.
//
// A limit that was reached, and a changed script that no call sends, make the answer unknown, never "the
// same".
#pragma once

#include <cstdint>
#include <string>

#include "tools/cli/verb.h"

namespace lockstep::tools {

struct DiffOptions {
  std::string a, b;  // SET, DIR, ROLE=FILE[,ROLE=FILE…]
  std::uint64_t states_max = 50'000;
  Format format = Format::human;
};

Verb diff_verb();

}  // namespace lockstep::tools
