#include "tools/cli/pinned.h"

#include <fmt/format.h>

#include <filesystem>

#include "properties/check/check.h"
#include "properties/check/prefix.h"
#include "properties/monitors/all_properties.h"
#include "reports/text/text.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/script_reader.h"
#include "sim/run/replay.h"
#include "tools/cli/load.h"

namespace lockstep::tools {

namespace {

using Path = std::filesystem::path;

/// The deviations of a run and its last decision, each wherever it stands.
std::vector<std::string> decisive(const properties::Checked& system, const properties::MadeMoves& run) {
  std::vector<std::string> lines;
  std::size_t next = 1;
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (!run[i].is_deviation() && i + 1 < run.size()) continue;
    const std::string move = system.show(run[i].move);
    lines.push_back(i + 1 == next ? move : fmt::format("@{} {}", i + 1, move));
    next = i + 2;
  }
  return lines;
}

/// A file's name as seen from another folder.
std::string seen_from(const Path& folder, const Path& beside, const std::string& name) {
  std::error_code ignored;
  const Path file = beside / name;
  if (!std::filesystem::exists(file, ignored)) return name;
  const Path there = std::filesystem::proximate(file, folder.empty() ? Path(".") : folder, ignored);
  return there.empty() ? name : there.string();
}

/// Sets in folders and scripts in files. Those that the scenario names itself lie beside it, and those of a
/// command line where the command was given.
void name_from(const Path& folder, const Path& scenario, const lua::ScriptSet& written, lua::ScriptSet& set) {
  const scenarios::SetName name = scenarios::split_set_name(set.name);
  const bool own_base = scenarios::split_set_name(written.name).base == name.base;
  set.name = seen_from(folder, own_base ? scenario : Path(), name.base);
  for (const std::string& role : name.replaced) {
    lua::Script& script = set.roles.at(role);
    const lua::Script* own = written.find(role);
    const bool is_own = own != nullptr && own->file == script.file && own->sha1 == script.sha1;
    script.file = seen_from(folder, is_own ? scenario : Path(), script.file);
    set.name += "+" + role;
  }
}

sim::Result<model::Setup> named_from(model::Setup setup, const Following& what, const Path& folder) {
  const std::string word = what.scenario.empty() ? setup.name : what.scenario;
  const auto written = load_scenario(word, {});
  if (!written) return written.problem();
  const Path scenario = Path(scenario_file(word)).parent_path();
  name_from(folder, scenario, written->scripts, setup.scripts);
  for (std::size_t i = 0; i < setup.processes.size(); ++i)
    if (auto& own = setup.processes[i].own)
      name_from(folder, scenario, written->scripts_of(sim::make_id<model::ProcessId>(i)), own->scripts);
  return setup;
}

}  // namespace

sim::Result<model::Setup> written_from(const model::Setup& setup, const Following& what,
                                       const std::string& file) {
  return named_from(setup, what, Path(file).parent_path());
}

namespace {

void expect_what_happens(model::Setup& setup, const properties::Told& told) {
  const auto before = std::move(setup.expect);
  setup.expect.clear();
  setup.sometimes.clear();
  properties::CheckOptions open;
  open.shrink = false;
  open.watched = 0;
  for (const properties::PropertyInfo& one : properties::all_properties(setup)) {
    const std::string name(one.name);
    const auto said = before.find(name);
    if ((told.violated & properties::bit(one.property)) != 0) setup.expect[name] = model::Expected::violated;
    else if (said == before.end()) continue;
    else if (said->second != model::Expected::violated) setup.expect[name] = said->second;
    else open.watched |= properties::bit(one.property);
  }
  if (open.watched == 0) return;
  for (const properties::PropertyResult& one : properties::check(setup, open).results)
    if (one.verdict == properties::Verdict::violated)
      setup.expect[properties::name_of(one.property, setup)] = model::Expected::violated;
}

}  // namespace

sim::Result<std::string> pinned_scenario(const Following& what, const std::string& file) {
  auto followed = load_followed(what);
  if (!followed) return followed.problem();
  const sim::Trail& trail = followed->trail;
  const std::string from = reports::printable(what.file);
  properties::Checked system(followed->setup);
  const auto plan = sim::plan_of(system, trail);
  if (!plan) return plan.problem();
  const auto replayed = sim::replay(system, *plan);
  const auto told = properties::tell(followed->setup, trail);
  if (replayed.divergence) return sim::Problem{from + ": the run leaves the trail: " + *told.divergence};
  if (replayed.run.trail.empty()) return sim::Problem{from + ": a run without decisions pins nothing"};
  auto named = named_from(followed->setup, what, Path(file).parent_path());
  if (!named) return named.problem();
  model::Setup pinned = *std::move(named);
  pinned.name += "/" + (trail.property.empty() ? "pinned" : trail.property);
  pinned.prefix = decisive(system, replayed.run.trail);
  expect_what_happens(pinned, told);
  const std::string of = trail.property.empty() ? "a run" : "a run about " + trail.property;
  return fmt::format("# Pins {} of {}: each run begins with its decisions, which [schedule] names.\n{}", of,
                     reports::printable(followed->setup.name), scenarios::normalised(pinned));
}

}  // namespace lockstep::tools
