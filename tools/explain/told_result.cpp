#include "tools/explain/told_result.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/world/faults/table.h"
#include "properties/monitors/catalog.h"
#include "reports/text/text.h"
#include "sim/base/amount.h"

namespace lockstep::tools {

namespace {

using ToldJson = nlohmann::json;
using reports::printable;

reports::PropertyResult property_in(const ToldJson& json) {
  return {.property = json.at("name"),
          .verdict = json.at("verdict"),
          .expected = json.at("expected"),
          .as_expected = json.at("as_expected"),
          .vacuous = json.at("vacuous"),
          .why = json.value("why", ""),
          .trail_file = json.value("trail", ""),
          .steps = json.value("steps", std::uint64_t{0})};
}

reports::CheckResult result_in(const ToldJson& json) {
  reports::CheckResult result;
  result.scenario = json.at("scenario");
  result.digest = json.at("digest");
  result.scripts = json.at("scripts");
  result.file = json.at("file");
  result.overrides = json.at("overrides");
  result.bounds = json.at("bounds");
  result.within = json.at("within");
  result.complete = json.at("complete");
  result.limit = json.value("limit", "");
  result.states = json.at("states");
  result.transitions = json.at("transitions");
  result.depth = json.at("depth");
  result.runs = json.at("runs");
  result.steps = json.at("steps");
  for (const ToldJson& one : json.at("properties")) result.properties.push_back(property_in(one));
  return result;
}

std::string done_text(const reports::CheckResult& result) {
  std::string text;
  if (result.states > 0)
    text = fmt::format("{} were met over {}, none more than {} from the start",
                       sim::amount(result.states, "state"), sim::amount(result.transitions, "transition"),
                       sim::amount(result.depth, "move"));
  if (result.complete) return text + "; these are all that there are.";
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
  if (result.complete) lines.push_back("every order of what may happen at the same instant");
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
  if (!setup.faults.none() || setup.network.kind == model::NetworkKind::interval)
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

sim::Result<std::vector<reports::CheckResult>> read_results(std::string_view text, const std::string& file) {
  std::vector<reports::CheckResult> results;
  try {
    const ToldJson json = ToldJson::parse(text);
    if (!json.is_array())
      return sim::Problem{printable(file) + ": is no result; `lockstep check … --format json` writes one"};
    for (const ToldJson& one : json) results.push_back(result_in(one));
  } catch (const ToldJson::exception&) {
    return sim::Problem{printable(file) +
                        ": is no result, or was cut off; `lockstep check … --format json` writes one"};
  }
  if (results.empty()) return sim::Problem{printable(file) + ": has no scenario in it"};
  return results;
}

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
