// cmd_completion.h: `lockstep completion SHELL` prints what makes a shell complete commands, options and
// their values. It is made from the table of commands, so it knows what the program knows.
#pragma once

#include "tools/cli/verb.h"

namespace lockstep::tools {

enum class Shell { bash, zsh, fish };

struct CompletionOptions {
  Shell shell = Shell::bash;
};

std::string completion(Shell shell);

Verb completion_verb();

}  // namespace lockstep::tools
