#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/result/result.h"
#include "reports/text/text.h"
#include "sim/base/amount.h"

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

std::string counted(std::uint64_t count, std::string_view noun) {
  return grouped(count) + " " + sim::noun_for(count, noun);
}

std::string work_text(const CheckResult& result) {
  std::string text;
  if (result.searched)
    text = fmt::format("{}, {}, depth {}{}{}, {}", counted(result.states, "state"),
                       counted(result.transitions, "transition"), result.depth,
                       result.symmetry ? ", under symmetry" : "",
                       result.reduced ? ", with partial-order reduction" : "", extent_text(result));
  if (result.searched && !result.symmetry_off.empty())
    text += fmt::format("; symmetry: off, because {} looks into names", result.symmetry_off);
  if (result.searched && !result.reduction_off.empty())
    text += fmt::format("; partial-order reduction: off, because {}", result.reduction_off);
  if (result.deep) text += "; depth first, so that what it found is not the shortest";
  if (result.runs > 0)
    text += fmt::format("{}{}, {}", text.empty() ? "" : "; ", counted(result.runs, "sampled schedule"),
                        counted(result.steps, "move"));
  if (result.settled > 0)
    text += fmt::format(", {} of them drawn for {} and then without faults", result.settled,
                        counted(result.cut_after, "move"));
  if (result.cut > result.cut_at_limit) text += fmt::format(", {} of them came to no end", result.cut);
  else if (result.cut > 0)
    text += fmt::format(", {} of them cut after {}", result.cut,
                        counted(result.cut_after + result.settling_max, "move"));
  if (const auto rate = failure_rate_bound(result))
    text += fmt::format("; a failure in more than {:.2g} % of such schedules would have shown (95 %)",
                        100 * *rate);
  return text;
}

/// One line for each policy that says more than all together, and what was never met.
std::string samples_text(const CheckResult& result) {
  std::string text;
  for (const SampledBy& by : result.sampled_by) {
    if (!by.certificate.empty()) text += fmt::format("  {}: {}\n", by.policy, by.certificate);
    if (!by.independent && result.runs > 0)
      text += fmt::format("  {}: its runs depend on each other, so how rare a failure may be is not known\n",
                          by.policy);
  }
  return text + covered_text(result.covered);
}

/// Of a search in boxes.
std::string boxes_text(const CheckResult& result) {
  std::string text;
  for (const std::string& box : result.boxes) text += fmt::format("  exhausted: {}\n", box);
  return text;
}

std::string property_text(const PropertyResult& result, bool colour) {
  const bool violated = result.verdict == "violated";
  const bool unknown = result.verdict == "unknown";
  const bool vacuous = result.vacuous && !violated && !unknown;
  const char* mark = unknown ? "?" : violated || !result.as_expected ? "✗" : vacuous ? "○" : "✓";
  const Paint paint = unknown || vacuous ? Paint::doubtful : result.as_expected ? Paint::good : Paint::bad;
  std::string line =
      fmt::format("  {} {:<30} {:<8} ({}expected: {}", mark, printable(result.property), result.verdict,
                  result.as_expected || unknown ? "" : "NOT as ", result.expected);
  if (vacuous) line += fmt::format("; vacuous: {} never occurred", result.premise);
  line += ")";
  if (!result.why.empty()) line += ": " + printable(result.why);
  return painted(line, paint, colour) + "\n";
}

/// What the user does not expect comes first: broken properties, then all else; what is told is among those.
std::vector<const PropertyResult*> by_surprise(const CheckResult& result) {
  std::vector<const PropertyResult*> ranked;
  for (const PropertyResult& one : result.properties) ranked.push_back(&one);
  const auto rank = [](const PropertyResult* one) {
    if (one->as_expected) return 2;
    return one->verdict == "violated" ? 0 : 1;
  };
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
  return ranked;
}

std::string counterexample_text(const CheckResult& result, const PropertyResult& broken) {
  return fmt::format(
      "\n  {}, the plainest story found ({} steps):\n{}"
      "  trail   {}\n  trace   {}\n  replay  lockstep replay {}{}\n{}"
      "  look    lockstep report {} -o report.html\n{}",
      broken.property, broken.steps, broken.story, printable(broken.trail_file), printable(broken.trace_file),
      shell_word(broken.trail_file), result.again,
      broken.again.empty() ? "" : "  again   " + broken.again + "\n", shell_word(broken.trace_file),
      result.gate.empty() ? "" : "  gate    " + result.gate + "\n");
}

}  // namespace

std::string result_text(const CheckResult& result, const ResultTextOptions& options) {
  const std::string title = painted(printable(result.scenario), Paint::strong, options.colour);
  std::string text = fmt::format("{} · {} · {}\n{}  {}\n", title, result.scripts, result.bounds,
                                 within_text(result), work_text(result)) +
                     samples_text(result) + boxes_text(result);
  const std::vector<const PropertyResult*> ranked = by_surprise(result);
  for (const PropertyResult* one : ranked) text += property_text(*one, options.colour);
  for (const std::string& name : result.unseen)
    text += painted(fmt::format("  ✗ sometimes {}: never seen", name), Paint::bad, options.colour) + "\n";
  if (!options.counterexample) return text;
  for (const PropertyResult* one : ranked)
    if (!one->trail_file.empty()) return text + counterexample_text(result, *one);
  return text;
}

std::string verdicts_line(const CheckResult& result) {
  std::map<std::string, std::size_t> counts;
  for (const PropertyResult& one : result.properties)
    ++counts[one.verdict + (one.verdict == "unknown" ? ""
                            : one.as_expected        ? " as expected"
                                                     : " NOT as expected")];
  std::string text;
  for (const auto& [what, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  if (!result.unseen.empty()) text += fmt::format(", {} never seen", result.unseen.size());
  const auto vacuous =
      std::count_if(result.properties.begin(), result.properties.end(),
                    [](const PropertyResult& one) { return outcome_of(one) == Outcome::vacuous; });
  if (vacuous > 0) text += fmt::format(", {} vacuous", vacuous);
  return text;
}

std::string result_line(const CheckResult& result, bool colour) {
  std::map<std::string, std::size_t> verdicts;
  std::string vacuous;
  for (const PropertyResult& one : result.properties) {
    ++verdicts[one.verdict];
    if (one.vacuous) vacuous += (vacuous.empty() ? "; vacuous: " : ", ") + one.property;
  }
  std::string counts;
  for (const auto& [verdict, count] : verdicts)
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, verdict);
  return painted("✓ ", Paint::good, colour) + painted(printable(result.scenario), Paint::strong, colour) +
         fmt::format(": as expected ({}{})\n", counts, vacuous);
}

std::string summary_text(const std::vector<CheckResult>& results) {
  std::map<Outcome, std::size_t> outcomes;
  for (const CheckResult& one : results) ++outcomes[outcome_of(one)];
  std::string text = fmt::format("\n{} scenarios", results.size());
  for (const auto& [outcome, count] : outcomes) text += fmt::format(", {} {}", count, words_of(outcome));
  return text + "\n";
}

}  // namespace lockstep::reports
