#include "tools/cli/cmd_diff.h"

#include <fmt/format.h>

#include <filesystem>

#include "lua/engine/engine.h"
#include "reports/compare/result_diff.h"
#include "reports/compare/trace_diff.h"
#include "reports/files/trace_file.h"
#include "reports/result/result_reader.h"
#include "reports/text/text.h"
#include "tools/cli/input.h"
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
  reports::ScriptDiff diff =
      compare_scripts(*a, *b, {.states_max = asked.states_max,
                               .kinds = {},
                               .lines = asked.lines,
                               .reading = {asked.as_read ? Replies::as_read : Replies::as_sent, {}}});
  diff.a = reports::printable(asked.a);
  diff.b = reports::printable(asked.b);
  session.console.out << (asked.format == Format::json ? reports::diff_json(diff) : reports::diff_text(diff));
  return exit_for(outcome_of(diff));
}

ExitCode diff_traces(const DiffOptions& asked, const std::string& bytes_a, const std::string& bytes_b,
                     Session& session) {
  const auto a = reports::read_trace(bytes_a, asked.a);
  if (!a) return complain(session, a.problem());
  const auto b = reports::read_trace(bytes_b, asked.b);
  if (!b) return complain(session, b.problem());
  const auto compared = [&](const std::string& actor) {
    reports::TraceDiff diff = reports::compare_traces(*a, *b, actor);
    diff.a = reports::printable(asked.a);
    diff.b = reports::printable(asked.b);
    return diff;
  };
  const reports::TraceDiff whole = compared("");
  const reports::TraceDiffTextOptions shown{.lines_max = asked.only_counts ? 0 : asked.lines_max};
  if (asked.format == Format::json) session.console.out << reports::trace_diff_json(whole);
  else if (!asked.by_actor) session.console.out << reports::trace_diff_text(whole, shown);
  else
    for (const std::string& actor : reports::actors_of(*a, *b))
      session.console.out << reports::printable(actor) << "\n"
                          << reports::trace_diff_text(compared(actor), shown) << "\n";
  return whole.in.empty() ? ExitCode::as_expected : ExitCode::different;
}

ExitCode diff_results(const DiffOptions& asked, const std::string& bytes_a, const std::string& bytes_b,
                      Session& session) {
  const auto a = reports::read_results(bytes_a, asked.a);
  if (!a) return complain(session, a.problem());
  const auto b = reports::read_results(bytes_b, asked.b);
  if (!b) return complain(session, b.problem());
  reports::ResultDiff diff = reports::compare_results(*a, *b);
  diff.a = reports::printable(asked.a);
  diff.b = reports::printable(asked.b);
  session.console.out << (asked.format == Format::json ? reports::result_diff_json(diff)
                                                       : reports::result_diff_text(diff));
  return reports::differ(diff) ? ExitCode::different : ExitCode::as_expected;
}

bool is_file(const std::string& word) {
  std::error_code ignored;
  const bool there = std::filesystem::exists(word, ignored);
  return there && !std::filesystem::is_directory(word, ignored);
}

/// A word that names a file is of a trace or a result; any other word names scripts.
ExitCode run_diff(const DiffOptions& asked, Session& session) {
  const bool a_is_file = is_file(asked.a), b_is_file = is_file(asked.b);
  if (!a_is_file && !b_is_file) return diff_scripts(asked, session);
  if (a_is_file != b_is_file)
    return complain(session, {fmt::format("{} is a file, and {} is none: compare two traces, two results, or "
                                          "two sets of scripts (a script of your own is ROLE=FILE)",
                                          reports::printable(a_is_file ? asked.a : asked.b),
                                          reports::printable(a_is_file ? asked.b : asked.a))});
  const auto a = read_input(asked.a);
  if (!a) return complain(session, a.problem());
  const auto b = read_input(asked.b);
  if (!b) return complain(session, b.problem());
  const bool a_is_trace = reports::looks_like_trace(*a), b_is_trace = reports::looks_like_trace(*b);
  if (a_is_trace && b_is_trace) return diff_traces(asked, *a, *b, session);
  if (!a_is_trace && !b_is_trace) return diff_results(asked, *a, *b, session);
  return complain(session, {fmt::format("{} is a trace, and {} is none; a trace is compared with a trace",
                                        reports::printable(a_is_trace ? asked.a : asked.b),
                                        reports::printable(a_is_trace ? asked.b : asked.a))});
}

void declare_diff(Grammar& grammar, DiffOptions& o) {
  grammar.word("A", o.a,
               "a trace; a result of check --format json; or scripts: SET, DIR, or ROLE=FILE pairs with "
               "commas between them");
  grammar.word("B", o.b, "what it is compared with");
  grammar.count("--max-states", o.states_max,
                "limit: pairs of states to store for each kind of lock (50000)");
  grammar.flag("--by-actor", o.by_actor, "traces: what each actor saw, one after another");
  grammar.flag("--stat", o.only_counts, "traces: only say in what they differ");
  grammar.flag("--lines", o.lines,
               "scripts: the lines of both beside each other, with how often the search ran each");
  grammar.flag("--as-read", o.as_read, "scripts: compare what clients read in replies, not the replies");
  grammar.count("--max-lines", o.lines_max, "traces: how many lines to show of what differs (40)");
  grammar.format(o.format, "how to print the result");
}

}  // namespace

Verb diff_verb() {
  return {.name = "diff",
          .summary = "compare two sets of lock scripts by all that calls lead to, two traces, or two results",
          .usage = "A B",
          .examples = {"lockstep diff redisson@3.10.5 redisson@3.12.3",
                       "lockstep diff redisson@3.10.5 unlock=my-unlock.lua",
                       "lockstep diff redisson@3.10.5 redisson@3.12.3 --lines",
                       "lockstep diff before.jsonl after.jsonl"},
          .required = {"A", "B"},
          .request = requests<DiffOptions>({declare_diff, to_output<run_diff>})};
}

}  // namespace lockstep::tools
