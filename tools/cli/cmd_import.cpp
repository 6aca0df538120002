#include "tools/cli/cmd_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "reports/files/trace_file.h"
#include "sim/base/amount.h"
#include "sim/base/byte_order_mark.h"
#include "tools/cli/input.h"
#include "tools/cli/load.h"
#include "reports/text/text.h"
#include "tools/cli/output.h"
#include "tools/history/taken_in.h"
#include "tools/import/java_tree.h"
#include "tools/import/log/imported_log.h"

namespace lockstep::tools {

namespace {

ExitCode import_java(const ImportOptions& options, Session& session) {
  if (session.global.out_file == "-")
    return complain(session, {"-o - is standard output, and a script set is a folder; name one"});
  const auto program = read_java(options.path);
  if (!program) return complain(session, program.problem());
  const std::vector<FoundScript> found = find_scripts(*program);
  const Placement placement = place_scripts(found, model::shipped_kinds());
  const std::string& directory = session.global.out_file;
  const bool write = !directory.empty() && !placement.placed.empty();
  if (write) {
    const auto files = imported_files(options.name, found, placement);
    if (!files) return complain(session, files.problem());
    if (const auto problem = write_directory(directory, *files)) return complain(session, *problem);
  }
  std::string report =
      options.format == Format::json ? import_record(found, placement) : import_report(found, placement);
  if (options.format == Format::human) {
    if (write) report += fmt::format("written: {}\n", directory);
    else if (!directory.empty()) report += "nothing is written: no script has a place here\n";
  }
  session.console.out << report;
  return placement.placed.empty() ? ExitCode::vacuous : ExitCode::as_expected;
}

ExitCode exit_for(const ImportedLog& imported) {
  if (imported.scripts == 0) return ExitCode::vacuous;
  const auto any = [&](LogAnswer answer) {
    return std::any_of(imported.verdicts.begin(), imported.verdicts.end(),
                       [&](const LogVerdict& one) { return one.answer == answer; });
  };
  if (any(LogAnswer::violated)) return ExitCode::different;
  return any(LogAnswer::unknown) ? ExitCode::unknown : ExitCode::as_expected;
}

ExitCode import_monitor(const ImportOptions& options, Session& session) {
  const auto bytes = read_input(options.path);
  if (!bytes) return complain(session, bytes.problem());
  const auto library = script_library();
  if (!library) return complain(session, library.problem());
  std::optional<lua::ScriptSet> of_user;
  if (!options.scripts.empty()) {
    auto set = scenarios::find_script_set(options.scripts, *library);
    if (!set) return complain(session, {"--scripts: " + set.problem().text});
    of_user = *std::move(set);
  }
  const auto log = read_monitor_log(*bytes, options.path);
  if (!log) return complain(session, log.problem());
  ImportedLog imported = import_log(*log, *library, of_user ? &*of_user : nullptr);
  imported.trace.scenario = "log " + std::filesystem::path(options.path).filename().string();
  const std::string& file = session.global.out_file;
  const bool to_output = file == "-";
  if (!file.empty())
    if (const auto problem = deliver(file, reports::write_trace(imported.trace), session.console.out))
      return complain(session, *problem);
  if (!to_output)
    session.console.out << (options.format == Format::json ? log_json(imported, *log, options.path)
                                                           : log_text(imported, *log, options.path));
  if (!file.empty() && !to_output && options.format == Format::human)
    session.console.out << fmt::format("  written    {}\n", file);
  return exit_for(imported);
}

sim::Result<TakenIn> history_in(const ImportOptions& options) {
  const auto bytes = read_input(options.path);
  if (!bytes) return bytes.problem();
  const std::string_view text = sim::without_mark(*bytes);
  if (options.from == ImportFrom::ndjson) {
    const auto map = options.map.empty() ? sim::Result<std::string>(std::string()) : read_input(options.map);
    if (!map) return map.problem();
    return taken_in_json_lines(text, options.path, *map, options.map);
  }
  auto events = parse_jepsen(text, options.path);
  if (!events) return events.problem();
  return TakenIn{*std::move(events), 0};
}

std::string history_report(const std::string& file, const histories::History& history,
                           std::uint64_t left_out) {
  std::set<std::string> locks;
  std::set<histories::Thread> threads;
  std::uint64_t open = 0;
  for (const histories::Operation& one : history.operations) {
    locks.insert(one.lock);
    threads.insert(one.thread);
    open += one.end ? 0 : 1;
  }
  std::string text =
      fmt::format("{}: {} by {} of {}\n", reports::printable(file),
                  sim::amount(history.operations.size(), "call"),
                  sim::amount(threads.size(), "thread"), sim::amount(locks.size(), "lock"));
  if (open > 0) text += fmt::format("  without an end  {}\n", open);
  if (left_out + history.left_out > 0)
    text += fmt::format("  left out        {} lines, {} calls that no lock is judged by\n", left_out,
                        history.left_out);
  return text;
}

/// A history is written if it is one: its calls can be put together.
ExitCode import_history(const ImportOptions& options, Session& session) {
  const auto taken = history_in(options);
  if (!taken) return complain(session, taken.problem());
  const auto history = history_of(taken->events, options.path);
  if (!history) return complain(session, history.problem());
  if (history->operations.empty()) {
    session.console.err << fmt::format("{}: there is no call of a lock in it\n",
                                       reports::printable(options.path));
    return ExitCode::vacuous;
  }
  const std::string& file = session.global.out_file;
  const std::string lines = history_lines(taken->events);
  if (const auto problem = deliver(file, lines, session.console.out)) return complain(session, *problem);
  const bool to_output = file.empty() || file == "-";
  std::string report = history_report(options.path, *history, taken->left_out);
  if (!to_output)
    report += fmt::format("  written         {0}\n  next            lockstep check-history {0} --lock KIND\n",
                          reports::shell_word(file));
  if (!session.console.quiet) (to_output ? session.console.err : session.console.out) << report;
  return ExitCode::as_expected;
}

ExitCode run_import(const ImportOptions& options, Session& session) {
  switch (options.from) {
    case ImportFrom::java:
      return import_java(options, session);
    case ImportFrom::redis_monitor:
      return import_monitor(options, session);
    case ImportFrom::jepsen_edn:
    case ImportFrom::ndjson:
      return import_history(options, session);
    case ImportFrom::nothing:
      break;
  }
  return ExitCode::internal;
}

void declare_import(Grammar& grammar, ImportOptions& o) {
  grammar.word("PATH", o.path,
               "java: a checkout, any folder with its sources, or one file; redis-monitor: what `redis-cli "
               "MONITOR` printed; jepsen-edn, ndjson: a history (-: standard input)");
  grammar.choice<ImportFrom>("--from", o.from,
                             {{"java", ImportFrom::java},
                              {"redis-monitor", ImportFrom::redis_monitor},
                              {"jepsen-edn", ImportFrom::jepsen_edn},
                              {"ndjson", ImportFrom::ndjson}},
                             "what PATH is");
  grammar.text("--map", o.map, "FILE",
               "ndjson: what its members and words are called (lockstep help histories)");
  grammar.text("--name", o.name, "NAME", "java: the name of the set");
  grammar.text("--scripts", o.scripts, "SET|DIR",
               "redis-monitor: scripts to know beside those of the program");
  grammar.format(o.format, "what to print: the report for people, or all that was found");
}

std::string complaint_about_import(const ImportOptions& o) {
  if (o.from == ImportFrom::nothing) return "--from is missing: java, redis-monitor, jepsen-edn or ndjson";
  if (o.name.empty() || o.name.find_first_of("+=# \t\n/\"\\") != std::string::npos)
    return "--name wants a word without blanks and without + = # / \" \\";
  if (o.from != ImportFrom::ndjson && !o.map.empty()) return "--map belongs to --from ndjson";
  const bool a_history = o.from == ImportFrom::jepsen_edn || o.from == ImportFrom::ndjson;
  if (a_history && o.format == Format::json) return "--format is for --from java and redis-monitor";
  if (o.from != ImportFrom::redis_monitor && !o.scripts.empty())
    return "--scripts belongs to --from redis-monitor";
  return "";
}

}  // namespace

Verb import_verb() {
  return {.name = "import",
          .summary = "make a script set of a client's sources, a trace of a real server's log, or a history",
          .usage = "--from java|redis-monitor|jepsen-edn|ndjson PATH [-o DIR|FILE]",
          .examples = {"lockstep import --from java redisson -o my-redisson",
                       "lockstep import --from java redisson --format json",
                       "lockstep import --from redis-monitor monitor.log -o log.jsonl",
                       "lockstep import --from jepsen-edn history.edn -o calls.jsonl"},
          .required = {"PATH"},
          .request = requests<ImportOptions>({declare_import, run_import, complaint_about_import})};
}

}  // namespace lockstep::tools
