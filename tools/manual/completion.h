// completion.h: scripts that complete the words of a lockstep command line, for three shells.
//
// They are written from the table of verbs and their options, so they know what the program knows: verbs,
// options, the words that an option takes, topics of help, and the scenarios that come with the program.
// Where a file may stand, the shell completes files by itself.
#pragma once

#include <string>

namespace lockstep::tools {

enum class Shell { bash, zsh, fish };

std::string completion_for(Shell shell);

}  // namespace lockstep::tools
