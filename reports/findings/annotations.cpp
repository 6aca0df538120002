#include <fmt/format.h>

#include "reports/findings/findings.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

// GitHub keeps ten of each kind for a step; what comes after them vanishes silently.
constexpr std::size_t annotations_max = 10;
constexpr std::size_t message_max = 2'000;

std::string escaped_for_github(std::string_view text, bool in_property) {
  std::string out;
  for (const char c : text) {
    if (c == '%') out += "%25";
    else if (c == '\r') out += "%0D";
    else if (c == '\n') out += "%0A";
    else if (in_property && c == ':') out += "%3A";
    else if (in_property && c == ',') out += "%2C";
    else out += c;
  }
  return out;
}

std::string annotation(const char* kind, const Finding& finding) {
  std::string where;
  const std::string script = finding.script_file();
  const std::string& file = script.empty() ? finding.scenario_file : script;
  if (!file.empty())
    where = fmt::format("file={},line={},", escaped_for_github(printable(file), true),
                        script.empty() ? 1 : finding.line);
  const std::string title = cut(printable(finding.scenario + " " + finding.property), 200);
  std::string said = finding.outcome + ": " + verdicts_text(finding);
  if (!finding.why.empty()) said += ": " + finding.why;
  said = cut(printable(said), message_max);
  if (!finding.story.empty()) said += "\n" + cut(finding.story, message_max);
  return fmt::format("::{} {}title={}::{}\n", kind, where, escaped_for_github(title, true),
                     escaped_for_github(said, false));
}

}  // namespace

std::string findings_annotations(const Findings& findings) {
  std::string text;
  std::size_t errors = 0, warnings = 0;
  for (const Finding* one : worst_first(findings)) {
    if (one->weight == Weight::fine) continue;
    const bool is_error = one->weight == Weight::failed;
    std::size_t& count = is_error ? errors : warnings;
    if (count++ < annotations_max) text += annotation(is_error ? "error" : "warning", *one);
  }
  const std::size_t hidden =
      errors + warnings - std::min(errors, annotations_max) - std::min(warnings, annotations_max);
  if (hidden > 0) text += fmt::format("::notice::and {} more\n", hidden);
  return text;
}

}  // namespace lockstep::reports
