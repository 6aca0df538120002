// script_mutants.h: one script with one mistake each, made on its syntax.
//
//   a command        dropped, repeated, or before the one in front of it
//   a condition      negated, always true, never true; one side of `and`, `or` dropped; > for >=, ~= for ==
//   a key            another KEYS[i], or another name where there is but one
//   an argument      another ARGV[i]
//   an amount        one more, one less; true for false; `return 0` for `return nil`
//
// Lines stay where they are. The order is that of the places in the script.
#pragma once

#include <string>
#include <vector>

#include "lua/scripts/script_set.h"
#include "sim/base/result.h"

namespace lockstep::tools {

struct ScriptMutant {
  std::size_t line = 0, column = 0;
  std::string what;  // "'pexpire' dropped"
  std::string text;  // of the whole script
  bool operator==(const ScriptMutant&) const = default;
};

/// No two have the same text, and none has that of the script.
sim::Result<std::vector<ScriptMutant>> script_mutants(const lua::Script& script);

}  // namespace lockstep::tools
