#include "tools/cli/cmd_lint.h"

#include <fmt/format.h>

#include <filesystem>

#include "lua/scripts/departures.h"
#include "properties/check/lattice.h"
#include "scenarios/format/lint.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/print_json.h"
#include "tools/cli/input.h"
#include "tools/cli/load.h"
#include "tools/cli/mended.h"
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

constexpr int fixes_max = 100;  // in one file

/// Writes the file anew with its misspelt words put right, if there are any, and says which. What is wrong
/// beside them is found afterwards.
std::optional<sim::Problem> fix(const std::string& word, Session& session) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(word, ignored)) return std::nullopt;  // a built-in one, or no file
  const auto library = script_library();
  if (!library) return library.problem();
  auto text = read_input(word, scenario_bytes_max);
  if (!text) return text.problem();
  std::string told;
  for (int i = 0; i < fixes_max; ++i) {
    const auto setup = scenarios::read_scenario(*text, word, beside(*library, word), vocabulary());
    // What is wrong in an included file is not mended here.
    const bool here = !setup && setup.problem().text.find("  --> " + word + ":") != std::string::npos;
    const auto better = here ? mended(*text, setup.problem()) : std::nullopt;
    if (!better) break;
    told += fmt::format("{}:{}: `{}` is `{}` now\n", word, better->line, better->wrong, better->right);
    text = better->text;
  }
  if (told.empty()) return std::nullopt;
  if (auto problem = write_file(word, *text)) return problem;
  session.console.err << told;
  return std::nullopt;
}

/// What there is to say of one scenario, on standard output or as complaints; whether it is faultless.
bool lint_one(const std::string& word, const LintOptions& options, bool alone, std::string& text,
              Session& session) {
  const auto setup = load_scenario(word, {});
  if (!setup) {
    complain(session, setup.problem());
    return false;
  }
  if (const auto departure = departing_script(*setup)) {
    complain(session, sim::Problem{word + ": " + *departure});
    return false;
  }
  if (options.print == LintPrint::json) {
    text += (alone || text.empty() ? "" : ",\n") + scenarios::normalised_json(*setup);
    if (!alone) text.pop_back();
    return true;
  }
  if (options.print == LintPrint::normalised) {
    if (!alone) text += fmt::format("{}# {}\n", text.empty() ? "" : "\n", word);
    text += scenarios::normalised(*setup);
    return true;
  }
  text += fmt::format("{}: ok\n", word);
  for (const std::string& warning : scenarios::warnings(*setup))
    session.console.err << fmt::format("{}: warning: {}\n", word, warning);
  if (setup->exact && !properties::lattice_of(*setup))
    session.console.err << fmt::format(
        "{}: warning: grain = \"exact\" comes down to every millisecond here "
        "(`lockstep help time-and-network` says when); a search of those may have no end\n",
        word);
  return true;
}

ExitCode run_lint(const LintOptions& options, Session& session) {
  std::string text;
  bool faultless = true, alone = options.scenarios.size() == 1;
  for (const std::string& word : options.scenarios) {
    if (const auto not_fixed = options.fix ? fix(word, session) : std::nullopt) {
      complain(session, *not_fixed);
      faultless = false;
      continue;
    }
    const std::vector<std::string> instances = instances_of(word);
    alone = alone && instances.size() == 1;
    for (const std::string& instance : instances)
      if (!lint_one(instance, options, alone, text, session)) faultless = false;
  }
  if (options.print == LintPrint::json && !alone) text = "[\n" + text + "\n]\n";
  const bool to_file = !session.global.out_file.empty() && session.global.out_file != "-";
  if (!faultless && to_file) return ExitCode::usage;  // half a result is not left under its final name
  if (const auto problem = deliver(session.global.out_file, text, session.console.out))
    return complain(session, *problem);
  return faultless ? ExitCode::as_expected : ExitCode::usage;
}

void declare_lint(Grammar& grammar, LintOptions& o) {
  grammar.words("SCENARIO", o.scenarios, "scenario files, or names of built-in ones");
  grammar.choice<LintPrint>("--print", o.print,
                            {{"normalised", LintPrint::normalised}, {"json", LintPrint::json}},
                            "print the scenario as it was read, most defaults written out, also as JSON");
  grammar.flag("--fix", o.fix,
               "put misspelt words right where it is known which are meant, in the file itself");
}

}  // namespace

Verb lint_verb() {
  return {.name = "lint",
          .summary = "check scenario files without running them",
          .usage = "SCENARIO…",
          .examples = {"lockstep lint scenarios/plain/*.toml", "lockstep lint two.toml --print normalised",
                       "lockstep lint two.toml --print json",
                       "lockstep lint two.toml --fix"},
          .required = {"SCENARIO"},
          .request = requests<LintOptions>({declare_lint, run_lint})};
}

}  // namespace lockstep::tools
