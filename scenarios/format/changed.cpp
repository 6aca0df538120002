#include "scenarios/format/changed.h"

#include <fmt/format.h>

#include <sstream>

#include "scenarios/format/toml_reading.h"

namespace lockstep::scenarios {

namespace {

/// The value of an option in one step; how often it was found.
std::size_t change_option(std::string& step, const std::string& option, std::string_view value) {
  const std::string word = " " + option + "=";
  std::size_t found = 0;
  for (std::size_t at = step.find(word); at != std::string::npos; at = step.find(word, at + 1)) {
    const std::size_t begin = at + word.size();
    const std::size_t end = std::min(step.find(' ', begin), step.size());
    step.replace(begin, end - begin, value);
    ++found;
  }
  return found;
}

std::size_t change_steps(toml::node& node, const std::string& option, std::string_view value) {
  std::size_t found = 0;
  if (auto* text = node.as_string()) found += change_option(text->get(), option, value);
  if (auto* list = node.as_array())
    for (toml::node& one : *list) found += change_steps(one, option, value);
  return found;
}

std::size_t change_all_steps(toml::table& document, const std::string& option, std::string_view value) {
  std::size_t found = 0;
  toml::table* processes = document["process"].as_table();
  if (processes == nullptr) return 0;
  for (auto&& [name, process] : *processes)
    if (toml::table* table = process.as_table())
      if (toml::node* threads = table->get("threads")) found += change_steps(*threads, option, value);
  return found;
}

/// As TOML has it, or else a text without quotes.
toml::table read_value(std::string_view value) {
  try {
    toml::table read = toml::parse("x = " + std::string(value));
    if (read.size() == 1 && read.contains("x")) return read;
  } catch (const toml::parse_error&) {
    // It is no TOML.
  }
  return toml::table{{"x", std::string(value)}};
}

/// As a step says it: without quotes.
std::string option_text(const toml::node& value) {
  if (const auto* text = value.as_string()) return text->get();
  std::ostringstream out;
  out << toml::node_view<const toml::node>(value);
  return out.str();
}

}  // namespace

std::optional<sim::Problem> change_value(toml::table& document, std::string_view key, const toml::key& blamed,
                                         toml::node& value) {
  if (key.starts_with("step.")) {
    const std::string option(key.substr(5));
    if (change_all_steps(document, option, option_text(value)) > 0) return std::nullopt;
    return sim::Problem{fmt::format("no step has the option `{}`", option)};
  }
  toml::table* table = &document;
  std::string_view rest = key;
  for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
    const std::string name(rest.substr(0, dot));
    rest.remove_prefix(dot + 1);
    if (table->get(name) == nullptr)
      table->insert(toml::key(name, toml::source_region(blamed.source())), toml::table{});
    table = table->get(name)->as_table();
    if (table == nullptr)
      return sim::Problem{fmt::format("`{}` has no keys in it, so there is no `{}`", name, key)};
  }
  if (rest.empty()) return sim::Problem{fmt::format("`{}` is no key", key)};
  table->insert_or_assign(toml::key(rest, toml::source_region(blamed.source())), std::move(value));
  return std::nullopt;
}

sim::Result<std::string> changed_scenario(std::string_view text, std::string_view file_name,
                                          std::string_view key, std::string_view value) {
  TomlReading reading(text, file_name);
  auto document = reading.parse("a scenario");
  if (!document) return reading.problem();
  toml::table read = read_value(value);
  if (const auto problem = change_value(*document, key, toml::key(key), *read.get("x")))
    return sim::Problem{fmt::format("{}: {}", file_name, problem->text)};
  std::ostringstream out;
  if (reading.is_json()) out << toml::json_formatter(*document) << '\n';
  else out << *document << '\n';
  return out.str();
}

}  // namespace lockstep::scenarios
