#include "tools/mutate/mutation_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <numeric>

#include "reports/findings/markup.h"
#include "reports/text/text.h"

namespace lockstep::tools {

namespace {

constexpr std::array fates{Fate::caught, Fate::equivalent, Fate::lives, Fate::unknown};

std::string title_of(const MutatedScript& script) {
  return script.file.empty() ? script.role
                             : fmt::format("{} ({})", reports::printable(script.file), script.role);
}

std::string told_of(const MutantFate& one) {
  switch (one.fate) {
    case Fate::caught:
      return fmt::format("{} in {}{}", reports::printable(one.by), reports::printable(one.scenario),
                         one.decisions == 0 ? "" : fmt::format(", {} decisions", one.decisions));
    case Fate::equivalent:
    case Fate::lives:
    case Fate::unknown:
      return reports::printable(one.why);
  }
  return "";
}

std::string counts_of(const MutatedScript& script) {
  return fmt::format("{} made: {} caught, {} equivalent, {} living, {} unknown", script.mutants.size(),
                     script.count(Fate::caught), script.count(Fate::equivalent), script.count(Fate::lives),
                     script.count(Fate::unknown));
}

MutatedScript every_mutant(const MutationScore& score) {
  MutatedScript all;
  for (const MutatedScript& script : score.scripts)
    all.mutants.insert(all.mutants.end(), script.mutants.begin(), script.mutants.end());
  return all;
}

std::string_view sign_of(Fate fate) {
  switch (fate) {
    case Fate::caught:
      return "✓";
    case Fate::equivalent:
      return "=";
    case Fate::lives:
      return "✗";
    case Fate::unknown:
      return "?";
  }
  return "";
}

}  // namespace

std::string_view name_of(Fate fate) {
  switch (fate) {
    case Fate::caught:
      return "caught";
    case Fate::equivalent:
      return "equivalent";
    case Fate::lives:
      return "lives";
    case Fate::unknown:
      return "unknown";
  }
  return "";
}

std::uint64_t MutatedScript::count(Fate fate) const {
  return static_cast<std::uint64_t>(
      std::count_if(mutants.begin(), mutants.end(), [&](const MutantFate& one) { return one.fate == fate; }));
}

std::uint64_t MutationScore::count(Fate fate) const {
  return std::accumulate(scripts.begin(), scripts.end(), std::uint64_t{0},
                         [&](std::uint64_t sum, const MutatedScript& one) { return sum + one.count(fate); });
}

std::string mutation_text(const MutationScore& score, bool every) {
  std::string text;
  for (const MutatedScript& script : score.scripts) {
    text += fmt::format("{}\n  {}\n", title_of(script), counts_of(script));
    for (const MutantFate& one : script.mutants)
      if (every || one.fate == Fate::lives || one.fate == Fate::unknown)
        text += fmt::format("  {} {}: {} · {}: {}\n", sign_of(one.fate), reports::printable(one.place),
                            reports::printable(one.what), name_of(one.fate), told_of(one));
    text += "\n";
  }
  for (const std::string& note : score.notes) text += reports::printable(note) + "\n";
  if (!score.bounds.empty()) text += "equivalent within " + score.bounds + "\n";
  if (!score.complete) text += "incomplete: interrupted\n";
  return text + counts_of(every_mutant(score));
}

std::string mutation_markdown(const MutationScore& score) {
  std::string text =
      "## lockstep mutate\n\n| script | made | caught | equivalent | living | unknown |\n"
      "|---|---|---|---|---|---|\n";
  for (const MutatedScript& script : score.scripts)
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", reports::markdown_text(title_of(script)),
                        script.mutants.size(), script.count(Fate::caught), script.count(Fate::equivalent),
                        script.count(Fate::lives), script.count(Fate::unknown));
  text += "\n| mutant | | by |\n|---|---|---|\n";
  for (const MutatedScript& script : score.scripts)
    for (const MutantFate& one : script.mutants)
      text += fmt::format("| {} | {} | {} |\n", reports::markdown_text(one.place + ": " + one.what),
                          name_of(one.fate), reports::markdown_text(told_of(one)));
  text += "\n";
  for (const std::string& note : score.notes) text += "- " + reports::markdown_text(note) + "\n";
  if (!score.bounds.empty()) text += "- equivalent within " + reports::markdown_text(score.bounds) + "\n";
  if (!score.complete) text += "- incomplete: interrupted\n";
  return text;
}

std::string mutation_json(const MutationScore& score) {
  using ScoreJson = nlohmann::ordered_json;
  ScoreJson json{{"lockstep", "mutation"}, {"v", 1}, {"complete", score.complete}, {"bounds", score.bounds}};
  json["scenarios"] = score.scenarios;
  json["notes"] = score.notes;
  for (const Fate fate : fates) json[std::string(name_of(fate))] = score.count(fate);
  json["scripts"] = ScoreJson::array();
  for (const MutatedScript& script : score.scripts) {
    ScoreJson one{{"role", script.role}, {"file", script.file}, {"mutants", ScoreJson::array()}};
    for (const MutantFate& mutant : script.mutants) {
      ScoreJson told{
          {"place", mutant.place}, {"what", mutant.what}, {"fate", std::string(name_of(mutant.fate))}};
      if (!mutant.by.empty()) told["by"] = mutant.by;
      if (!mutant.scenario.empty()) told["scenario"] = mutant.scenario;
      if (mutant.decisions > 0) told["decisions"] = mutant.decisions;
      if (!mutant.why.empty()) told["why"] = mutant.why;
      one["mutants"].push_back(std::move(told));
    }
    json["scripts"].push_back(std::move(one));
  }
  return json.dump(2, ' ', false, ScoreJson::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::tools
