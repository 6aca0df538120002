// `scripts` and [redisson], of the scenario and of processes that have their own.
#include <fmt/format.h>

#include "model/redisson/versions.h"
#include "scenarios/format/scenario_sections.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

using model::Setup;
using sim::Result;

namespace {

constexpr const char* default_scripts = "redisson@3.10.5";

/// What `scripts` says: a set, or a table with a set (else `usual`) and scripts that replace some of it.
class ScriptChoice {
 public:
  ScriptChoice(TomlReading& reading, const ScriptLibrary& library, lua::ScriptSet& set)
      : reading_(reading), library_(library), set_(set) {}

  void read(const toml::node& node) {
    if (const toml::table* table = node.as_table()) return read_table(*table);
    if (const auto* word = node.as_string()) return find(word->get(), node);
    reading_.wants(node, "scripts", "a string or a table");
  }
  void find(const std::string& word, const toml::node& blamed) {
    Result<lua::ScriptSet> found = find_script_set(word, library_);
    if (found.ok()) set_ = std::move(found).value();
    else reading_.fail(reading_.place_of(blamed), found.problem());
  }

 private:
  void read_table(const toml::table& table) {
    if (const auto* word = reading_.text(table, "set")) find(word->get(), *word);
    for (auto&& [key, node] : table) {
      if (key.str() == "set") continue;
      const std::string role(key.str());
      const auto* path = reading_.text(table, role);
      if (path == nullptr) continue;
      const bool unknown_role = set_.find(role) == nullptr;
      Result<lua::ScriptSet> replaced = replace_script(set_, role, path->get(), library_.load);
      if (replaced.ok()) set_ = std::move(replaced).value();
      else
        reading_.fail(unknown_role ? reading_.place_of(key) : reading_.place_of(*path), replaced.problem());
    }
  }

