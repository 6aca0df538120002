#include <fmt/format.h>

#include "reports/result/result.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

/// Colour never carries a meaning alone; a word or a sign says the same.
enum class Paint { good, bad, doubtful, strong };

std::string painted(std::string_view text, Paint paint, bool colour) {
  if (!colour) return std::string(text);
  const char* code = paint == Paint::good       ? "32"
                     : paint == Paint::bad      ? "1;31"
                     : paint == Paint::doubtful ? "33"
                                                : "1";
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string within_text(const CheckResult& result) {
  std::string text;
  for (const std::string& one : result.within) text += (text.empty() ? "  within: " : "; ") + one;
  return text.empty() ? text : text + "\n";
}

std::string extent_text(const CheckResult& result) {
  if (result.complete) return "complete";
  return result.limit == "decided" ? "until all was decided" : "not complete";
}

std::string work_text(const CheckResult& result) {
  std::string text;
  if (result.searched)
    text = fmt::format("{} states, {} transitions, depth {}{}, {}", grouped(result.states),
                       grouped(result.transitions), result.depth, result.symmetry ? ", under symmetry" : "",
                       extent_text(result));
  if (result.runs > 0)
    text += fmt::format("{}{} sampled schedules, {} moves", text.empty() ? "" : "; ", grouped(result.runs),
                        grouped(result.steps));
  if (result.cut > 0)
    text += fmt::format(", {} of them cut after {} moves", result.cut, grouped(result.cut_after));
  return text;
}

std::string property_text(const PropertyResult& result, bool colour) {
  const bool violated = result.verdict == "violated";
  const bool unknown = result.verdict == "unknown";
  const char* mark = violated ? "✗" : unknown ? "?" : "✓";
  const Paint paint = unknown ? Paint::doubtful : result.as_expected ? Paint::good : Paint::bad;
  std::string line =
      fmt::format("  {} {:<30} {:<8} ({}expected: {}", mark, printable(result.property), result.verdict,
                  result.as_expected || unknown ? "" : "NOT as ", result.expected);
  if (result.vacuous && !violated && !unknown)
    line += fmt::format("; vacuous: {} never occurred", result.premise);
  line += ")";
  if (!result.why.empty()) line += ": " + printable(result.why);
  return painted(line, paint, colour) + "\n";
}

std::string counterexample_text(const CheckResult& result, const PropertyResult& broken) {
  return fmt::format(
      "\n  {}, the shortest story found ({} steps):\n{}"
      "  trail   {}\n  trace   {}\n  replay  lockstep replay {}{}\n"
      "  look    lockstep graph {} --kind sequence -o sequence.svg\n",
      broken.property, broken.steps, broken.story, broken.trail_file, broken.trace_file, broken.trail_file,
      result.again, broken.trace_file);
}

}  // namespace

std::string result_text(const CheckResult& result, const ResultTextOptions& options) {
  const std::string title = painted(printable(result.scenario), Paint::strong, options.colour);
  std::string text = fmt::format("{} · {} · {}\n{}  {}\n", title, result.scripts, result.bounds,
                                 within_text(result), work_text(result));
  for (const PropertyResult& one : result.properties) text += property_text(one, options.colour);
  for (const std::string& name : result.unseen)
    text += painted(fmt::format("  ✗ sometimes {}: never seen", name), Paint::bad, options.colour) + "\n";
  if (!options.counterexample) return text;
  for (const PropertyResult& one : result.properties)
    if (!one.trail_file.empty()) return text + counterexample_text(result, one);
  return text;
}

}  // namespace lockstep::reports
