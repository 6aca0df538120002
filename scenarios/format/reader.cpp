#include "scenarios/format/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/client/complete.h"
#include "model/client/new_words.h"
#include "model/world/faults/table.h"
#include "scenarios/format/include.h"
#include "scenarios/format/matrix.h"
#include "scenarios/format/normalise.h"
#include "scenarios/format/scenario_sections.h"
#include "scenarios/format/section_schemes.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

using model::Setup;
using sim::Result;

namespace {

bool hidden(char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }

/// What is found leaves files in a folder of this name, which must not lead out of the one for all.
bool is_scenario_name(std::string_view name) {
  const bool blank_at_end = name.starts_with(' ') || name.ends_with(' ');
  if (name.empty() || name.size() > 200 || name.front() == '/' || blank_at_end) return false;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    if (part == "." || part == "..") return false;
    begin = end + 1;
  }
  return std::none_of(name.begin(), name.end(), hidden);
}

/// "a/plain/x.toml" → "x": what a scenario is called that does not say.
std::string name_of_file(std::string_view file) {
  const std::size_t slash = file.find_last_of('/');
  if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
  for (const std::string_view ending : {".toml", ".json"})
    if (file.ends_with(ending)) file.remove_suffix(ending.size());
  std::string name(file.substr(0, 200));
  std::replace_if(name.begin(), name.end(), hidden, '_');
  while (name.starts_with(' ')) name.erase(0, 1);
  while (name.ends_with(' ')) name.pop_back();
  return is_scenario_name(name) ? name : "scenario";
}

/// Nothing else counts in a file of another format.
void read_format(TomlReading& reading, const toml::table& document) {
  const toml::node* format = document.get("format");
  if (format == nullptr) {
    reading.fail({1, 1, 1}, "a scenario begins with `format = 1`");
  } else if (const auto* number = format->as_integer(); number == nullptr || number->get() != 1) {
    reading.fail(reading.place_of(*format), "`format` wants 1: this program reads no other");
  }
}

void read_head(TomlReading& reading, const toml::table& document, std::string_view instance, Setup& setup) {
  setup.name = name_of_file(reading.source().file);
  if (const auto* name = reading.text(document, "name")) {
    setup.name = name->get();
    if (!is_scenario_name(setup.name))
      reading.fail(reading.place_of(*name),
                   "`name` is a folder for what is found: no `/` in front, no `..`, "
                   "no hidden bytes, at most 200");
  }
  setup.name += instance;
  setup.about = reading.string(document, "about").value_or("");
}

