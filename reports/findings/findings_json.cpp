#include <nlohmann/json.hpp>

#include "reports/findings/findings.h"
#include "reports/text/text.h"

namespace lockstep::reports {

namespace {

using FoundJson = nlohmann::ordered_json;

void put_text(FoundJson& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

FoundJson json_of(const Finding& finding) {
  FoundJson json{
      {"scenario", finding.scenario}, {"property", finding.property}, {"outcome", finding.outcome}};
  put_text(json, finding.base_is_expectation ? "expected" : "base", finding.base);
  put_text(json, "head", finding.head);
  put_text(json, "why", finding.why);
  put_text(json, "reason", finding.reason);
  put_text(json, "until", finding.until);
  if (finding.states > 0) json["states"] = finding.states;
  if (finding.steps > 0) json["steps"] = finding.steps;
  if (!finding.script_file().empty()) {
    json["script"] = finding.role;
    json["file"] = finding.script_file();
    json["line"] = finding.line;
  }
  put_text(json, "trail", finding.trail_file);
  put_text(json, "trace", finding.trace_file);
  put_text(json, "replay", finding.replay);
  return json;
}

const char* word_of(Weight weight) {
  switch (weight) {
    case Weight::fine:
      return "fine";
    case Weight::vacuous:
      return "vacuous";
    case Weight::unknown:
      return "unknown";
    case Weight::failed:
      return "failed";
  }
  return "";
}

}  // namespace

std::string findings_json(const Findings& findings) {
  FoundJson json{{"lockstep", "findings"},
                 {"v", 1},
                 {"version", findings.version},
                 {"command", findings.command},
                 {"about", findings.about},
                 {"result", word_of(findings.weight)},
                 {"complete", findings.complete},
                 {"scenarios", findings.scenarios},
                 {"not_complete", findings.cut},
                 {"changed", FoundJson::array()},
                 {"trails", findings.trails},
                 {"notes", findings.notes},
                 {"findings", FoundJson::array()}};
  for (const ChangedScript& one : findings.changed)
    json["changed"].push_back({{"role", one.role},
                               {"file", one.file},
                               {"added", one.added},
                               {"removed", one.removed},
                               {"sent", one.sent}});
  for (const Finding& one : findings.all) json["findings"].push_back(json_of(one));
  return json.dump(2, ' ', false, FoundJson::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::reports
