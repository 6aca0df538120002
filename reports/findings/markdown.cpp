#include <fmt/format.h>

#include "reports/diagrams/mermaid.h"
#include "reports/findings/findings.h"
#include "reports/findings/markup.h"

namespace lockstep::reports {

namespace {

// A job summary has a mebibyte; what lies beyond is cut with a sentence.
constexpr std::size_t bytes_max = 900'000, rows_max = 500;

std::string row_text(const Finding& finding) {
  std::string why = finding.why;
  if (!finding.reason.empty())
    why =
        fmt::format("{}accepted until {}: {}", why.empty() ? "" : why + "; ", finding.until, finding.reason);
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", markdown_text(finding.outcome),
                     markdown_text(finding.scenario), markdown_text(finding.property),
                     markdown_text(verdicts_text(finding)), markdown_text(place_text(finding)),
                     markdown_text(why));
}

std::string details_text(const Finding& finding) {
  std::string text = fmt::format("\n<details><summary>{} · {}</summary>\n\n", markup_text(finding.scenario),
                                 markup_text(finding.property));
  text += markdown_block(finding.story);
  if (!finding.replay.empty()) text += "\n" + markdown_block(finding.replay);
  if (!finding.trace.events.empty()) text += "\n" + markdown_block(mermaid(finding.trace), "mermaid");
  return text + "\n</details>\n";
}

}  // namespace

std::string findings_markdown(const Findings& findings) {
  std::string text = fmt::format("## lockstep {}: {}\n\n{}\n\n", markdown_text(findings.command),
                                 counts_text(findings), markdown_text(findings.about));
  for (const ChangedScript& one : findings.changed)
    text += fmt::format("- changed: {} ({}, +{} −{})\n", markdown_text(one.role), markdown_text(one.file),
                        one.added, one.removed);
  for (const std::string& one : findings.trails) text += "- trails: " + markdown_text(one) + "\n";
  for (const std::string& note : findings.notes) text += "- " + markdown_text(note) + "\n";
  if (!findings.complete) text += "- incomplete: interrupted\n";
  const auto ranked = worst_first(findings);
  if (!ranked.empty())
    text += "\n| outcome | scenario | property | verdict | place | |\n|---|---|---|---|---|---|\n";
  std::size_t rows = 0;
  for (const Finding* one : ranked)
    if (rows++ < rows_max) text += row_text(*one);
  if (rows > rows_max) text += fmt::format("\n… and {} more\n", rows - rows_max);
  std::size_t left_out = 0;
  for (const Finding* one : ranked) {
    if (one->weight != Weight::failed || one->story.empty()) continue;
    const std::string details = details_text(*one);
    if (text.size() + details.size() > bytes_max) ++left_out;
    else text += details;
  }
  if (left_out > 0)
    text += fmt::format("\n{} more stories were left out: the page would be too long\n", left_out);
  return text;
}

}  // namespace lockstep::reports
