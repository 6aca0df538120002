// cmd_compare.h: `lockstep compare [SCHEMES…]` asks lock schemes the same questions, and shows a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/verb.h"
#include "tools/compare/compared.h"

namespace lockstep::tools {

struct CompareOptions {
  std::vector<std::string> schemes;  // none: all that there are
  std::optional<std::uint64_t> states_max;
  CompareForm form = CompareForm::table;
};

Verb compare_verb();

}  // namespace lockstep::tools
