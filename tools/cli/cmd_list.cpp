#include "tools/cli/cmd_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/client/lock_kind.h"
#include "model/redisson/versions.h"
#include "model/schemes/written.h"
#include "model/world/faults/table.h"
#include "properties/monitors/groups.h"
#include "scenarios/embedded.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/section_schemes.h"
#include "scenarios/format/step_parser.h"
#include "tools/cli/exporters.h"
#include "tools/cli/glossary.h"
#include "tools/cli/load.h"
#include "tools/cli/output.h"

namespace lockstep::tools {

namespace {

struct Entry {
  std::string name, about;
  nlohmann::ordered_json more = nlohmann::ordered_json::object();  // members that only the JSON shows
};
using Entries = std::vector<Entry>;

sim::Result<Entries> scenario_entries() {
  Entries entries;
  for (const scenarios::EmbeddedFile& file : scenarios::embedded_scenarios())
    for (const std::string& word : instances_of(std::string(file.name))) {
      const auto setup = load_scenario(word, {});
      if (!setup) return setup.problem();
      entries.push_back({setup->name, setup->about, {{"scripts", setup->scripts.name}}});
    }
  return entries;
}

/// Of locks.
Entries kind_entries() {
  Entries entries;
  for (const model::LockKind* kind : model::shipped_kinds()) {
    if (!kind->is_taken()) continue;
    auto roles = nlohmann::ordered_json::array();
    for (const model::Role& role : kind->roles) roles.push_back(role.name);
    std::string says(kind->says);
    if (!kind->since.empty()) says += fmt::format(" (since {})", kind->since);
    entries.push_back({std::string(kind->name), std::move(says), {{"roles", roles}}});
  }
  return entries;
}

/// That come with the program.
sim::Result<Entries> scheme_entries(const scenarios::ScriptLibrary& library) {
  Entries entries;
  for (const scenarios::EmbeddedFile& file : scenarios::embedded_schemes()) {
    if (!file.name.ends_with(".scheme")) continue;
    const auto schemes = scenarios::schemes_in(file.text, std::string(file.name), library);
    if (!schemes) return schemes.problem();
    for (const model::LockKind* kind : *schemes)
      entries.push_back({std::string(kind->name), std::string(kind->says)});
  }
  for (const model::LockKind* kind : schemes::kinds_of_servers())
    entries.push_back({std::string(kind->name), std::string(kind->says)});
  return entries;
}

Entries property_entries() {
  Entries entries;
  for (const properties::PropertyInfo& one : properties::catalog) {
    entries.push_back({std::string(one.name),
                       std::string(one.says) + (one.on_request ? " (on request)" : ""),
                       {{"premise", properties::name_of(one.premise)}, {"on-request", one.on_request}}});
  }
  for (const properties::PropertyGroup& group : properties::groups) {
    auto members = nlohmann::ordered_json::array();
    for (const properties::PropertyInfo& one : properties::catalog)
      if ((group.members & properties::bit(one.property)) != 0) members.push_back(one.name);
    entries.push_back(
        {std::string(group.name), std::string(group.says) + " (several)", {{"members", members}}});
  }
  return entries;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

Entries role_entries(const scenarios::ScriptLibrary& library) {
  Entries entries;
  for (const lua::Script& script : library.scripts) {
    const auto known = [&script](const Entry& entry) { return entry.name == script.role; };
    if (std::any_of(entries.begin(), entries.end(), known)) continue;
    entries.push_back(
        {script.role, std::string(about_role(script.role)), {{"keys", script.keys}, {"args", script.args}}});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return entries;
}

Entries script_entries(const scenarios::ScriptLibrary& library) {
  Entries entries;
  for (const lua::Script& script : library.scripts) {
    std::vector<std::string> sets;
    for (const auto& [name, set] : library.sets) {
      const lua::Script* used = set.find(script.role);
      if (used != nullptr && used->file == script.file) sets.push_back(name);
    }
    const std::string used_by = sets.empty() ? "in no set" : "in " + joined(sets);
    entries.push_back({script.file.substr(script.file.rfind('/') + 1),
                       fmt::format("{}; KEYS {}; ARGV {}; {}", script.role, joined(script.keys),
                                   joined(script.args), used_by),
                       {{"role", script.role},
                        {"origin", script.origin},
                        {"versions", script.versions},
                        {"sha1", script.sha1},
                        {"keys", script.keys},
                        {"args", script.args},
                        {"replies", script.replies},
                        {"sets", sets}}});
  }
  return entries;
}

/// With the set of scripts that a version sends.
Entries version_entries(const scenarios::ScriptLibrary& library) {
  Entries entries;
  for (const redisson::Version& one : redisson::versions()) {
    const std::string word = "redisson@" + std::string(one.name);
    auto files = nlohmann::ordered_json::object();
    if (const auto set = scenarios::find_script_set(word, library))
      for (const auto& [role, script] : set->roles) files[role] = script.file;
    entries.push_back({std::string(one.name), std::string(one.says), {{"scripts", files}}});
  }
  return entries;
}

/// With what each version has where it is not what the one before it has.
Entries knob_entries() {
  Entries entries;
  for (const redisson::Knob& knob : redisson::knobs()) {
    auto values = nlohmann::ordered_json::object();
    std::string told, last;
    for (const redisson::Version& one : redisson::versions()) {
      const std::string value = scenarios::knob_value(*redisson::settings_of(one.name), knob);
      if (value == last) continue;
      told += told.empty() ? value : fmt::format(", {} since {}", value, one.name);
      values[std::string(one.name)] = last = value;
    }
    const std::string kind = knob.mutant ? "a mutant" : told;
    entries.push_back({std::string(knob.name),
                       fmt::format("{} ({})", knob.says, kind),
                       {{"mutant", knob.mutant}, {"values", values}}});
  }
  return entries;
}

Entries glossed(const std::vector<std::string>& words, std::string_view (*about)(std::string_view)) {
  Entries entries;
  for (const std::string& word : words) entries.push_back({word, std::string(about(word))});
  return entries;
}

Entries fault_entries() {
  Entries entries;
  const model::Setup setup;
  for (const model::FaultId fault : model::faults_as_told(setup)) {
    const model::FaultRow& row = model::fault_row(fault, setup);
    const std::string modes(model::modes_of(row));
    entries.push_back({std::string(row.key),
                       std::string(row.about) + (modes.empty() ? "" : fmt::format(" (mode {})", modes)),
                       {{"modes", modes.empty() ? "all" : modes}}});
  }
  return entries;
}

std::vector<std::string> step_words() {
  std::vector<std::string> words;
  for (int kind = 0; kind < static_cast<int>(model::StepKind::again); ++kind)
    words.emplace_back(scenarios::word_of(static_cast<model::StepKind>(kind)));
  return words;
}

sim::Result<Entries> entries_of(ListKind kind) {
  const auto library = script_library();
  if (!library) return library.problem();
  switch (kind) {
    case ListKind::scenarios:
      return scenario_entries();
    case ListKind::kinds:
      return kind_entries();
    case ListKind::schemes:
      return scheme_entries(*library);
    case ListKind::properties:
      return property_entries();
    case ListKind::roles:
      return role_entries(*library);
    case ListKind::scripts:
      return script_entries(*library);
    case ListKind::versions:
      return version_entries(*library);
    case ListKind::knobs:
      return knob_entries();
    case ListKind::faults:
      return fault_entries();
    case ListKind::steps:
      return glossed(step_words(), about_step);
    case ListKind::witnesses:
      return glossed(vocabulary().witnesses, about_witness);
    case ListKind::exporters:
      break;
  }
  Entries entries;
  for (const Exporter& one : exporters()) entries.push_back({std::string(one.name), std::string(one.about)});
  return entries;
}

std::string as_lines(const Entries& entries) {
  std::size_t width = 0;
  for (const Entry& entry : entries) width = std::max(width, entry.name.size());
  std::string text;
  for (const Entry& entry : entries) {
    std::string line = fmt::format("{:<{}}  {}", entry.name, width, entry.about);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string as_json(const Entries& entries) {
  auto all = nlohmann::ordered_json::array();
  for (const Entry& entry : entries) {
    nlohmann::ordered_json one;
    one["name"] = entry.name;
    one["about"] = entry.about;
    one.update(entry.more);
    all.push_back(std::move(one));
  }
  return all.dump(2) + "\n";
}

ExitCode run_list(const ListOptions& options, Session& session) {
  const auto entries = entries_of(options.kind);
  if (!entries) return complain(session, entries.problem());
  const std::string text = options.format == Format::json ? as_json(*entries) : as_lines(*entries);
  if (const auto problem = deliver(session.global.out_file, text, session.console.out))
    return complain(session, *problem);
  return ExitCode::as_expected;
}

void declare_list(Grammar& grammar, ListOptions& o) {
  grammar.choice<ListKind>("KIND", o.kind,
                           {{"scenarios", ListKind::scenarios},
                            {"kinds", ListKind::kinds},
                            {"schemes", ListKind::schemes},
                            {"properties", ListKind::properties},
                            {"roles", ListKind::roles},
                            {"scripts", ListKind::scripts},
                            {"versions", ListKind::versions},
                            {"knobs", ListKind::knobs},
                            {"faults", ListKind::faults},
                            {"steps", ListKind::steps},
                            {"exporters", ListKind::exporters},
                            {"witnesses", ListKind::witnesses}},
                           "what to list");
  grammar.format(o.format, "how to print it");
}

}  // namespace

Verb list_verb() {
  return {.name = "list",
          .summary = "show what there is of a kind",
          .usage = "scenarios|kinds|schemes|properties|roles|scripts|versions|knobs|faults|steps|"
                   "exporters|witnesses",
          .examples = {"lockstep list scenarios", "lockstep list roles --format json"},
          .required = {"KIND"},
          .request = requests<ListOptions>({declare_list, run_list})};
}

}  // namespace lockstep::tools
