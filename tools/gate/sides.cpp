#include "tools/gate/sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "properties/monitors/all_properties.h"
#include "tools/cli/load.h"

namespace lockstep::tools {

namespace {

constexpr std::string_view sometimes = "sometimes ";

std::string seen_word(const Judged& judged, const std::string& witness) {
  const auto& seen = judged.seen;
  return std::find(seen.begin(), seen.end(), witness) != seen.end() ? "seen" : "unseen";
}

/// Whether no search could say anything else: not what was sampled, and not what one did not come to see.
bool is_final(const KeptVerdict& entry) {
  const bool definite = entry.verdict == "proved" || entry.verdict == "violated" || entry.verdict == "seen";
  return definite || (!entry.graph.empty() && entry.verdict == "unseen");
}

Judged judged_by(const std::vector<KeptVerdict>& entries) {
  Judged judged;
  for (const KeptVerdict& entry : entries) {
    judged.states = entry.states;
    judged.graph = entry.graph;
    if (entry.verdict == "seen") judged.seen.push_back(entry.property.substr(sometimes.size()));
    if (!entry.property.starts_with(sometimes))
      judged.properties.push_back({.name = entry.property,
                                   .verdict = entry.verdict,
                                   .why = {},
                                   .vacuous = entry.vacuous,
                                   .steps = entry.steps,
                                   .trail = {}});
  }
  judged.complete = !judged.graph.empty();
  return judged;
}

}  // namespace

bool Sides::alike() const { return base && base_digests == head_digests; }

std::optional<OneVerdict> Sides::head_verdict(const std::string& property) const {
  if (!head_judged.refusal.empty()) return OneVerdict{.verdict = "unknown"};
  if (const JudgedProperty* one = head_judged.find(property))
    return OneVerdict{.verdict = one->verdict, .vacuous = one->vacuous};
  for (const auto& [witness, bit] : properties::wanted_witnesses(head))
    if (property == std::string(sometimes) + witness)
      return OneVerdict{.verdict = seen_word(head_judged, witness)};
  return std::nullopt;
}

/// The head has words of the base in front of its own.
std::string as_typed(const sim::Problem& problem, const std::vector<std::string>& base,
                     const std::vector<std::string>& head) {
  for (const auto& [option, words] : {std::pair("--base ", &base), std::pair("--head ", &head)})
    for (const std::string& word : *words)
      if (const std::string said = "--scripts " + word + ":"; problem.text.starts_with(said))
        return option + word + problem.text.substr(said.size() - 1);
  return problem.text;
}

sim::Result<Sides> load_sides(const std::string& word, const std::vector<std::string>& base,
                              const std::vector<std::string>& head) {
  auto with_head = load_scenario(word, head);
  if (!with_head) return sim::Problem{as_typed(with_head.problem(), base, head)};
  Sides sides{.word = word, .head = *std::move(with_head)};
  auto with_base = load_scenario(word, base);
  if (with_base) sides.base = *std::move(with_base);
  else sides.no_base = as_typed(with_base.problem(), base, head);
  sides.head_digests = digests_of(sides.head);
  if (sides.base) sides.base_digests = digests_of(*sides.base);
  return sides;
}

Asker::Asker(const properties::CheckOptions& options, const std::optional<Baseline>& baseline,
             const std::string& program, KeptResults& kept, const BeginCheck& begin)
    : options_(options), baseline_(baseline), program_(program), kept_(kept), begin_(begin) {
  limits_ = fmt::format("{} {} {} {} {} {}", options.states_max, options.depth_max, options.memory_bytes_max,
                        options.runs, options.seed, options.steps_max.value_or(0));
}

/// The answer that is kept, or a new one.
Judged Asker::answer(const model::Setup& setup, const QuestionDigests& question) {
  const std::string key = key_of(question, limits_);
  if (const Judged* known = kept_.find(key)) return *known;
  properties::CheckOptions options = options_;
  options.graph = true;
  options.outside = begin_(setup.name);
  Judged judged = judge(setup, options);
  if (judged.in_time && !program_.empty()) kept_.keep(key, judged);
  return judged;
}

std::vector<KeptVerdict> Asker::in_baseline(const std::string& scenario,
                                            const QuestionDigests& question) const {
  std::vector<KeptVerdict> entries;
  if (!baseline_ || program_.empty() || baseline_->program != program_) return entries;
  for (const KeptVerdict& entry : baseline_->entries)
    if (entry.scenario == scenario && entry.digest == question.scenario && entry.scripts == question.scripts)
      entries.push_back(entry);
  return entries;
}

void Asker::take_base(Sides& sides, const Judged& judged) const {
  sides.base_graph = judged.graph;
  sides.no_base = judged.refusal;
  for (const JudgedProperty& one : judged.properties)
    sides.base_verdicts[one.name] = {.verdict = one.verdict, .vacuous = one.vacuous};
  if (!judged.refusal.empty()) return;
  for (const auto& [witness, bit] : properties::wanted_witnesses(*sides.base))
    sides.base_verdicts[std::string(sometimes) + witness].verdict = seen_word(judged, witness);
}

bool Asker::ask(Sides& sides) {
  if (interrupted()) return false;
  std::vector<KeptVerdict> entries;
  if (sides.base) entries = in_baseline(sides.head.name, sides.base_digests);
  const bool all_final = !entries.empty() && std::all_of(entries.begin(), entries.end(), is_final);
  if (sides.alike() && all_final) sides.head_judged = judged_by(entries);
  else sides.head_judged = answer(sides.head, sides.head_digests);
  if (interrupted()) return false;
  if (!sides.base) return true;
  if (!entries.empty()) take_base(sides, judged_by(entries));
  else take_base(sides, sides.alike() ? sides.head_judged : answer(*sides.base, sides.base_digests));
  return !interrupted();
}

std::vector<KeptVerdict> verdicts_to_keep(const Sides& sides) {
  std::vector<KeptVerdict> kept;
  const auto keep = [&](const std::string& property, std::uint64_t steps) {
    const auto verdict = sides.head_verdict(property);
    kept.push_back({.scenario = sides.head.name,
                    .digest = sides.head_digests.scenario,
                    .scripts = sides.head_digests.scripts,
                    .property = property,
                    .verdict = verdict->verdict,
                    .vacuous = verdict->vacuous,
                    .states = sides.head_judged.complete ? sides.head_judged.states : 0,
                    .steps = steps,
                    .graph = sides.head_judged.graph});
  };
  if (!sides.head_judged.refusal.empty()) return kept;
  for (const JudgedProperty& one : sides.head_judged.properties) keep(one.name, one.steps);
  for (const auto& [witness, bit] : properties::wanted_witnesses(sides.head))
    keep(std::string(sometimes) + witness, 0);
  return kept;
}

}  // namespace lockstep::tools
