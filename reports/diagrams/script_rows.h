// script_rows.h: what a line of a counted script says, for the views of one script and of two beside each
// other.
#pragma once

#include <string>

#include "reports/diagrams/script_view.h"

namespace lockstep::reports {

/// "yes 12 · no 3"; an outcome that never came says so.
std::string branch_text(const CountedBranch& branch);
/// It ran, and one outcome of its `if` never came.
bool is_half(const CountedLine& line);
std::string code_text(const CountedLine& line);
/// With its indentation, for a terminal.
std::string indented_code(const CountedLine& line);
/// How often it ran; "never" of code that did not, nothing of what is no code.
std::string hits_text(const CountedLine& line);
std::string broken_text(const CountedLine& line);
std::string script_heading(const CountedScript& script);
std::string script_origin(const CountedScript& script);

}  // namespace lockstep::reports
