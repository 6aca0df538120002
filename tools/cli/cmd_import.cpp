#include "tools/cli/cmd_import.h"

#include <fmt/format.h>

#include "tools/cli/output.h"
#include "tools/import/java_tree.h"

namespace lockstep::tools {

namespace {

ExitCode run_import(const ImportOptions& options, Session& session) {
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

void declare_import(Grammar& grammar, ImportOptions& o) {
  grammar.word("PATH", o.path, "a checkout, or any folder with its sources; or one .java file");
  grammar.choice<ImportFrom>("--from", o.from, {{"java", ImportFrom::java}},
                             "what the sources are written in");
  grammar.text("--name", o.name, "NAME", "the name of the set");
  grammar.format(o.format, "what to print: the report, or the record of all scripts");
}

std::string complaint_about_import(const ImportOptions& o) {
  if (o.from == ImportFrom::nothing) return "--from is missing: `--from java`";
  if (o.name.empty() || o.name.find_first_of("+=# \t\n/\"\\") != std::string::npos)
    return "--name wants a word without blanks and without + = # / \" \\";
  return "";
}

}  // namespace

Verb import_verb() {
  return {
      .name = "import",
      .summary = "make a script set of the scripts in a client's sources; exits with 4 if none has a place",
      .usage = "--from java PATH [-o DIR]",
      .examples = {"lockstep import --from java redisson -o my-redisson",
                   "lockstep import --from java redisson --format json"},
      .required = {"PATH"},
      .request = requests<ImportOptions>({declare_import, run_import, complaint_about_import})};
}

}  // namespace lockstep::tools
