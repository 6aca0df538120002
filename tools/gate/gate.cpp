#include "tools/gate/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "properties/monitors/all_properties.h"
#include "reports/files/trace_file.h"
#include "reports/text/story.h"
#include "reports/text/text.h"
#include "sim/base/amount.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"
#include "tools/gate/changed_scripts.h"
#include "tools/gate/compared.h"
#include "tools/gate/stored_trails.h"

namespace lockstep::tools {

namespace {

using reports::Finding;
using reports::Weight;

class GateRun {
 public:
  GateRun(const GateRequest& request, KeptResults& kept, const BeginCheck& begin)
      : request_(request), asker_(request.options, request.baseline, request.program, kept, begin) {
    findings_.command = "gate";
    findings_.about = request.about;
    findings_.version = request.version;
  }

  sim::Result<Gated> run() && {
    for (const std::string& word : request_.scenarios)
      if (auto problem = load(word)) return *std::move(problem);
    for (const std::string& file : request_.trails)
      if (auto problem = replay(file)) return *std::move(problem);
    for (Sides& one : sides_) {
      findings_.complete = asker_.ask(one);
      if (!findings_.complete) break;
      note_asked(one);
      if (auto problem = compare(one)) return *std::move(problem);
    }
    for (const StoredTrail& stored : trails_) judge_trail(stored);
    finish();
    return std::move(gated_);
  }

 private:
  /// A baseline knows scenarios by their names, so there is one of each.
  std::optional<sim::Problem> load(const std::string& word) {
    auto sides = load_sides(word, request_.base, request_.head);
    if (!sides) return sides.problem();
    const auto [known, is_new] = by_name_.emplace(sides->head.name, sides_.size());
    if (!is_new && sides_[known->second].head.digest != sides->head.digest)
      return sim::Problem{fmt::format("{} and {} are both called {}, and differ", sides_[known->second].word,
                                      word, sides->head.name)};
    if (!is_new) return std::nullopt;
    changed_.look(sides->base ? &*sides->base : nullptr, sides->head);
    sides_.push_back(*std::move(sides));
    return std::nullopt;
  }

  void note_asked(const Sides& one) {
    ++findings_.scenarios;
    const auto& judged = one.head_judged.properties;
    const bool decided = one.head_judged.refusal.empty() &&
                         std::none_of(judged.begin(), judged.end(),
                                      [](const JudgedProperty& p) { return p.verdict == "unknown"; });
    if (!one.head_judged.complete && !decided) ++findings_.cut;
    changed_.sent(one.head_judged.sent);
    for (KeptVerdict& kept : verdicts_to_keep(one)) gated_.verdicts.push_back(std::move(kept));
  }

  // ---- comparing

  std::optional<sim::Problem> compare(const Sides& one) {
    std::vector<std::string> names;
    for (const JudgedProperty& p : one.head_judged.properties) names.push_back(p.name);
    for (const auto& wanted : properties::wanted_witnesses(one.head))
      names.push_back("sometimes " + wanted.name);
    for (const auto& [name, verdict] : one.base_verdicts)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    bool told = false;
    for (const std::string& name : names) {
      if (auto problem = compare_one(one, name)) return problem;
      told = told || findings_.all.back().told();
    }
    const bool other =
        !one.base_graph.empty() && !one.head_judged.graph.empty() && one.base_graph != one.head_judged.graph;
    if (other && !told) otherwise_.push_back(one.head.name);
    if (!one.no_base.empty()) findings_.notes.push_back(one.head.name + " has no base: " + one.no_base);
    return std::nullopt;
  }

  static AskedProperty asked_of(const Sides& one, const std::string& name, const OneVerdict& head) {
    AskedProperty asked{.named = one.head.expect.contains(name)};
    const auto property = properties::find_property(name, one.head);
    if (!property) return asked;
    const bool violated = head.verdict == "violated";
    asked.meets = violated == (properties::expected_of(one.head, *property) == model::Expected::violated);
    return asked;
  }

  std::optional<sim::Problem> compare_one(const Sides& one, const std::string& name) {
    std::optional<OneVerdict> base;
    if (const auto found = one.base_verdicts.find(name); found != one.base_verdicts.end())
      base = found->second;
    const auto head = one.head_verdict(name);
    Judgement judgement = compare_verdicts(base, head, head ? asked_of(one, name, *head) : AskedProperty{});
    if (judgement.outcome == "same" && judgement.weight == Weight::vacuous && was_written_for_others(one)) {
      judgement.weight = Weight::fine;
      cannot_occur_.push_back(one.head.name + " · " + name);
    }
    Finding finding = finding_of(one.head, one.word, name);
    finding.states = one.head_judged.states;
    finding.base = base ? base->verdict : "";
    finding.head = head ? head->verdict : "";
    if (head) judgement = accepted(std::move(judgement), *head, finding);
    const JudgedProperty* judged = one.head_judged.find(name);
    finding.why = !one.head_judged.refusal.empty() ? one.head_judged.refusal : judgement.why;
    if (judged != nullptr && judgement.weight != Weight::fine && !judged->why.empty())
      finding.why += (finding.why.empty() ? "" : "; ") + judged->why;
    settle(finding, judgement);
    if (judged != nullptr && !judged->trail.empty() && finding.told()) {
      if (auto problem = add_counterexample(finding, one.head, judged->trail)) return problem;
    } else if (finding.weight != Weight::fine) {
      anchor_at_change(finding);
    }
    findings_.all.push_back(std::move(finding));
    return std::nullopt;
  }

