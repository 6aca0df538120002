#include "tools/cli/load.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "lua/engine/engine.h"
#include "model/client/complete.h"
#include "properties/check/prefix.h"
#include "properties/monitors/all_properties.h"
#include "properties/monitors/predicates.h"
#include "reports/files/trace_file.h"
#include "scenarios/embedded.h"
#include "scenarios/format/changed.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/script_reader.h"
#include "scenarios/format/suggest.h"
#include "tools/cli/input.h"

namespace lockstep::tools {

namespace {

/// `two.toml[time.watchdog=10s]` in its two parts; a file that is called so is meant as it is.
struct ScenarioWord {
  std::string scenario, instance;
};

ScenarioWord parts_of(const std::string& word) {
  std::error_code ignored;
  const std::size_t bracket = word.find('[');
  if (bracket == std::string::npos || !word.ends_with(']') || std::filesystem::exists(word, ignored))
    return {word, ""};
  return {word.substr(0, bracket), word.substr(bracket)};
}

}  // namespace

sim::Result<std::string> scenario_text(const std::string& word) {
  std::error_code ignored;
  const bool is_file = std::filesystem::exists(word, ignored);
  if (is_file || word.ends_with(".toml") || word.ends_with(".json")) {
    const auto* built_in = is_file ? nullptr : scenarios::find_embedded_scenario(word);
    if (built_in == nullptr) return read_input(word, scenario_bytes_max);
  }
  if (const auto* built_in = scenarios::find_embedded_scenario(word)) return std::string(built_in->text);
  return sim::Problem{
      fmt::format("there is no scenario `{}`, neither as a file nor built in; `lockstep list scenarios` "
                  "shows those that are",
                  word.substr(0, 200))};
}

scenarios::ScenarioVocabulary vocabulary() {
  scenarios::ScenarioVocabulary names;
  for (const auto& property : properties::catalog) names.properties.emplace_back(property.name);
  for (const auto& witness : properties::witness_names) names.witnesses.emplace_back(witness);
  using Unfit = std::optional<scenarios::Unfit>;
  names.predicates_max = properties::predicates_max;
  names.sometimes_max = properties::sometimes_max;
  names.unfit_decision = [](const model::Setup& setup) -> Unfit {
    const auto misfit = properties::prefix_of(setup).misfit;
    return misfit ? Unfit({misfit->line, misfit->why}) : std::nullopt;
  };
  names.unfit_predicate = [](const model::Setup& setup) -> Unfit {
    const auto failure = properties::unfit_predicate(setup);
    return failure ? Unfit({failure->predicate, failure->why}) : std::nullopt;
  };
  return names;
}

sim::Result<scenarios::ScriptLibrary> script_library() {
  static const auto library = scenarios::built_in_scripts(
      [](const std::string& path) { return read_input(path, scenario_bytes_max); });
  return library;
}

scenarios::ScriptLibrary beside(scenarios::ScriptLibrary library, const std::string& scenario) {
  library.load = [folder = std::filesystem::path(scenario).parent_path()](const std::string& path) {
    return read_input((folder / path).string(), scenario_bytes_max);
  };
  return library;
}

namespace {

/// Scripts run as they are; one that does not even compile is a mistake of the user.
std::optional<sim::Problem> does_not_compile(const std::string& word, const model::Setup& setup) {
  lua::Engine engine;
  for (const lua::ScriptSet* set : setup.script_sets())
    for (const auto& [role, script] : set->roles) {
      const lua::Reply compiled = engine.load(script.text);
      if (const lua::Error* error = compiled.error())
        return sim::Problem{fmt::format("{}: the script of role `{}`, {}, does not compile: {}", word, role,
                                        script.file, error->text)};
    }
  return std::nullopt;
}

/// The sets that `--scripts [PROCESS:]…` is about: that of one process, which has its own from now on, or
/// all.
std::vector<lua::ScriptSet*> meant_by(std::string& spec, model::Setup& setup) {
  for (model::ProcessSetup& process : setup.processes) {
    if (!spec.starts_with(process.name + ":")) continue;
    spec.erase(0, process.name.size() + 1);
    if (!process.own) process.own = model::ClientSetup{setup.scripts, setup.client};
    return {&process.own->scripts};
  }
  std::vector<lua::ScriptSet*> sets{&setup.scripts};
  for (model::ProcessSetup& process : setup.processes)
    if (process.own) sets.push_back(&process.own->scripts);
  return sets;
}

/// `PROCESS:ROLE=FILE` of a process that there is not.
std::optional<sim::Problem> names_no_process(const std::string& spec, const model::Setup& setup) {
  std::error_code ignored;
  const std::size_t colon = spec.find(':');
  if (colon >= spec.find('=') || std::filesystem::exists(spec, ignored)) return std::nullopt;
  std::vector<std::string> names;
  for (const model::ProcessSetup& process : setup.processes) names.push_back(process.name);
  const std::string name = spec.substr(0, colon);
  if (std::find(names.begin(), names.end(), name) != names.end()) return std::nullopt;
  const std::string few = names.size() > 8 ? "" : "there is " + scenarios::either(names);
  const std::string hint = scenarios::did_you_mean(name, names, few);
  return sim::Problem{
      fmt::format("{} has no process `{}`{}{}", setup.name, name, hint.empty() ? "" : "; ", hint)};
}

sim::Result<model::Setup> with_scripts(model::Setup setup, const std::vector<std::string>& scripts,
                                       const scenarios::ScriptLibrary& library) {
  for (const std::string& word : scripts) {
    std::string spec = word;
    if (const auto problem = names_no_process(spec, setup))
      return sim::Problem{fmt::format("--scripts {}: {}", word, problem->text)};
    for (lua::ScriptSet* set : meant_by(spec, setup)) {
      auto changed = scenarios::apply_override(*set, spec, library);
      if (!changed) return sim::Problem{fmt::format("--scripts {}: {}", word, changed.problem().text)};
      *set = std::move(*changed);
    }
  }
  for (model::ProcessSetup& process : setup.processes)
    if (process.own == model::ClientSetup{setup.scripts, setup.client}) process.own.reset();
  scenarios::number_alike(setup);
  auto completed = model::complete(std::move(setup));
  if (!completed) return completed;
  completed->digest = scenarios::scenario_digest(*completed);
  if (const auto misfit = properties::prefix_of(*completed).misfit)
    return sim::Problem{fmt::format("{}: with these scripts the prefix does not fit: `{}`: {}",
                                    completed->name, completed->prefix[misfit->line], misfit->why)};
  return completed;
}

}  // namespace

sim::Result<model::Setup> load_scenario(const std::string& word, const std::vector<std::string>& scripts,
                                        const std::vector<ValueChange>& changes) {
  const auto library = script_library();
  if (!library) return library.problem();
  const auto [scenario, instance] = parts_of(word);
  auto text = scenario_text(scenario);
  for (std::size_t i = 0; text && i < changes.size(); ++i)
    text = scenarios::changed_scenario(*text, scenario, changes[i].key, changes[i].value);
  if (!text) return text.problem();
  auto setup =
      scenarios::read_scenario(*text, scenario, beside(*library, scenario), vocabulary(), instance);
  if (setup && !scripts.empty()) setup = with_scripts(std::move(*setup), scripts, *library);
  if (!setup) return setup;
  if (setup->name != word) setup->file = scenario_file(word);
  if (auto problem = does_not_compile(word, *setup)) return *std::move(problem);
  return setup;
}

std::vector<std::string> instances_of(const std::string& word) {
  if (!parts_of(word).instance.empty() || word == "-") return {word};  // standard input is read once
  const auto library = script_library();
  const auto text = scenario_text(word);
  if (!library || !text) return {word};
  const auto names = scenarios::scenario_instances(*text, word, beside(*library, word));
  if (!names) return {word};
  std::vector<std::string> words;
  for (const std::string& name : *names) words.push_back(word + name);
  return words;
}

std::string scenario_file(const std::string& word) {
  std::error_code ignored;
  const std::string file = parts_of(word).scenario;
  return std::filesystem::exists(file, ignored) ? file : "";
}

sim::Result<sim::Trail> load_trail(const std::string& path) {
  const auto bytes = read_input(path);
  if (!bytes) return bytes.problem();
  if (!reports::looks_like_trace(*bytes)) return sim::parse_trail(*bytes, path);
  const auto trace = reports::read_trace(*bytes, path);
  if (!trace) return trace.problem();
  return sim::parse_trail(trace->trail, path + " (its trail)");
}

}  // namespace lockstep::tools
