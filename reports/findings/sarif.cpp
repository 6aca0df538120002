#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/findings/findings.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"
#include "sim/base/digest.h"

namespace lockstep::reports {

namespace {

using Sarif = nlohmann::ordered_json;

// Of GitHub: more are refused, or not shown.
constexpr std::size_t results_max = 5'000, locations_max = 1'000, text_max = 1'000;

/// A path as a URI: relative ones stay so, to be found from the top of the repository.
std::string uri_of(const std::string& path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  std::string_view rest = path;
  while (rest.starts_with("./")) rest.remove_prefix(2);
  for (const char c : rest) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain) uri += c;
    else uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

std::string rule_id(const std::string& property) { return "lockstep/" + printable(property); }

std::string short_text(const std::string& text) { return cut(printable(text), text_max); }

Sarif physical(const std::string& file, std::int64_t line) {
  const std::int64_t at = std::max<std::int64_t>(line, 1);
  return {{"artifactLocation", {{"uri", uri_of(file)}}},
          {"region", {{"startLine", at}, {"startColumn", 1}, {"endLine", at + 1}, {"endColumn", 1}}}};
}

/// A result must have a place; what has no file in the repository is told of its scenario's name.
std::string anchor_file(const Finding& finding) {
  for (const std::string& file : {finding.script_file(), finding.scenario_file})
    if (!file.empty()) return file;
  return finding.scenario;
}

std::int64_t anchor_line(const Finding& finding) { return finding.script_file().empty() ? 1 : finding.line; }

Sarif step_of(const Finding& finding, const sim::TraceEvent& event, std::size_t order) {
  const auto script = finding.script_files.find(event.script);
  const bool of_script = event.kind == TraceKind::eval && script != finding.script_files.end();
  const std::string text =
      fmt::format("{} {}: {}", time_text(event.time_us), event.who.empty() ? "" : printable(event.who),
                  event_text(finding.trace, event));
  return {{"location",
           {{"message", {{"text", short_text(text)}}},
            {"physicalLocation", of_script ? physical(script->second, event.line.value_or(1))
                                           : physical(anchor_file(finding), anchor_line(finding))}}},
          {"executionOrder", order}};
}

bool is_told(const sim::TraceEvent& event) {
  return event.kind == TraceKind::eval || event.kind == TraceKind::enter || event.kind == TraceKind::leave ||
         event.kind == TraceKind::expire || event.kind == TraceKind::repl || event.kind == TraceKind::prop ||
         is_fault(event.kind);
}

/// One flow of a thread for each who acts.
Sarif flows_of(const Finding& finding) {
  std::vector<std::string> actors;
  std::map<std::string, Sarif> steps;
  std::size_t order = 0;
  for (const sim::TraceEvent& event : finding.trace.events) {
    if (!is_told(event) || order == locations_max) continue;
    const std::string who = event.kind == TraceKind::eval && !event.from.empty() ? event.from : event.who;
    if (!steps.contains(who)) {
      actors.push_back(who);
      steps[who] = Sarif::array();
    }
    steps[who].push_back(step_of(finding, event, ++order));
  }
  Sarif flows = Sarif::array();
  for (const std::string& who : actors)
    flows.push_back({{"id", who.empty() ? "the properties" : short_text(who)}, {"locations", steps[who]}});
  return flows;
}

std::string said_of(const Finding& finding) {
  std::string text = fmt::format("{}: {} {}", finding.scenario, finding.property, verdicts_text(finding));
  if (!finding.why.empty()) text += ": " + finding.why;
  if (!finding.replay.empty()) text += ". Again: " + finding.replay;
  return short_text(text);
}

Sarif sarif_result(const Finding& finding) {
  const std::string same_thing = fmt::format("{}\n{}\n{}:{}", finding.scenario, finding.property,
                                             finding.script_file(), anchor_line(finding));
  const char* level = finding.weight == Weight::failed || finding.outcome == "accepted" ? "error" : "note";
  const Sarif anchor{{"physicalLocation", physical(anchor_file(finding), anchor_line(finding))}};
  Sarif result{{"ruleId", rule_id(finding.property)},
               {"level", level},
               {"message", {{"text", said_of(finding)}}},
               {"locations", Sarif::array({anchor})},
               {"partialFingerprints", {{"lockstepViolation/v1", sim::hex(sim::digest_bytes(same_thing))}}}};
  if (!finding.trace.events.empty()) {
    const Sarif flows = flows_of(finding);
    const Sarif flow{{"threadFlows", flows}};
    if (!flows.empty()) result["codeFlows"] = Sarif::array({flow});
  }
  if (finding.outcome == "accepted") {
    const std::string why = short_text(fmt::format("{} (until {})", finding.reason, finding.until));
    const Sarif suppression{{"kind", "external"}, {"justification", why}};
    result["suppressions"] = Sarif::array({suppression});
  }
  return result;
}

/// What is said of no result alone.
Sarif invocation_of(const Findings& findings) {
  Sarif told = Sarif::array();
  for (const auto* lines : {&findings.trails, &findings.notes})
    for (const std::string& line : *lines)
      told.push_back({{"level", "note"}, {"message", {{"text", short_text(line)}}}});
  return {{"executionSuccessful", findings.complete}, {"toolExecutionNotifications", told}};
}

}  // namespace

std::string findings_sarif(const Findings& findings) {
  Sarif rules = Sarif::array(), results = Sarif::array();
  std::set<std::string> known;
  for (const Finding* one : worst_first(findings)) {
    const bool is_result = one->weight != Weight::fine || one->outcome == "accepted";
    if (!is_result || results.size() == results_max) continue;
    if (known.insert(one->property).second) {
      const std::string says = short_text(one->promise.empty() ? one->property : one->promise);
      rules.push_back({{"id", rule_id(one->property)},
                       {"shortDescription", {{"text", short_text(one->property)}}},
                       {"fullDescription", {{"text", says}}},
                       {"help", {{"text", says + ". See `lockstep help properties`."}}}});
    }
    results.push_back(sarif_result(*one));
  }
  const Sarif driver{{"name", "lockstep"},
                     {"informationUri", "man:lockstep(1)"},  // it is installed, and has no other home
                     {"semanticVersion", findings.version},
                     {"rules", rules}};
  const Sarif run{{"tool", {{"driver", driver}}},
                  {"invocations", Sarif::array({invocation_of(findings)})},
                  {"automationDetails", {{"id", "lockstep/" + findings.command + "/"}}},
                  {"results", results}};
  const Sarif document{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                       {"version", "2.1.0"},
                       {"runs", Sarif::array({run})}};
  return document.dump(2, ' ', false, Sarif::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::reports