  /// What a scenario wants to be met may not exist under other scripts than it names. That both sides were
  /// searched whole with such scripts and neither met it is then nobody's fault.
  static bool was_written_for_others(const Sides& one) {
    if (one.base_graph.empty() || !one.head_judged.complete) return false;
    const auto as_named = load_scenario(one.word, {});
    return as_named && digests_of(*as_named).scripts != one.base_digests.scripts;
  }

  Judgement accepted(Judgement judgement, const OneVerdict& head, Finding& finding) {
    if (!request_.baseline || head.verdict != "violated") return judgement;
    for (const Acceptance& one : request_.baseline->accepted) {
      if (one.scenario != finding.scenario || one.property != finding.property) continue;
      matched_.insert({one.scenario, one.property});
      finding.reason = one.reason;
      finding.until = one.until;
      return with_acceptance(std::move(judgement), head, one, request_.today);
    }
    return judgement;
  }

  void settle(Finding& finding, const Judgement& judgement) const {
    const std::set<std::string>& fail_on = request_.fail_on;
    finding.outcome = judgement.outcome;
    finding.weight = judgement.weight;
    if (finding.weight == Weight::vacuous && !fail_on.contains("unfound")) finding.weight = Weight::fine;
    if (finding.outcome == "accepted") return;
    if (finding.outcome != "regressed") {
      if (fail_on.contains(finding.outcome)) finding.weight = Weight::failed;
    } else if (finding.weight == Weight::failed && !fail_on.contains("regressed")) {
      finding.weight = Weight::fine;
    }
  }

  static Finding finding_of(const model::Setup& head, const std::string& word, const std::string& property) {
    Finding finding;
    finding.scenario = head.name;
    finding.property = property;
    if (const auto known = properties::find_property(property, head))
      finding.promise = std::string(properties::info(*known, head).says);
    finding.scenario_file = scenario_file(word);
    for (const auto& [role, script] : head.scripts.roles) finding.script_files[role] = script.file;
    return finding;
  }

  std::string replay_command(const std::string& file, const std::string& word,
                             const std::string& name) const {
    std::string text = "lockstep replay " + reports::shell_word(file);
    if (word != name) text += " --scenario " + reports::shell_word(word);
    for (const std::string& spec : request_.head) text += " --scripts " + reports::shell_word(spec);
    return text;
  }

  std::optional<sim::Problem> add_counterexample(Finding& finding, const model::Setup& setup,
                                                 const std::string& text) {
    const auto trail = sim::parse_trail(text, finding.scenario);
    if (!trail) return trail.problem();
    properties::Told told = properties::tell(setup, *trail);
    const std::string folder = request_.out_dir + "/" + setup.name;
    if (auto problem = make_result_folder(request_.out_dir, setup.name)) return problem;
    finding.trail_file = fmt::format("{}/{}.trail", folder, finding.property);
    finding.trace_file = fmt::format("{}/{}.jsonl", folder, finding.property);
    if (auto problem = write_file(finding.trail_file, text)) return problem;
    if (auto problem = write_file(finding.trace_file, reports::write_trace(told.trace))) return problem;
    finding.replay = replay_command(finding.trail_file, sides_[by_name_[setup.name]].word, setup.name);
    add_story(finding, std::move(told));
    return std::nullopt;
  }

  void add_story(Finding& finding, properties::Told told) const {
    finding.steps = told.steps;
    finding.story = reports::story(told.trace);
    const auto write = reports::violating_write(told.trace, finding.property, changed_.changed());
    finding.role = write.role;
    finding.line = write.line;
    finding.trace = std::move(told.trace);
  }

  /// What has no story lies at the first script that changed.
  void anchor_at_change(Finding& finding) const {
    for (const reports::ChangedScript& one : changed_.changed())
      if (finding.role.empty() && finding.script_files.contains(one.role)) {
        finding.role = one.role;
        finding.line = 1;
      }
  }

  // ---- stored trails

  std::optional<sim::Problem> replay(const std::string& file) {
    auto trail = load_trail(file);
    if (!trail) return trail.problem();
    const auto known = by_name_.find(trail->scenario);
    auto stored = replay_stored(file, known == by_name_.end() ? "" : sides_[known->second].word,
                                request_.base, request_.head);
    if (!stored) return stored.problem();
    trails_.push_back(*std::move(stored));
    return std::nullopt;
  }

