#include <nlohmann/json.hpp>

#include "reports/result/result.h"

namespace lockstep::reports {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const PropertyResult& result) {
  Json json{{"name", result.property},
            {"verdict", result.verdict},
            {"expected", result.expected},
            {"as_expected", result.as_expected},
            {"vacuous", result.vacuous}};
  if (!result.why.empty()) json["why"] = result.why;
  if (!result.trail_file.empty()) {
    json["trail"] = result.trail_file;
    json["trace"] = result.trace_file;
    json["steps"] = result.steps;
  }
  return json;
}

Json samples_of(const CheckResult& result) {
  Json all = Json::array();
  for (const SampledBy& by : result.sampled_by) {
    Json one{{"policy", by.policy}, {"runs", by.runs}, {"cut", by.cut}};
    if (const auto rate = failure_rate_bound(result, by)) one["failure_rate_below"] = *rate;
    if (!by.certificate.empty()) one["certificate"] = by.certificate;
    if (!by.no_certificate.empty()) one["no_certificate"] = by.no_certificate;
    all.push_back(std::move(one));
  }
  return all;
}

/// By state of the lock: the faults behind which it was met, or never was.
Json json_of(const Covered& covered, const CoveredRole& role, const CoveredWay& way, bool met) {
  Json json = Json::object();
  for (std::size_t lock = 0; lock < lock_words().size(); ++lock) {
    if ((role.locks >> lock & 1) == 0) continue;
    Json faults = Json::array();
    for (std::size_t fault = 0; fault < covered.faults.size(); ++fault)
      if (((way.seen[fault] >> lock & 1) != 0) == met) faults.push_back(covered.faults[fault]);
    if (!faults.empty()) json[lock_words()[lock].words] = std::move(faults);
  }
  return json;
}

Json json_of(const Covered& covered) {
  const Covered::Count count = covered.count();
  Json json{{"ways_met", count.ways_met}, {"ways", count.ways}, {"met", count.met}, {"all", count.all}};
  json["roles"] = Json::array();
  for (const CoveredRole& role : covered.roles) {
    Json its{{"role", role.role}};
    if (!role.script.empty()) its["script"] = role.script;
    its["ways"] = Json::array();
    for (const CoveredWay& way : role.ways) {
      Json one = Json::object();
      if (way.line != 0) one = {{"line", way.line}, {"text", way.text}, {"holds", way.holds}};
      one["met"] = json_of(covered, role, way, true);
      one["never"] = json_of(covered, role, way, false);
      its["ways"].push_back(std::move(one));
    }
    json["roles"].push_back(std::move(its));
  }
  return json;
}

Json json_of(const CheckResult& result) {
  Json json{{"scenario", result.scenario},
            {"digest", result.digest},
            {"scripts", result.scripts},
            {"file", result.file},
            {"overrides", result.overrides},
            {"bounds", result.bounds},
            {"within", result.within},
            {"complete", result.complete}};
  if (!result.limit.empty()) json["limit"] = result.limit;
  json["states"] = result.states;
  json["transitions"] = result.transitions;
  json["depth"] = result.depth;
  if (result.deep) json["order"] = "depth first";
  if (result.instants)
    json["instants"] = {{"spacing_ms", result.instants->spacing},
                        {"below_ms", result.instants->below},
                        {"above_ms", result.instants->above}};
  if (!result.boxes.empty()) json["boxes"] = result.boxes;
  json["symmetry"] = result.symmetry;
  if (!result.symmetry_off.empty()) json["symmetry_off"] = result.symmetry_off + " looks into names";
  if (result.reduced) json["reduction"] = "partial order";
  if (!result.reduction_off.empty()) json["reduction_off"] = result.reduction_off;
  json["runs"] = result.runs;
  json["steps"] = result.steps;
  json["cut"] = result.cut;
  json["cut_after"] = result.cut_after;
  json["settled"] = result.settled;
  json["settling_max"] = result.settling_max;
  if (const auto rate = failure_rate_bound(result)) json["failure_rate_below"] = *rate;
  if (!result.sampled_by.empty()) json["sampled_by"] = samples_of(result);
  if (!result.covered.roles.empty()) json["covered"] = json_of(result.covered);
  json["properties"] = Json::array();
  for (const PropertyResult& one : result.properties) json["properties"].push_back(json_of(one));
  json["seen"] = result.seen;
  json["unseen"] = result.unseen;
  return json;
}

}  // namespace

std::string results_json(const std::vector<CheckResult>& results) {
  Json all = Json::array();
  for (const CheckResult& one : results) all.push_back(json_of(one));
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::reports
