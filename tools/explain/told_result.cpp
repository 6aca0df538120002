#include "tools/explain/told_result.h"

#include <fmt/format.h>

#include "model/world/faults/table.h"
#include "properties/monitors/catalog.h"
#include "reports/text/text.h"
#include "sim/base/amount.h"

namespace lockstep::tools {

namespace {

using reports::printable;

std::string done_text(const reports::CheckResult& result) {
  std::string text;
  if (result.states > 0)
    text = fmt::format("{} were met over {}, none more than {}{} from the start",
                       sim::amount(result.states, "state"), sim::amount(result.transitions, "transition"),
                       sim::amount(result.depth, "move"), result.reduced ? ", or several taken as one," : "");
  if (result.complete)
    return text + (result.reduced ? "; all others differ from these in the order of moves that do not "
                                    "touch each other, or are passed on the way."
                                  : "; these are all that there are.");
  if (result.runs > 0)
    text += fmt::format("{}{} {} sampled", text.empty() ? "" : "; ", sim::amount(result.runs, "schedule"),
                        result.runs == 1 ? "was" : "were");
  if (result.limit == "decided") return text + "; the search ended when all was decided.";
  return text + fmt::format("; that is not all: the search was cut ({}).",
                            result.limit.empty() ? "samples only" : result.limit);
}

std::string verdict_text(const reports::PropertyResult& one, const reports::CheckResult& result) {
  const auto property = properties::find_property(one.property);
  const std::string says = property ? std::string(properties::info(*property).says) : one.property;
  if (one.verdict == "violated")
    return fmt::format("a schedule of {} breaks the promise that {}{}", sim::amount(one.steps, "move"), says,
                       one.why.empty() ? "" : " (" + printable(one.why) + ")");
  std::string text;
  if (one.verdict == "proved") text = fmt::format("in every schedule within the bounds, {}", says);
  else if (one.verdict == "passed")
    text = fmt::format("in {} that were sampled, {}; others were not looked at",
                       sim::amount(result.runs, "schedule"), says);
  else
    text =
        fmt::format("nothing can be said: {}", one.why.empty() ? "a limit was reached" : printable(one.why));
  if (one.vacuous) text += "; this says nothing, since its premise never occurred";
  return text;
}

std::vector<std::string> covered(const reports::CheckResult& result) {
  std::vector<std::string> lines{result.bounds};
  lines.insert(lines.end(), result.within.begin(), result.within.end());
  if (result.complete)
    lines.push_back(result.reduced
                        ? "every order of what may happen at the same instant, but one alone where "
                          "nobody can tell them apart"
                        : "every order of what may happen at the same instant");
  return lines;
}

std::vector<std::string> not_covered(const reports::CheckResult& result, const model::Setup& setup) {
  std::vector<std::string> lines{
      "more processes, threads or calls than these programs have, and other programs",
      "scripts other than " + result.scripts};
  std::string absent;
  for (const model::FaultId fault : model::faults_as_told(setup))
    if (setup.faults[fault] == 0)
      absent += (absent.empty() ? "" : ", ") + std::string(model::fault_row(fault, setup).key);
  if (!absent.empty()) lines.push_back("faults without a budget: " + absent);
  if (!setup.faults.none()) lines.push_back("more of the faults that have one");
  if (setup.network.kind == model::NetworkKind::no_delay)
    lines.push_back("messages that take time of their own (`network`)");
  if (!setup.exact && (!setup.faults.none() || setup.network.kind == model::NetworkKind::interval))
    lines.push_back(
        fmt::format("instants that are neither deadlines, nor ties with one, nor on the grain of {} ms",
                    setup.grain.count()));
  if (setup.horizon) lines.push_back(fmt::format("what happens after {} ms", setup.horizon->count()));
  if (!result.complete && result.limit != "decided")
    lines.push_back("every schedule that the search did not reach");
  lines.push_back("what FIDELITY.md says that the model leaves out");
  return lines;
}

void list(std::string& out, const std::string& title, const std::vector<std::string>& lines) {
  out += "  " + title + ":\n";
  for (const std::string& line : lines) out += "    - " + printable(line) + "\n";
}

}  // namespace

std::string covered_text(const reports::CheckResult& result, const model::Setup& setup) {
  std::string out = fmt::format("{} · {}\n  {}\n", printable(result.scenario), printable(result.scripts),
                                done_text(result));
  for (const reports::PropertyResult& one : result.properties)
    out += fmt::format("  {} is {}: {}.\n", printable(one.property), one.verdict, verdict_text(one, result));
  list(out, "covered", covered(result));
  list(out, "not covered", not_covered(result, setup));
  return out;
}

}  // namespace lockstep::tools
