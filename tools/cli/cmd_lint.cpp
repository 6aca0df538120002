#include "tools/cli/cmd_lint.h"

#include <fmt/format.h>

#include "lua/scripts/departures.h"
#include "scenarios/format/lint.h"
#include "scenarios/format/normalise.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"

namespace lockstep::tools {

namespace {

/// A script that does something else here than on a server.
std::optional<std::string> departing_script(const model::Setup& setup) {
  for (const auto& [role, script] : setup.scripts.roles)
    if (const auto departure = lua::departure_in(script.text))
      return fmt::format("the script of `{}`, {}", role, *departure);
  return std::nullopt;
}

ExitCode run_lint(const LintOptions& options, Session& session) {
  std::string text;
  bool faultless = true;
  for (const std::string& word : options.scenarios) {
    const auto setup = load_scenario(word, {});
    if (!setup) {
      complain(session, setup.problem());
      faultless = false;
    } else if (const auto departure = departing_script(*setup)) {
      complain(session, sim::Problem{word + ": " + *departure});
      faultless = false;
    } else if (options.print_normalised) {
      if (options.scenarios.size() > 1) text += fmt::format("{}# {}\n", text.empty() ? "" : "\n", word);
      text += scenarios::normalised(*setup);
    } else {
      text += fmt::format("{}: ok\n", word);
      for (const std::string& warning : scenarios::warnings(*setup))
        session.console.err << fmt::format("{}: warning: {}\n", word, warning);
    }
  }
  const bool to_file = !session.global.out_file.empty() && session.global.out_file != "-";
  if (!faultless && to_file) return ExitCode::usage;  // half a result is not left under its final name
  if (const auto problem = deliver(session.global.out_file, text, session.console.out))
    return complain(session, *problem);
  return faultless ? ExitCode::as_expected : ExitCode::usage;
}

void declare_lint(Grammar& grammar, LintOptions& o) {
  grammar.words("SCENARIO", o.scenarios, "scenario files, or names of built-in ones");
  grammar.choice<bool>("--print", o.print_normalised, {{"normalised", true}},
                       "print the scenario with every default written out");
}

}  // namespace

Verb lint_verb() {
  return {.name = "lint",
          .summary = "check scenario files without running them",
          .usage = "SCENARIO…",
          .examples = {"lockstep lint scenarios/plain/*.toml", "lockstep lint two.toml --print normalised"},
          .required = {"SCENARIO"},
          .request = requests<LintOptions>({declare_lint, run_lint})};
}

}  // namespace lockstep::tools
