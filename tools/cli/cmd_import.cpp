#include "tools/cli/cmd_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "reports/files/trace_file.h"
#include "tools/cli/input.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
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

ExitCode run_import(const ImportOptions& options, Session& session) {
  return options.from == ImportFrom::java ? import_java(options, session) : import_monitor(options, session);
}

void declare_import(Grammar& grammar, ImportOptions& o) {
  grammar.word("PATH", o.path,
               "java: a checkout, any folder with its sources, or one file; redis-monitor: what `redis-cli "
               "MONITOR` printed (-: standard input)");
  grammar.choice<ImportFrom>("--from", o.from,
                             {{"java", ImportFrom::java}, {"redis-monitor", ImportFrom::redis_monitor}},
                             "what PATH is");
  grammar.text("--name", o.name, "NAME", "java: the name of the set");
  grammar.text("--scripts", o.scripts, "SET|DIR",
               "redis-monitor: scripts to know beside those of the program");
  grammar.format(o.format, "what to print: the report for people, or all that was found");
}

std::string complaint_about_import(const ImportOptions& o) {
  if (o.from == ImportFrom::nothing) return "--from is missing: `--from java` or `--from redis-monitor`";
  if (o.name.empty() || o.name.find_first_of("+=# \t\n/\"\\") != std::string::npos)
    return "--name wants a word without blanks and without + = # / \" \\";
  if (o.from == ImportFrom::java && !o.scripts.empty()) return "--scripts belongs to --from redis-monitor";
  return "";
}

}  // namespace

Verb import_verb() {
  return {.name = "import",
          .summary = "make a script set of a client's sources, or a trace of the log of a real server",
          .usage = "--from java|redis-monitor PATH [-o DIR|FILE]",
          .examples = {"lockstep import --from java redisson -o my-redisson",
                       "lockstep import --from java redisson --format json",
                       "lockstep import --from redis-monitor monitor.log -o log.jsonl"},
          .required = {"PATH"},
          .request = requests<ImportOptions>({declare_import, run_import, complaint_about_import})};
}

}  // namespace lockstep::tools
