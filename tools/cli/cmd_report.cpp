#include "tools/cli/cmd_report.h"

#include "reports/files/trace_file.h"
#include "reports/page/page.h"
#include "reports/text/text.h"
#include "tools/cli/input.h"
#include "tools/cli/output.h"

namespace lockstep::tools {

namespace {

ExitCode run_report(const ReportOptions& options, Session& session) {
  const auto bytes = read_input(options.file);
  if (!bytes) return complain(session, bytes.problem());
  const auto trace = reports::read_trace(*bytes, options.file);
  if (!trace) return complain(session, trace.problem());
  reports::PageOptions page;
  if (options.file != "-") page.again = "lockstep replay " + reports::shell_word(options.file);
  page.pictures = reports::page_pictures(*trace);
  for (const reports::PagePicture& one : page.pictures)
    if (one.svg.empty()) session.console.err << "note: no " << one.name << ": " << one.missing << '\n';
  if (const auto problem = deliver(session.global.out_file, reports::page(*trace, page), session.console.out))
    return complain(session, *problem);
  return ExitCode::as_expected;
}

void declare_report(Grammar& grammar, ReportOptions& o) { grammar.word("TRACE", o.file, "a trace"); }

}  // namespace

Verb report_verb() {
  return {.name = "report",
          .summary = "write a run as one HTML page",
          .usage = "TRACE",
          .examples = {"lockstep report run.jsonl -o run.html"},
          .required = {"TRACE"},
          .request = requests<ReportOptions>({declare_report, run_report})};
}

}  // namespace lockstep::tools
