// script_layout.h: a Lua script with one statement on each line, so that lines can be counted.
//
// The scripts that clients send are one line each. Laid out, the words are the same and stand in the same
// order; only line ends and spaces between them differ (and a `break` directly behind `then` stands in a
// block of its own in `code`, because Lua makes no instruction of it otherwise). A text that is no Lua is
// laid out somehow and does not compile, as before.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::tools {

struct LaidOutLine {
  std::string text;  // without its indentation
  int indent = 0;
  int source_line = 1;   // where it began in the script as it is
  bool is_code = false;  // Lua makes instructions of it: no comment, and more than `end` or `else`
};

/// The two outcomes of an `if` or an `elseif`. Lines are counted from 1, as Lua counts them.
struct LaidOutBranch {
  int first = 0, last = 0;            // of the condition
  int body_first = 0, body_last = 0;  // what comes next if it holds is one of these; none if last < first
};

/// The lines of the body of a function.
struct LaidOutFunction {
  int first = 0, last = 0;
};

struct ScriptLayout {
  std::vector<LaidOutLine> lines;
  std::vector<LaidOutBranch> branches;
  std::vector<LaidOutFunction> functions;  // in the order in which they begin
  std::string code;  // what Lua gets, with the same lines
};

ScriptLayout lay_out(std::string_view script);

}  // namespace lockstep::tools
