// cmd_completion.h: `lockstep completion bash|zsh|fish` prints a script that completes words in that shell.
#pragma once

#include "tools/cli/verb.h"
#include "tools/manual/completion.h"

namespace lockstep::tools {

struct CompletionOptions {
  Shell shell = Shell::bash;
};

Verb completion_verb();

}  // namespace lockstep::tools
