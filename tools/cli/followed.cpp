#include "tools/cli/followed.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "model/world/move.h"
#include "properties/monitors/all_properties.h"
#include "scenarios/embedded.h"
#include "scenarios/format/script_reader.h"
#include "scenarios/format/suggest.h"
#include "tools/cli/input.h"
#include "tools/cli/load.h"

namespace lockstep::tools {

namespace {

using model::Setup;
using sim::Problem;

Problem at_line(const std::string& file, sim::FileLine at, std::string what) {
  return {fmt::format("{}:{}: {}", file, at.number, std::move(what))};
}

/// What does not exist whatever the scenario is.
std::optional<Problem> wrong_verdict(const sim::Trail& trail, const std::string& file) {
  const std::vector<std::string> verdicts{"violated", "passed"};
  if (!trail.verdict.empty() && std::find(verdicts.begin(), verdicts.end(), trail.verdict) == verdicts.end())
    return at_line(file, trail.verdict_at,
                   fmt::format("a run is {}, not `{}`", scenarios::either(verdicts), trail.verdict));
  return std::nullopt;
}

/// A scenario may have properties of its own.
std::optional<Problem> names_nothing(const sim::Trail& trail, const Setup& setup, const std::string& file) {
  if (trail.property.empty() || properties::find_property(trail.property, setup)) return std::nullopt;
  std::vector<std::string> names;
  for (const properties::PropertyInfo& one : properties::all_properties(setup)) names.emplace_back(one.name);
  const std::string guess = scenarios::did_you_mean(trail.property, names);
  return at_line(
      file, trail.property_at,
      fmt::format("there is no property `{}`{}{}", trail.property, guess.empty() ? "" : "; ", guess));
}

std::optional<Problem> impossible_move(const sim::Trail& trail, const Setup& setup, const std::string& file) {
  for (const sim::TrailLine& line : trail.lines)
    if (const auto move = model::parse_move(line.move, setup); !move)
      return at_line(file, line.at, move.problem().text);
  return std::nullopt;
}

/// The file that the trail says, from here; else beside the trail, with its folders and without. Empty: gone.
std::string file_told_by(const sim::Trail& trail, const std::string& trail_file) {
  if (trail.scenario_file.empty()) return "";
  const std::filesystem::path told(trail.scenario_file),
      beside = std::filesystem::path(trail_file).parent_path();
  std::error_code ignored;
  for (const auto& file : {told, beside / told, beside / told.filename()})
    if (std::filesystem::is_regular_file(file, ignored)) return file.string();
  return "";
}

/// The scenario as its file has it.
sim::Result<Setup> scenario_of(const sim::Trail& trail, const Following& what,
                               const std::vector<std::string>& scripts) {
  if (!what.scenario.empty()) return load_scenario(what.scenario, scripts);
  std::error_code ignored;
  const std::size_t bracket = std::min(trail.scenario.find('['), trail.scenario.size());
  const std::string name = trail.scenario.substr(0, bracket), instance = trail.scenario.substr(bracket);
  const std::string file = file_told_by(trail, what.file);
  if (!file.empty()) return load_scenario(file + instance, scripts);
  const bool known = scenarios::find_embedded_scenario(name) != nullptr ||
                     std::filesystem::exists(trail.scenario, ignored) ||
                     std::filesystem::exists(name, ignored);
  if (known) return load_scenario(trail.scenario, scripts);
  const std::string lost =
      trail.scenario_file.empty()
          ? "which is neither built in nor a file here"
          : fmt::format("whose file {} is neither here nor beside the trail", trail.scenario_file);
  return at_line(what.file, trail.scenario_at,
                 fmt::format("the trail is of the scenario `{}`, {}; name its file with --scenario",
                             trail.scenario, lost));
}

bool names_role(const std::vector<std::string>& scripts, const std::string& role) {
  return std::any_of(scripts.begin(), scripts.end(), [&](const std::string& spec) {
    return spec.starts_with(role + "=") || spec.find('=') == std::string::npos;
  });
}

/// The script that serves a role, or `PROCESS:ROLE`; nullptr if there is none.
const lua::Script* serving(const Setup& setup, const std::string& role) {
  const std::size_t colon = role.rfind(':');
  if (colon == std::string::npos) return setup.scripts.find(role);
  for (const model::ProcessSetup& process : setup.processes)
    if (process.name == role.substr(0, colon))
      return (process.own ? process.own->scripts : setup.scripts).find(role.substr(colon + 1));
  return nullptr;
}

/// What the command line said of scripts when the trail was made, as far as the scenario does not say it.
std::vector<std::string> scripts_of(const sim::Trail& trail, const Setup& as_written,
                                    const std::vector<std::string>& now) {
  std::vector<std::string> specs;
  const scenarios::SetName then = scenarios::split_set_name(trail.scripts);
  const bool another_set =
      !trail.scripts.empty() && then.base != scenarios::split_set_name(as_written.scripts.name).base;
  if (another_set) specs.push_back(then.base);
  for (const sim::TrailScript& used : trail.used) {
    const lua::Script* own = serving(as_written, used.role);
    const bool same = own != nullptr && own->sha1 == used.sha1 && own->file == used.source;
    const bool of_one = used.role.find(':') != std::string::npos;
    const bool was_replaced = of_one || then.replaced.count(used.role) != 0;
    if (!was_replaced || same || used.source.empty() || names_role(now, used.role)) continue;
    const auto bytes = read_input(used.source);
    if (bytes) specs.push_back(used.role + "=" + used.source);
  }
  return specs;
}

/// Each script that is not the one of the trail.
std::string difference(const sim::Trail& trail, const Setup& setup) {
  std::string text;
  for (const sim::TrailScript& used : trail.used) {
    const lua::Script* own = serving(setup, used.role);
    if (own != nullptr && own->sha1 == used.sha1) continue;
    text += fmt::format("{}the script of role `{}` is another: the trail has {} (SHA1 {})",
                        text.empty() ? "" : "; ", used.role, used.source.empty() ? "one" : used.source,
                        used.sha1.substr(0, 12));
    if (own == nullptr) text += ", and now there is none";
    else text += fmt::format(", now it is {} ({})", own->file, own->sha1.substr(0, 12));
  }
  if (!text.empty() || trail.scenario_digest.empty() || trail.scenario_digest == setup.digest) return text;
  if (trail.scenario != setup.name)
    text = fmt::format("the trail was made from {}, and this is {}", trail.scenario, setup.name);
  else
    text = fmt::format("the trail was made from another version of {} (digest {}, now {})", setup.name,
                       trail.scenario_digest, setup.digest);
  return text;
}

}  // namespace

sim::Result<FollowedTrail> load_followed(sim::Trail trail, const Following& what) {
  if (auto problem = wrong_verdict(trail, what.file)) return *std::move(problem);
  auto setup = scenario_of(trail, what, {});
  if (!setup) return setup.problem();
  if (auto problem = names_nothing(trail, *setup, what.file)) return *std::move(problem);
  std::vector<std::string> scripts;
  if (what.with_its_scripts) scripts = scripts_of(trail, *setup, what.scripts);
  if (!scripts.empty()) {
    setup = scenario_of(trail, what, scripts);
    if (!setup && what.scripts.empty()) return at_line(what.file, trail.scripts_at, setup.problem().text);
  }
  scripts.insert(scripts.end(), what.scripts.begin(), what.scripts.end());
  if (!what.scripts.empty()) setup = scenario_of(trail, what, scripts);
  if (!setup) return setup.problem();
  FollowedTrail followed{std::move(trail), *std::move(setup), {}};
  followed.scripts = std::move(scripts);
  followed.differs = difference(followed.trail, followed.setup);
  if (!followed.differs.empty() && what.scripts.empty() && !what.lenient)
    return Problem{
        fmt::format("{}: {}; --lenient follows it as far as it goes", what.file, followed.differs)};
  if (auto problem = impossible_move(followed.trail, followed.setup, what.file)) return *std::move(problem);
  return followed;
}

sim::Result<FollowedTrail> load_followed(const Following& what) {
  auto trail = load_trail(what.file);
  if (!trail) return trail.problem();
  return load_followed(*std::move(trail), what);
}

}  // namespace lockstep::tools
