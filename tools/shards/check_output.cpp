#include "tools/shards/check_output.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generated/build_info.h"
#include "tools/cli/check_findings.h"
#include "tools/cli/check_pages.h"
#include "tools/cli/check_result.h"
#include "tools/cli/work_watch.h"

namespace lockstep::tools {

namespace {

ExitCode code_of(reports::Outcome outcome) {
  switch (outcome) {
    case reports::Outcome::as_expected:
      return ExitCode::as_expected;
    case reports::Outcome::vacuous:
      return ExitCode::vacuous;
    case reports::Outcome::unknown:
      return ExitCode::unknown;
    case reports::Outcome::different:
      return ExitCode::different;
  }
  return ExitCode::internal;
}

std::string about_scripts(const std::vector<std::string>& scripts) {
  if (scripts.empty()) return "the scripts that each scenario names";
  return fmt::format("with {}", fmt::join(scripts, ", "));
}

}  // namespace

CheckOutput::CheckOutput(Session& session, const CheckShown& shown, std::size_t scenarios)
    : session_(session), shown_(shown), scenarios_(scenarios) {
  findings_.command = "check";
  findings_.version = build_info::version;
  findings_.about = about_scripts(shown.scripts);
}

std::optional<sim::Problem> CheckOutput::add(const std::string& word, const model::Setup& setup,
                                             const properties::CheckReport& report) {
  auto result = check_result({.word = word,
                              .every_witness = shown_.every_witness,
                              .out_dir = session_.global.out_dir,
                              .scripts = shown_.scripts},
                             setup, report);
  if (!result) return result.problem();
  worst_ = std::max(worst_, reports::outcome_of(*result));
  if (shown_.format == Format::human) print(*result);
  if (!shown_.report_dir.empty()) {
    auto pages = write_pages(shown_.report_dir, setup, *result);
    if (!pages) return pages.problem();
    indexed_.push_back(*std::move(pages));
  }
  if (!shown_.exports.empty()) add_findings(findings_, *result, setup, word);
  results_.push_back(*std::move(result));
  return std::nullopt;
}

ExitCode CheckOutput::finish(ExitCode least) {
  ExitCode code = code_of(worst_);
  if (least == ExitCode::interrupted || code != ExitCode::different)
    code = least == ExitCode::as_expected ? code : least;
  if (shown_.format == Format::human) print_end(code);
  else session_.console.out << reports::results_json(results_);
  if (!shown_.report_dir.empty())
    if (const auto problem = write_index(shown_.report_dir, indexed_)) return complain(session_, *problem);
  findings_.complete = code != ExitCode::interrupted;
  if (const auto problem = write_exports(findings_, shown_.exports)) return complain(session_, *problem);
  return code;
}

/// Details where something is unexpected, or there is but one scenario, or they are asked for.
void CheckOutput::print(const reports::CheckResult& result) const {
  const Console& console = session_.console;
  const bool in_full =
      scenarios_ == 1 || shown_.verbose || reports::outcome_of(result) != reports::Outcome::as_expected;
  if (in_full)
    console.out << (results_.empty() ? "" : "\n")
                << reports::result_text(result,
                                        {.colour = console.colour_out, .counterexample = !console.quiet});
  else console.out << reports::result_line(result, console.colour_out);
  console.out.flush();
}

/// The last words: of one scenario its verdicts, of several how many ended how.
void CheckOutput::print_end(ExitCode code) const {
  const Console& console = session_.console;
  if (results_.size() == 1 && scenarios_ == 1)
    console.out << fmt::format("{}: exit {}\n", reports::verdicts_line(results_.front()),
                               InterruptWatch::status_of(code));
  else console.out << reports::summary_text(results_);
  if (code == ExitCode::interrupted)
    console.out << fmt::format("incomplete: interrupted in scenario {} of {}\n",
                               std::max<std::size_t>(results_.size(), 1), scenarios_);
}

}  // namespace lockstep::tools
