// check_output.h: the results of a check as they are printed, drawn and exported, scenario by scenario.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "properties/check/check.h"
#include "reports/findings/findings.h"
#include "reports/page/index_page.h"
#include "reports/result/result.h"
#include "tools/cli/export_findings.h"
#include "tools/cli/session.h"

namespace lockstep::tools {

struct CheckShown {
  bool verbose = false;       // details of scenarios in which all is as expected, too
  bool every_witness = true;  // no property was named: witnesses are demanded as well
  std::vector<std::string> scripts{};
  std::vector<FindingsExport> exports{};
  std::string report_dir{};
  Format format = Format::human;
};

class CheckOutput {
 public:
  /// `shown` must outlive it.
  CheckOutput(Session& session, const CheckShown& shown, std::size_t scenarios);

  std::optional<sim::Problem> add(const std::string& word, const model::Setup& setup,
                                  const properties::CheckReport& report);
  /// The last words and the exit code; at least `least`, if nothing is not as expected.
  ExitCode finish(ExitCode least);

 private:
  void print(const reports::CheckResult& result) const;
  void print_end(ExitCode code) const;

  Session& session_;
  const CheckShown& shown_;
  std::size_t scenarios_;
  std::vector<reports::CheckResult> results_;
  std::vector<reports::IndexedScenario> indexed_;
  reports::Findings findings_;
  reports::Outcome worst_ = reports::Outcome::as_expected;
};

}  // namespace lockstep::tools
