#include "tools/cli/cmd_compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/cli/output.h"
#include "tools/cli/work_watch.h"

namespace lockstep::tools {

namespace {

sim::Result<std::vector<Contestant>> chosen(const CompareOptions& options) {
  if (options.schemes.empty()) return usual_contestants();
  std::vector<Contestant> all;
  for (const std::string& word : options.schemes) {
    auto found = contestants_of(word);
    if (!found) return found.problem();
    for (Contestant& one : *found) {
      const auto same = [&](const Contestant& other) { return other.name == one.name; };
      if (std::any_of(all.begin(), all.end(), same))
        return sim::Problem{fmt::format("two schemes are called `{}`", one.name)};
      all.push_back(std::move(one));
    }
  }
  return all;
}

ExitCode run_compare(const CompareOptions& options, Session& session) {
  const auto contestants = chosen(options);
  if (!contestants) return complain(session, contestants.problem());
  AskingLimits limits;
  limits.pages = options.form == CompareForm::html;
  limits.states_max = options.states_max.value_or(limits.states_max);
  std::vector<ComparedRow> rows;
  const InterruptWatch interrupt;
  for (const Contestant& one : *contestants) {
    if (InterruptWatch::interrupted()) return ExitCode::interrupted;
    if (!session.console.quiet) session.console.err << fmt::format("{} …\n", one.name) << std::flush;
    auto row = compare_one(one, limits, session.global.out_dir);
    if (!row) return complain(session, row.problem());
    rows.push_back(*std::move(row));
  }
  if (const auto problem =
          deliver(session.global.out_file, comparison(rows, limits, options.form), session.console.out))
    return complain(session, *problem);
  return ExitCode::as_expected;
}

void declare_compare(Grammar& grammar, CompareOptions& o) {
  grammar.words("SCHEMES", o.schemes, "schemes by name, or files of them (all that there are)");
  grammar.count("--max-states", o.states_max, "states that are searched for each cell (120000)");
  grammar.choice<CompareForm>("--format", o.form,
                              {{"table", CompareForm::table},
                               {"markdown", CompareForm::markdown},
                               {"json", CompareForm::json},
                               {"html", CompareForm::html}},
                              "how to print it");
}

}  // namespace

Verb compare_verb() {
  return {.name = "compare",
          .summary = "ask lock schemes the same questions, in a table",
          .usage = "[SCHEMES…]",
          .examples = {"lockstep compare set-nx-px --max-states 500",
                       "lockstep compare set-nx-px-del --format markdown --max-states 500"},
          .request = requests<CompareOptions>({declare_compare, run_compare})};
}

}  // namespace lockstep::tools
