#include "reports/result/result_reader.h"

#include <nlohmann/json.hpp>

#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

using ResultJson = nlohmann::json;

PropertyResult property_in(const ResultJson& json) {
  return {.property = json.at("name"),
          .verdict = json.at("verdict"),
          .expected = json.at("expected"),
          .as_expected = json.at("as_expected"),
          .vacuous = json.at("vacuous"),
          .why = json.value("why", ""),
          .trail_file = json.value("trail", ""),
          .steps = json.value("steps", std::uint64_t{0})};
}

CheckResult result_in(const ResultJson& json) {
  CheckResult result;
  result.scenario = json.at("scenario");
  result.digest = json.at("digest");
  result.scripts = json.at("scripts");
  result.file = json.at("file");
  result.overrides = json.at("overrides");
  result.bounds = json.at("bounds");
  result.within = json.at("within");
  result.complete = json.at("complete");
  result.limit = json.value("limit", "");
  result.reduced = json.contains("reduction");
  result.states = json.at("states");
  result.transitions = json.at("transitions");
  result.depth = json.at("depth");
  result.runs = json.at("runs");
  result.steps = json.at("steps");
  result.seen = json.at("seen");
  result.unseen = json.at("unseen");
  for (const ResultJson& one : json.at("properties")) result.properties.push_back(property_in(one));
  return result;
}

}  // namespace

sim::Result<std::vector<CheckResult>> read_results(std::string_view text, const std::string& file) {
  std::vector<CheckResult> results;
  try {
    const ResultJson json = ResultJson::parse(text);
    if (!json.is_array())
      return sim::Problem{printable(file) + ": is no result; `lockstep check … --format json` writes one"};
    for (const ResultJson& one : json) results.push_back(result_in(one));
  } catch (const ResultJson::exception&) {
    return sim::Problem{printable(file) +
                        ": is no result, or was cut off; `lockstep check … --format json` writes one"};
  }
  if (results.empty()) return sim::Problem{printable(file) + ": has no scenario in it"};
  return results;
}

}  // namespace lockstep::reports
