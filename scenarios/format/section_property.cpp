// [[property]]: what a scenario promises itself.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/format/scenario_sections.h"

namespace lockstep::scenarios {

const std::vector<std::string> predicate_words = {"always", "never", "sometimes", "eventually"};

namespace {

constexpr std::size_t name_bytes_max = 60, lua_bytes_max = 4'000;

/// It is the name of a file, and stands in [expect].
bool is_property_name(const std::string& name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !name.empty() && name.size() <= name_bytes_max && std::all_of(name.begin(), name.end(), plain);
}

bool is_taken(const std::string& name, const ScenarioVocabulary& vocabulary, const model::Setup& setup) {
  const auto among = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const bool own = std::any_of(setup.predicates.begin(), setup.predicates.end(),
                               [&](const model::Predicate& other) { return other.name == name; });
  return own || among(vocabulary.properties) || among(vocabulary.witnesses) || name == "sometimes" ||
         name == "verdict";
}

/// A text that the table must have.
const toml::value<std::string>* wanted(TomlReading& reading, const toml::table& table, std::string_view key) {
  if (table.get(key) == nullptr)
    reading.fail(reading.place_of(table), fmt::format("a [[property]] needs its `{}`", key));
  return reading.text(table, key);
}

void read_predicate(TomlReading& reading, const toml::table& table, const ScenarioVocabulary& vocabulary,
                    model::Setup& setup) {
  reading.only(table, "[[property]]", {"name", "kind", "lua"});
  model::Predicate predicate;
  if (const auto* name = wanted(reading, table, "name")) {
    predicate.name = name->get();
    if (!is_property_name(predicate.name))
      reading.fail(reading.place_of(*name),
                   fmt::format("`name` wants at most {} of a-z, 0-9 and -", name_bytes_max));
    else if (is_taken(predicate.name, vocabulary, setup))
      reading.fail(reading.place_of(*name),
                   fmt::format("`{}` is the name of another property", predicate.name));
  }
  if (const auto kind = reading.word(table, "kind", predicate_words))
    predicate.kind = static_cast<model::PredicateKind>(*kind);
  if (const auto* lua = wanted(reading, table, "lua")) {
    predicate.lua = lua->get();
    if (predicate.lua.size() > lua_bytes_max)
      reading.fail(reading.place_of(*lua), fmt::format("`lua` wants at most {} bytes", lua_bytes_max));
  }
  setup.predicates.push_back(std::move(predicate));
}

}  // namespace

void read_predicates(TomlReading& reading, const toml::table& document, const ScenarioVocabulary& vocabulary,
                     model::Setup& setup) {
  const toml::node* node = document.get("property");
  if (node == nullptr) return;
  const toml::array* list = node->as_array();
  if (list == nullptr) return reading.wants(*node, "property", "tables [[property]]");
  for (const toml::node& one : *list) {
    const toml::table* table = one.as_table();
    if (table == nullptr) return reading.wants(one, "property", "tables [[property]]");
    read_predicate(reading, *table, vocabulary, setup);
  }
  const auto count = static_cast<std::size_t>(
      std::count_if(setup.predicates.begin(), setup.predicates.end(), [](const model::Predicate& one) {
        return one.kind == model::PredicateKind::sometimes;
      }));
  if (setup.predicates.size() > vocabulary.predicates_max || count > vocabulary.sometimes_max)
    reading.fail(reading.place_of(*node),
                 fmt::format("a scenario has at most {} [[property]], and {} of kind `sometimes`",
                             vocabulary.predicates_max, vocabulary.sometimes_max));
}

}  // namespace lockstep::scenarios
