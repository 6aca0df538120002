// selected.h: the scenarios that the words of a command line select.
//
// A word is a file, a folder (the scenarios in it and below), the name of a built-in one, or a pattern with
// `*`, `?` or `[` of files or of such names. A [matrix] stands for all that it makes.
#pragma once

#include <string>
#include <vector>

#include "sim/base/result.h"

namespace lockstep::tools {

/// In the order of the words; only those whose name holds `part`. A pattern or folder that none is like or in
/// is a mistake beside words that select some; where nothing is selected at all, that is the answer.
sim::Result<std::vector<std::string>> selected_scenarios(const std::vector<std::string>& words,
                                                         const std::string& part = "");

/// Says that nothing was selected.
std::string nothing_selected(const std::vector<std::string>& words, const std::string& part = "");

/// All that are built in.
std::vector<std::string> built_in_scenarios();

}  // namespace lockstep::tools