  TomlReading& reading_;
  const ScriptLibrary& library_;
  lua::ScriptSet& set_;
};

/// The client of the release that the script set is named after.
std::optional<redisson::Settings> client_of(const lua::ScriptSet& scripts) {
  const std::string base = split_set_name(scripts.name).base;
  const std::size_t mark = base.rfind("redisson@");
  if (mark == std::string::npos) return std::nullopt;
  return redisson::settings_of(std::string_view(base).substr(mark + 9));
}

void read_knob(TomlReading& reading, const toml::table& table, const redisson::Knob& knob,
               redisson::Settings& settings) {
  if (const auto* flag = std::get_if<bool redisson::Settings::*>(&knob.member)) {
    settings.**flag = reading.boolean(table, knob.name).value_or(settings.**flag);
  } else if (const auto* count = std::get_if<std::uint16_t redisson::Settings::*>(&knob.member)) {
    settings.**count =
        static_cast<std::uint16_t>(
            reading.integer(table, knob.name, knob.least, knob.most).value_or(settings.**count));
  } else {
    auto& member = settings.*std::get<sim::Duration redisson::Settings::*>(knob.member);
    if (knob.zero) member = reading.duration(table, knob.name).value_or(member);
    else positive(reading, table, knob.name, member);
  }
}

/// A mutant is a knob turned to where no client has it.
void turn(redisson::Settings& settings, const redisson::Knob& knob) {
  if (const auto* flag = std::get_if<bool redisson::Settings::*>(&knob.member)) settings.**flag = true;
  else settings.*std::get<sim::Duration redisson::Settings::*>(knob.member) = sim::Duration::zero();
}

void read_mutants(TomlReading& reading, const toml::table& table, redisson::Settings& settings) {
  std::vector<std::string> words;
  for (const redisson::Knob& knob : redisson::knobs())
    if (knob.mutant) words.emplace_back(knob.name);
  for (const auto* text : reading.texts(table, "mutant")) {
    bool known = false;
    for (const redisson::Knob& knob : redisson::knobs()) {
      if (!knob.mutant || knob.name != text->get()) continue;
      turn(settings, knob);
      known = true;
    }
    if (!known) {
      reading.fail(reading.place_of(*text), fmt::format("unknown mutant `{}`", text->get()),
                   did_you_mean(text->get(), words, "mutants are " + either(words)));
    }
  }
}

/// Whether a version is named, and known.
bool read_version(TomlReading& reading, const toml::table& table, redisson::Settings& settings) {
  const auto* version = reading.text(table, "version");
  if (version == nullptr) return false;
  const auto known = redisson::settings_of(version->get());
  if (known) {
    settings = *known;
    return true;
  }
  std::vector<std::string> versions;
  for (const redisson::Version& one : redisson::versions()) versions.emplace_back(one.name);
  reading.fail(reading.place_of(*version), fmt::format("there is no Redisson {}", version->get()),
               did_you_mean(version->get(), versions, fmt::format("known are {}", redisson::releases_told)));
  return false;
}

/// All of a [redisson] table but its version.
void read_knobs(TomlReading& reading, const toml::table& table, std::string_view where,
                redisson::Settings& settings) {
  std::vector<std::string> known{"version", "mutant"};
  for (const redisson::Knob& knob : redisson::knobs())
    if (!knob.mutant && knob.name != "watchdog") known.emplace_back(knob.name);
  reading.only(table, where, known);
  for (const redisson::Knob& knob : redisson::knobs())
    if (!knob.mutant && knob.name != "watchdog") read_knob(reading, table, knob, settings);
  read_mutants(reading, table, settings);
}

/// A version, or scripts, of a process's own bring their client along; what [redisson] and [time] say of all
/// processes still holds for it, unless it says otherwise itself.
std::optional<model::ClientSetup> own_client(TomlReading& reading, const toml::table& document,
                                             const toml::table& process, const std::string& where,
                                             const ScriptLibrary& library, const Setup& setup) {
  model::ClientSetup own{setup.scripts, setup.client};
  const toml::node* scripts = process.get("scripts");
  if (scripts != nullptr) ScriptChoice(reading, library, own.scripts).read(*scripts);
  const toml::table* table = reading.table(process, "redisson");
  bool other_client = false;
  if (scripts != nullptr)
    if (const auto chosen = client_of(own.scripts)) own.redisson = *chosen, other_client = true;
  if (table != nullptr) other_client = read_version(reading, *table, own.redisson) || other_client;
  if (other_client) {
    own.redisson.watchdog = setup.client.watchdog;
    if (const toml::table* all = document["redisson"].as_table())
      read_knobs(reading, *all, "[redisson]", own.redisson);
  }
  positive(reading, process, "watchdog", own.redisson.watchdog);
  if (table != nullptr) read_knobs(reading, *table, fmt::format("{}.redisson]", where), own.redisson);
  if (own == model::ClientSetup{setup.scripts, setup.client}) return std::nullopt;
  return own;
}

}  // namespace

void read_clients(TomlReading& reading, const toml::table& document, const ScriptLibrary& library,
                  Setup& setup) {
  Result<lua::ScriptSet> usual = find_script_set(default_scripts, library);
  if (usual.ok()) setup.scripts = std::move(usual).value();
  const toml::node* node = document.get("scripts");
  if (node != nullptr) ScriptChoice(reading, library, setup.scripts).read(*node);
  else if (!usual.ok()) reading.fail(Place{}, usual.problem());
  if (const auto chosen = client_of(setup.scripts)) setup.client = *chosen;
  const toml::table* table = reading.table(document, "redisson");
  if (table == nullptr) return;
  read_version(reading, *table, setup.client);
  read_knobs(reading, *table, "[redisson]", setup.client);
}

void read_own_clients(TomlReading& reading, const toml::table& document, const ScriptLibrary& library,
                      Setup& setup) {
  for (auto&& [key, node] : *document["process"].as_table()) {
    const toml::table* table = node.as_table();
    if (table == nullptr) continue;
    const std::string name(key.str());
    const auto own =
        own_client(reading, document, *table, fmt::format("[process.{}", name), library, setup);
    if (!own) continue;
    const bool several = table->get("count") != nullptr && (*table)["count"].value_or(1) > 1;
    for (model::ProcessSetup& process : setup.processes) {
      const bool copy = several && process.name.starts_with(name + "-") &&
                        process.name.find_first_not_of("0123456789", name.size() + 1) == std::string::npos;
      if (copy || process.name == name) process.own = own;
    }
  }
}

}  // namespace lockstep::scenarios