void read_bounds(TomlReading& reading, const toml::table& table, Setup& setup) {
  reading.only(table, "[bounds]", {"grant", "overtaking", "busy-poll"});
  setup.grant_bound = reading.duration(table, "grant");
  if (const auto times = reading.integer(table, "overtaking", 0, 1'000))
    setup.overtaking_bound = static_cast<std::uint32_t>(*times);
  if (const auto times = reading.integer(table, "busy-poll", 1, 1'000))
    setup.poll_bound = static_cast<std::uint32_t>(*times);
}

std::vector<const toml::value<std::string>*> read_schedule(TomlReading& reading, const toml::table& table,
                                                            Setup& setup) {
  reading.only(table, "[schedule]", {"prefix"});
  const auto prefix = reading.texts(table, "prefix");
  for (const auto* decision : prefix) setup.prefix.push_back(decision->get());
  return prefix;
}

/// The first text in it, or the value of the first key, that spells such a word.
const toml::node* spelt_in(const toml::node& node, const std::vector<std::string>& names) {
  if (const auto* text = node.as_string()) return model::has_number_of(names, text->get()) ? &node : nullptr;
  const toml::node* found = nullptr;
  if (const auto* items = node.as_array())
    for (const toml::node& item : *items)
      if (found == nullptr) found = spelt_in(item, names);
  if (const auto* table = node.as_table())
    for (const auto& [key, value] : *table)
      if (found == nullptr) found = model::has_number_of(names, key.str()) ? &value : spelt_in(value, names);
  return found;
}

/// A word that is drawn is one that nothing in the world mentions; what the scenario asks for is not there.
void check_spelt_words(TomlReading& reading, const toml::table& document, const Setup& setup) {
  constexpr std::uint16_t incarnations = 4;
  const std::vector<std::string> names = model::names_before_numbers(setup, incarnations);
  if (names.empty()) return;
  if (const toml::node* spelt = spelt_in(document, names))
    reading.fail(reading.place_of(*spelt),
                 "a thread goes round for ever and draws words that are new in each call, and this spells "
                 "one, which may never be drawn; say how often (`repeat N`)");
}

/// What only a run can tell: whether its decisions and its own properties can be.
bool check_what_runs(TomlReading& reading, const toml::table& document,
                     const std::vector<const toml::value<std::string>*>& prefix,
                     const ScenarioVocabulary& vocabulary, const Setup& setup) {
  check_spelt_words(reading, document, setup);
  if (reading.failed()) return false;
  const auto found = [&](const FindUnfit& find) { return find ? find(setup) : std::nullopt; };
  if (const auto unfit = found(vocabulary.unfit_predicate)) {
    const toml::table& its = *document["property"].as_array()->get(unfit->index)->as_table();
    reading.fail(reading.place_of(*its.get("lua")), "`lua`: " + unfit->why);
  } else if (const auto decision = found(vocabulary.unfit_decision)) {
    reading.fail(reading.place_of(*prefix[decision->index]), "`prefix`: " + decision->why);
  }
  return !reading.failed();
}

void check_faults_fit(TomlReading& reading, const toml::table& document, const Setup& setup) {
  const toml::table* faults = document["faults"].as_table();
  if (faults == nullptr) return;
  const auto blame = [&](std::string_view key, std::string what) {
    reading.fail(reading.place_of(faults->find(key)->first), std::move(what));
  };
  for (const model::FaultId fault : model::faults_as_told(setup))
    if (const auto problem = unfit(fault, setup); problem && setup.faults[fault] > 0)
      blame(model::fault_row(fault, setup).key, *problem);
  if (model::budget_for(setup, "clock-jump") > 0 && setup.limits.clock_jumps.empty()) {
    blame(
        "clock-jump",
        "`clock-jump` needs `clock-jumps`, the jumps that there may be: `clock-jumps = [\"30s\", \"-5s\"]`");
  }
}

/// Of what does not go together: the scripts that the process of the step has, or all have, or the step.
Place place_of(const model::Blamed& blamed, const ProgramPlaces& places, TomlReading& reading,
               const toml::table& document) {
  const auto step = [&] { return places.steps[blamed.thread->index()][blamed.step]; };
  if (blamed.thread && !blamed.process) return step();
  if (blamed.process && places.scripts[blamed.process->index()])
    return *places.scripts[blamed.process->index()];
  if (const toml::node* of_all = document.get("scripts")) return reading.place_of(*of_all);
  return blamed.thread ? step() : Place{};
}

}  // namespace

Result<std::vector<std::string>> scenario_instances(std::string_view text, std::string_view file_name,
                                                    const ScriptLibrary& scripts) {
  TomlReading reading(text, file_name);
  IncludedFile included;
  std::optional<toml::table> document = reading.parse("a scenario");
  if (!document || !merge_included(reading, *document, scripts.load, included)) return reading.problem();
  std::vector<std::string> names = instances_in(reading, *document);
  if (reading.failed()) return reading.problem();
  return names;
}

Result<Setup> read_scenario(std::string_view text, std::string_view file_name, const ScriptLibrary& scripts,
                            const ScenarioVocabulary& vocabulary, std::string_view instance) {
  TomlReading reading(text, file_name);
  IncludedFile included;
  std::optional<toml::table> document = reading.parse("a scenario");
  if (!document || !merge_included(reading, *document, scripts.load, included)) return reading.problem();
  read_format(reading, *document);
  if (reading.failed() && document->get("format") != nullptr) return reading.problem();
  if (!choose_instance(reading, *document, instance)) return reading.problem();
  reading.only(*document, "",
               {"format", "include", "name", "about", "scripts", "schemes", "scheme", "time", "redis",
                "zookeeper", "mysql", "mongodb", "redisson", "process", "resource", "faults", "schedule",
                "property", "expect", "bounds", "matrix"});
  Setup setup;
  read_head(reading, *document, instance, setup);
  read_clients(reading, *document, scripts, setup);
  read_schemes(reading, *document, scripts, vocabulary, setup);
  if (reading.failed()) return reading.problem();  // else whoever names a wrong one is blamed
  if (const toml::table* table = reading.table(*document, "time")) read_time(reading, *table, setup);
  const toml::table nothing;
  const toml::table* redis = reading.table(*document, "redis");
  if (!read_other_servers(reading, *document, setup))
    read_redis(reading, redis != nullptr ? *redis : nothing, setup);
  ProgramPlaces places;
  const toml::table* processes = reading.table(*document, "process");
  if (document->get("process") == nullptr || (processes != nullptr && processes->empty())) {
    reading.fail({1, 1, 1}, "a scenario needs at least one [process.NAME] with its `threads`");
  } else if (processes != nullptr) {
    places = read_processes(reading, *processes, setup);
    check_servers(reading, *processes, setup);
    read_own_clients(reading, *document, scripts, setup);
  }
  // Who writes to them is known once all programs are read.
  if (const toml::table* table = reading.table(*document, "resource"); table != nullptr && !reading.failed())
    read_resources(reading, *table, setup);
  if (const toml::table* table = reading.table(*document, "faults")) {
    read_faults(reading, *table, setup);
    check_outages(reading, *table, setup);
  }
  std::vector<const toml::value<std::string>*> prefix;
  if (const toml::table* table = reading.table(*document, "schedule"))
    prefix = read_schedule(reading, *table, setup);
  read_predicates(reading, *document, vocabulary, setup);
  if (const toml::table* table = reading.table(*document, "expect"))
    read_expect(reading, *table, vocabulary, setup);
  if (const toml::table* table = reading.table(*document, "bounds")) read_bounds(reading, *table, setup);
  if (setup.expect.contains("busy-poll") && !setup.poll_bound)
    reading.fail(reading.place_of((*document)["expect"].as_table()->find("busy-poll")->first),
                 std::string(busy_poll_has_no_bound));
  if (!reading.failed()) check_faults_fit(reading, *document, setup);
  if (reading.failed()) return reading.problem();
  number_alike(setup);
  setup.digest = scenario_digest(setup);
  model::Blamed blamed;
  Result<Setup> completed = model::complete(std::move(setup), &blamed);
  if (completed.ok() && !check_what_runs(reading, *document, prefix, vocabulary, *completed))
    return reading.problem();
  if (completed.ok()) return completed;
  reading.fail(place_of(blamed, places, reading, *document), completed.problem());
  return reading.problem();
}

}  // namespace lockstep::scenarios