  /// That a trail breaks a property of the head is known of it, whatever the search of its scenario met.
  void judge_trail(const StoredTrail& stored) {
    if (!stored.no_base.empty())
      findings_.notes.push_back(fmt::format("the trail {} has no base: {}", stored.file, stored.no_base));
    const sim::PropertyMask fresh = stored.head_breaks & ~stored.base_breaks;
    no_longer_ += (stored.base_breaks & ~stored.head_breaks) != 0 && fresh == 0 ? 1 : 0;
    broken_again_ += fresh != 0 ? 1 : 0;
    for (const properties::PropertyInfo& info : properties::all_properties(stored.head))
      if ((fresh & properties::bit(info.property)) != 0) judge_broken(stored, std::string(info.name));
  }

  void judge_broken(const StoredTrail& stored, const std::string& property) {
    const auto known = std::find_if(findings_.all.begin(), findings_.all.end(), [&](const Finding& one) {
      return one.scenario == stored.head.name && one.property == property;
    });
    const bool was_asked = known != findings_.all.end();
    if (was_asked && known->head == "violated") return;  // it is told of already
    Finding finding = finding_of(stored.head, stored.word, property);
    finding.base = was_asked ? known->base : "passed";
    finding.head = "violated";
    finding.why = "the stored trail " + stored.file + " breaks it";
    const bool base_breaks_it = finding.base == "violated";
    const Judgement judgement{.outcome = base_breaks_it ? "same" : "regressed",
                              .weight = base_breaks_it ? Weight::fine : Weight::failed,
                              .why = {}};
    settle(finding, accepted(judgement, {.verdict = "violated"}, finding));
    finding.replay = replay_command(stored.file, stored.word, stored.head.name) + " --lenient";
    add_story(finding, stored.told);
    if (was_asked) *known = std::move(finding);
    else findings_.all.push_back(std::move(finding));
  }

  // ---- the end

  void finish() {
    if (!trails_.empty()) {
      std::string text = sim::amount(trails_.size(), "trail") + " replayed: ";
      text += fmt::format("{} same", trails_.size() - no_longer_ - broken_again_);
      if (no_longer_ > 0) text += fmt::format(", {} no longer broken (fixed?)", no_longer_);
      if (broken_again_ > 0) text += fmt::format(", {} broken by the head alone", broken_again_);
      findings_.trails.push_back(std::move(text));
    }
    findings_.changed = changed_.changed();
    findings_.unchanged = changed_.unchanged();
    if (!otherwise_.empty())
      findings_.notes.push_back(
          fmt::format("same verdicts, different behaviour: {}", fmt::join(otherwise_, ", ")));
    if (!cannot_occur_.empty())
      findings_.notes.push_back(
          fmt::format("cannot occur with the scripts of either side, which the scenario does not name: {}",
                      fmt::join(cannot_occur_, ", ")));
    if (request_.baseline && request_.baseline->program != request_.program &&
        !request_.baseline->entries.empty())
      findings_.notes.push_back("the baseline is of another build of Lockstep; its verdicts were not used");
    if (findings_.complete) note_what_is_missing();
    for (const Finding& one : findings_.all) findings_.weight = std::max(findings_.weight, one.weight);
  }

  void note_what_is_missing() {
    note_unsent();
    if (!request_.baseline) return;
    note_gone();
    note_acceptances();
  }

  void note_unsent() {
    std::string roles;
    for (const reports::ChangedScript& one : findings_.changed)
      if (!one.sent) roles += (roles.empty() ? "" : ", ") + one.role;
    if (roles.empty()) return;
    findings_.notes.push_back(
        "changed, but sent by no scenario that was checked, so nothing is known of it: " + roles);
    if (request_.fail_on.contains("unfound")) findings_.weight = std::max(findings_.weight, Weight::vacuous);
  }

  void note_gone() {
    std::set<std::string> gone;
    for (const KeptVerdict& entry : request_.baseline->entries)
      if (!by_name_.contains(entry.scenario)) gone.insert(entry.scenario);
    for (const std::string& name : gone) {
      Finding finding;
      finding.scenario = name;
      finding.property = "all";
      finding.why = "it is in the baseline, and was not checked";
      settle(finding, {.outcome = "gone", .weight = Weight::fine, .why = {}});
      findings_.all.push_back(std::move(finding));
    }
  }

  void note_acceptances() {
    for (const Acceptance& one : request_.baseline->accepted)
      if (!matched_.contains({one.scenario, one.property}))
        findings_.notes.push_back(
            fmt::format("what is accepted of {} · {} matches no violation; take it out of the baseline",
                        one.scenario, one.property));
  }

  const GateRequest& request_;
  Asker asker_;
  std::vector<Sides> sides_;
  std::map<std::string, std::size_t> by_name_;  // the place among the sides
  ChangedScripts changed_;
  std::vector<StoredTrail> trails_;
  Gated gated_;
  reports::Findings& findings_ = gated_.findings;
  std::vector<std::string> otherwise_, cannot_occur_;
  std::set<std::pair<std::string, std::string>> matched_;
  std::size_t no_longer_ = 0, broken_again_ = 0;
};

}  // namespace

sim::Result<Gated> gate(const GateRequest& request, KeptResults& kept, const BeginCheck& begin) {
  return GateRun(request, kept, begin).run();
}

}  // namespace lockstep::tools
