// script_traces.h: everything that the scripts of lua/scripts do, as text, for comparing two builds of the
// engine.
#pragma once

#include <string>

namespace lockstep::lua {

/// For each script and each sequence of answers to its commands (up to a length): the commands, and the
/// reply. Then the replies of snippets that use what the dialect brings back. One line each.
std::string script_traces();

}  // namespace lockstep::lua
