#include "tools/cli/cmd_diff.h"

#include <fmt/format.h>

#include "lua/engine/engine.h"
#include "reports/text/text.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "tools/diff/compare_scripts.h"

namespace lockstep::tools {

namespace {

ExitCode exit_for(reports::Compared outcome) {
  switch (outcome) {
    case reports::Compared::same:
      return ExitCode::as_expected;
    case reports::Compared::differ:
      return ExitCode::different;
    case reports::Compared::unknown:
      return ExitCode::unknown;
  }
  return ExitCode::internal;
}

/// Replacements are of the other side's set, if it names one.
sim::Result<lua::ScriptSet> side_of(const std::string& word, const std::string& other,
                                    const scenarios::ScriptLibrary& library) {
  auto set = named_scripts(word, is_replacement(other) ? "" : other, library);
  if (!set) return sim::Problem{fmt::format("{}: {}", reports::printable(word), set.problem().text)};
  lua::Engine engine;
  for (const auto& [role, script] : set->roles)
    if (const lua::Reply compiled = engine.load(script.text); compiled.error() != nullptr)
      return sim::Problem{fmt::format("{}: the script of role `{}`, {}, does not compile: {}",
                                      reports::printable(word), role, script.file, compiled.error()->text)};
  return set;
}

ExitCode diff_scripts(const DiffOptions& asked, Session& session) {
  const auto library = script_library();
  if (!library) return complain(session, library.problem());
  const auto a = side_of(asked.a, asked.b, *library);
  if (!a) return complain(session, a.problem());
  const auto b = side_of(asked.b, asked.a, *library);
  if (!b) return complain(session, b.problem());
  reports::ScriptDiff diff = compare_scripts(*a, *b, {.states_max = asked.states_max});
  diff.a = reports::printable(asked.a);
  diff.b = reports::printable(asked.b);
  session.console.out << (asked.format == Format::json ? reports::diff_json(diff) : reports::diff_text(diff));
  return exit_for(outcome_of(diff));
}

ExitCode run_diff(const DiffOptions& asked, Session& session) { return diff_scripts(asked, session); }

void declare_diff(Grammar& grammar, DiffOptions& o) {
  grammar.word("A", o.a, "a script set: SET, DIR, or ROLE=FILE pairs with commas between them");
  grammar.word("B", o.b, "what it is compared with");
  grammar.count("--max-states", o.states_max,
                "limit: pairs of states to store for each kind of lock (50000)");
  grammar.format(o.format, "how to print the result");
}

}  // namespace

Verb diff_verb() {
  return {.name = "diff",
          .summary = "say whether two sets of lock scripts can be told apart, and by which calls",
          .usage = "A B",
          .examples = {"lockstep diff redisson@3.10.5 redisson@3.12.3",
                       "lockstep diff redisson@3.10.5 unlock=my-unlock.lua"},
          .required = {"A", "B"},
          .request = requests<DiffOptions>({declare_diff, to_output<run_diff>})};
}

}  // namespace lockstep::tools
