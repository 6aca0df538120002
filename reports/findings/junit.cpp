#include <fmt/format.h>

#include <algorithm>

#include "reports/findings/findings.h"
#include "reports/findings/markup.h"

namespace lockstep::reports {

namespace {

struct Suite {
  std::string scenario;
  std::vector<const Finding*> cases;
  std::size_t failures = 0, skipped = 0;
};

bool is_skipped(const Finding& finding) {
  return finding.weight == Weight::unknown || finding.weight == Weight::vacuous;
}

std::vector<Suite> suites_of(const Findings& findings) {
  std::vector<Suite> suites;
  for (const Finding& one : findings.all) {
    if (suites.empty() || suites.back().scenario != one.scenario)
      suites.push_back({.scenario = one.scenario, .cases = {}});
    Suite& suite = suites.back();
    suite.cases.push_back(&one);
    suite.failures += one.weight == Weight::failed ? 1 : 0;
    suite.skipped += is_skipped(one) ? 1 : 0;
  }
  return suites;
}

std::string message_of(const Finding& finding) {
  std::string text = verdicts_text(finding);
  if (!finding.why.empty()) text += ": " + finding.why;
  return text;
}

std::string case_text(const Finding& finding) {
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\"", markup_text(finding.scenario),
                                 markup_text(finding.property));
  std::string inside;
  if (finding.weight == Weight::failed)
    inside +=
        fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", markup_text(finding.outcome),
                    markup_text(message_of(finding)), markup_lines(finding.story));
  if (is_skipped(finding))
    inside += fmt::format("      <skipped message=\"{}: {}\"/>\n", markup_text(finding.outcome),
                          markup_text(message_of(finding)));
  std::string out = markup_text(finding.replay);
  if (!finding.reason.empty())
    out = markup_text(fmt::format("accepted until {}: {}", finding.until, finding.reason)) + "\n" + out;
  if (!out.empty()) inside += fmt::format("      <system-out>{}</system-out>\n", out);
  return text + (inside.empty() ? "/>\n" : ">\n" + inside + "    </testcase>\n");
}

/// What is said of no scenario alone. It is skipped if that is worse than all that was found, and an error if
/// the work was interrupted.
std::string closing_text(const Findings& findings) {
  Weight found = Weight::fine;
  for (const Finding& one : findings.all) found = std::max(found, one.weight);
  const bool worse = findings.complete && findings.weight > found;
  std::string inside, out;
  if (!findings.complete)
    inside += "      <error type=\"incomplete\" message=\"incomplete: interrupted\"/>\n";
  if (worse) inside += "      <skipped message=\"something is not known, see below\"/>\n";
  for (const auto* lines : {&findings.trails, &findings.notes})
    for (const std::string& line : *lines) out += markup_text(line) + "\n";
  if (inside.empty() && out.empty()) return "";
  return fmt::format(
      "  <testsuite name=\"lockstep {0}\" tests=\"1\" failures=\"0\" errors=\"{1}\" skipped=\"{2}\">\n"
      "    <testcase classname=\"lockstep {0}\" name=\"the whole\">\n{3}"
      "      <system-out>{4}</system-out>\n    </testcase>\n  </testsuite>\n",
      markup_text(findings.command), findings.complete ? 0 : 1, worse ? 1 : 0, inside, out);
}

}  // namespace

std::string findings_junit(const Findings& findings) {
  std::string inside;
  std::size_t failures = 0;
  for (const Suite& suite : suites_of(findings)) {
    failures += suite.failures;
    inside +=
        fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n",
                    markup_text(suite.scenario), suite.cases.size(), suite.failures, suite.skipped);
    for (const Finding* one : suite.cases) inside += case_text(*one);
    inside += "  </testsuite>\n";
  }
  const std::string closing = closing_text(findings);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"lockstep {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}{}</testsuites>\n",
      markup_text(findings.command), findings.all.size() + (closing.empty() ? 0 : 1), failures,
      findings.complete ? 0 : 1, inside, closing);
}

}  // namespace lockstep::reports
