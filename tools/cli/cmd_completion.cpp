#include "tools/cli/cmd_completion.h"

#include "tools/cli/output.h"

namespace lockstep::tools {

namespace {

ExitCode run_completion(const CompletionOptions& options, Session& session) {
  const std::string script = completion_for(options.shell);
  if (const auto problem = deliver(session.global.out_file, script, session.console.out))
    return complain(session, *problem);
  return ExitCode::as_expected;
}

void declare_completion(Grammar& grammar, CompletionOptions& o) {
  grammar.choice<Shell>("SHELL", o.shell, {{"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}},
                        "which shell: bash, zsh or fish");
}

}  // namespace

Verb completion_verb() {
  return {.name = "completion",
          .summary = "print a script that completes commands in a shell",
          .usage = "bash|zsh|fish",
          .examples = {"lockstep completion bash -o ~/.local/share/bash-completion/completions/lockstep",
                       "lockstep completion fish"},
          .required = {"SHELL"},
          .request = requests<CompletionOptions>({declare_completion, run_completion})};
}

}  // namespace lockstep::tools
