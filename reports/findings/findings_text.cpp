#include <fmt/format.h>

#include <algorithm>

#include "reports/findings/findings.h"
#include "reports/text/text.h"
#include "sim/base/amount.h"

namespace lockstep::reports {

namespace {

std::string coloured(std::string_view text, const char* code, bool colour) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string shown_word(const Finding& finding) {
  return finding.weight == Weight::failed && finding.outcome == "regressed" ? "REGRESSED" : finding.outcome;
}

const char* code_of(const Finding& finding) {
  if (finding.weight == Weight::failed) return "1;31";
  return finding.weight == Weight::fine ? "32" : "33";
}

std::string changed_text(const Findings& findings) {
  if (findings.changed.empty()) return "changed scripts: none\n";
  std::string text;
  for (const ChangedScript& one : findings.changed)
    text += fmt::format("{}{} ({}, +{} −{})", text.empty() ? "changed scripts: " : "; ", printable(one.role),
                        printable(one.file), one.added, one.removed);
  return text + fmt::format("; {} unchanged\n", findings.unchanged);
}

std::string one_line(const Finding& finding, bool same_why, bool colour) {
  std::string text = fmt::format(
      "  {}{} · {}   {}", coloured(fmt::format("{:<11}", shown_word(finding)), code_of(finding), colour),
      printable(finding.scenario), printable(finding.property), verdicts_text(finding));
  if (finding.steps > 0) text += ", " + sim::amount(finding.steps, "step");
  if (finding.head == "violated" && !finding.script_file().empty()) text += "   " + place_text(finding);
  if (!finding.why.empty() && !same_why) text += fmt::format("\n{:14}{}", "", printable(finding.why));
  if (!finding.reason.empty())
    text += fmt::format("\n{:14}accepted until {}: {}", "", finding.until, printable(finding.reason));
  return text + "\n";
}

std::string story_of(const Finding& finding) {
  std::string text = fmt::format("\n  {} · {}:\n{}", printable(finding.scenario), printable(finding.property),
                                 finding.story);
  if (!finding.trail_file.empty()) text += "  trail   " + printable(finding.trail_file) + "\n";
  if (!finding.replay.empty()) text += "  replay  " + finding.replay + "\n";
  if (!finding.trace_file.empty())
    text += fmt::format("  look    lockstep report {} -o report.html\n", shell_word(finding.trace_file));
  return text;
}

}  // namespace

std::string findings_text(const Findings& findings, bool colour) {
  std::string text = printable(findings.about) + "\n" + changed_text(findings);
  for (const std::string& one : findings.trails) text += "  trails      " + printable(one) + "\n";
  text += fmt::format("  scenarios   {} checked, {}\n", findings.scenarios,
                      findings.cut == 0 ? "all complete" : fmt::format("{} not complete", findings.cut));
  const auto ranked = worst_first(findings);
  const Finding* before = nullptr;
  for (const Finding* one : ranked) {
    text += one_line(*one, before != nullptr && before->why == one->why, colour);
    before = one;
  }
  for (const std::string& note : findings.notes) text += "  note        " + printable(note) + "\n";
  for (const Finding* one : ranked)
    if (!one->story.empty() && one->weight == Weight::failed) {
      text += story_of(*one);  // the worst; the others are in their files
      break;
    }
  if (!findings.complete) text += "incomplete: interrupted\n";
  return text + counts_text(findings) + "\n";
}

}  // namespace lockstep::reports
