#include "tools/gate/judged.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "model/client/lock_kind.h"
#include "model/client/own_scripts.h"
#include "properties/monitors/all_properties.h"
#include "reports/text/text.h"
#include "scenarios/format/normalise.h"
#include "sim/base/digest.h"

namespace lockstep::tools {

namespace {

using ResultJson = nlohmann::ordered_json;

constexpr int results_format = 1;
constexpr std::size_t results_max = 5'000;

std::string digits_of(std::string_view bytes) { return sim::hex(sim::digest_bytes(bytes)); }

/// The roles that the kinds of this scenario may send.
std::set<std::string_view> roles_of(const model::Setup& setup) {
  std::set<std::string_view> roles;
  for (const model::LockKind* kind : setup.kinds)
    for (const model::Role& role : kind->roles) {
      roles.insert(role.name);
      if (!role.otherwise.empty()) roles.insert(role.otherwise);
    }
  return roles;
}

std::string text_of(const lua::ScriptSet& set, const std::set<std::string_view>& roles) {
  std::string text = "stored " + set.stored + "\n";
  for (const auto& [role, script] : set.roles)
    if (roles.contains(role))
      text += fmt::format("{} {} {} / {}\n", role, script.sha1, fmt::join(script.keys, ", "),
                          fmt::join(script.args, ", "));
  return text;
}

/// Where scripts come from is not part of the question.
void forget_names(lua::ScriptSet& set) { set = {.name = "scripts", .stored = {}, .roles = {}}; }

ResultJson json_of(const JudgedProperty& one) {
  ResultJson json{{"name", one.name}, {"verdict", one.verdict}};
  if (one.vacuous) json["vacuous"] = true;
  if (!one.why.empty()) json["why"] = one.why;
  if (one.steps > 0) json["steps"] = one.steps;
  if (!one.trail.empty()) json["trail"] = one.trail;
  return json;
}

std::string line_of(const std::string& key, const Judged& judged) {
  ResultJson json{{"key", key}, {"states", judged.states}, {"complete", judged.complete}};
  json["graph"] = judged.graph;
  json["sent"] = judged.sent;
  json["seen"] = judged.seen;
  json["refusal"] = judged.refusal;
  json["properties"] = ResultJson::array();
  for (const JudgedProperty& one : judged.properties) json["properties"].push_back(json_of(one));
  json["sum"] = digits_of(json.dump(-1, ' ', false, ResultJson::error_handler_t::replace)).substr(0, 16);
  return json.dump(-1, ' ', false, ResultJson::error_handler_t::replace);
}

/// Throws what JSON throws at whatever is not as line_of wrote it.
std::pair<std::string, Judged> result_in(std::string_view line) {
  const ResultJson json = ResultJson::parse(line);
  Judged judged{.states = json.at("states"),
                .complete = json.at("complete"),
                .graph = json.at("graph"),
                .sent = json.at("sent"),
                .seen = json.at("seen"),
                .refusal = json.at("refusal")};
  for (const ResultJson& one : json.at("properties"))
    judged.properties.push_back({.name = one.at("name"),
                                 .verdict = one.at("verdict"),
                                 .why = one.value("why", ""),
                                 .vacuous = one.value("vacuous", false),
                                 .steps = one.value("steps", std::uint64_t{0}),
                                 .trail = one.value("trail", "")});
  return {json.at("key"), std::move(judged)};
}

/// A scenario names the files of their scripts, and these may change.
std::string text_of_schemes(const model::Setup& setup) {
  std::string text;
  for (const auto& [kind, script] : model::scripts_of_schemes(setup))
    text += fmt::format("{} {} {}\n", kind->name, script->role, script->sha1);
  return text;
}

}  // namespace

const JudgedProperty* Judged::find(const std::string& property) const {
  for (const JudgedProperty& one : properties)
    if (one.name == property) return &one;
  return nullptr;
}

QuestionDigests digests_of(const model::Setup& setup) {
  const std::set<std::string_view> roles = roles_of(setup);
  model::Setup nameless = setup;
  std::string scripts = text_of(setup.scripts, roles);
  forget_names(nameless.scripts);
  nameless.about.clear();
  for (model::ProcessSetup& process : nameless.processes) {
    if (!process.own) continue;
    scripts += process.name + "\n" + text_of(process.own->scripts, roles);
    forget_names(process.own->scripts);
  }
  scripts += text_of_schemes(setup);
  return {digits_of(scenarios::normalised(nameless)), digits_of(scripts)};
}

std::string key_of(const QuestionDigests& question, const std::string& limits) {
  return digits_of(question.scenario + "\n" + question.scripts + "\n" + limits);
}

Judged judge(const model::Setup& setup, const properties::CheckOptions& options) {
  const properties::CheckReport report = properties::check(setup, options);
  Judged judged{.states = report.states,
                .complete = report.complete,
                .graph = report.graph ? sim::hex(*report.graph) : "",
                .sent = {report.sent.begin(), report.sent.end()},
                .refusal = report.refusal.value_or(""),
                .in_time = !report.time_was_up && !report.interrupted};
  if (report.refusal) return judged;
  for (const properties::PropertyResult& one : report.results)
    judged.properties.push_back({.name = properties::name_of(one.property, setup),
                                 .verdict = std::string(properties::name_of(one.verdict)),
                                 .why = one.why,
                                 .vacuous = one.vacuous,
                                 .steps = one.trail ? one.trail->lines.size() : 0,
                                 .trail = one.deviations ? sim::text_of(*one.deviations) : ""});
  for (const auto& [name, bit] : properties::wanted_witnesses(setup))
    if ((report.witnesses & bit) != 0) judged.seen.push_back(name);
  return judged;
}

sim::Result<KeptResults> KeptResults::parse(std::string_view text, const std::string& file,
                                            const std::string& program) {
  KeptResults kept(program);
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const auto wrong = [&](std::string_view what) {
      return sim::Problem{fmt::format("{}:{}: {}; gates keep results there, and none was overwritten",
                                      reports::printable(file), number, what)};
    };
    if (end == std::string_view::npos) return wrong("is cut off");
    text.remove_prefix(end + 1);
    try {
      if (number == 1) {
        const ResultJson head = ResultJson::parse(line);
        if (head.at("lockstep") != "results") return wrong("is no file of results");
        if (head.at("v") != results_format) return wrong("is of another format");
        if (head.at("program") != program) return kept;  // what another build found is of no use
        continue;
      }
      auto [key, judged] = result_in(line);
      if (line_of(key, judged) != line) return wrong("does not have the digest of its own line");
      kept.order_.push_back(key);
      kept.by_key_.emplace(std::move(key), std::move(judged));
    } catch (const ResultJson::exception&) { return wrong("is no line of results"); }
  }
  if (number == 0) return sim::Problem{reports::printable(file) + ": is empty; gates keep results there"};
  return kept;
}

const Judged* KeptResults::find(const std::string& key) {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &found->second;
}

void KeptResults::keep(const std::string& key, Judged judged) {
  if (!by_key_.insert_or_assign(key, std::move(judged)).second) std::erase(order_, key);
  order_.push_back(key);
  changed_ = true;
}

std::string KeptResults::text() const {
  std::string out =
      ResultJson{{"lockstep", "results"}, {"v", results_format}, {"program", program_}}.dump() + "\n";
  const std::size_t begin = order_.size() - std::min(order_.size(), results_max);
  for (std::size_t i = begin; i < order_.size(); ++i) out += line_of(order_[i], by_key_.at(order_[i])) + "\n";
  return out;
}

}  // namespace lockstep::tools
