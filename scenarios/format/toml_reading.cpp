#include "scenarios/format/toml_reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/format/duration.h"
#include "scenarios/format/suggest.h"
#include "sim/base/byte_order_mark.h"

namespace lockstep::scenarios {

std::optional<toml::table> TomlReading::parse(std::string_view noun) { return parse_part(0, noun); }

std::optional<toml::table> TomlReading::parse_included(std::string_view noun, std::string_view text,
                                                       std::string_view file) {
  parts_[1] = {{text, file}, {}};
  return parse_part(1, noun);
}

std::optional<toml::table> TomlReading::parse_part(std::uint32_t file, std::string_view noun) {
  Part& part = parts_[file];
  part.source.text = sim::without_mark(part.source.text);
  if (const std::string wrong = wrong_bytes(part.source.text, noun); !wrong.empty()) {
    problem_ = problem_of_file(part.source, wrong);
    return std::nullopt;
  }
  if (looks_like_json(part.source)) {
    auto json = json_text(part.source);
    if (!json) {
      problem_ = json.problem();
      return std::nullopt;
    }
    part.json = *std::move(json);
  }
  try {  // the library as Debian builds it throws; nothing is thrown out of here
    return toml::parse(part.read().text, std::to_string(file));
  } catch (const toml::parse_error& error) {
    fail(at(error.source(), 1), fmt::format("this is not TOML: {}", error.description()));
    return std::nullopt;
  }
}

sim::Problem TomlReading::told(const Place& place, std::string_view what, std::string_view hint) const {
  const Part& part = parts_.at(place.file);
  if (!part.json) return problem_at(part.source, place, what, hint);
  const std::string path = part.json->path_at(place);
  return {fmt::format("error: {}\n  --> {}{}{}{}{}", what, part.source.file, path.empty() ? "" : ": ", path,
                      hint.empty() ? "" : "\n   | ", hint)};
}

void TomlReading::fail(const Place& place, std::string what, std::string hint) {
  if (problem_ && problem_place_ <= place) return;
  problem_ = told(place, what, hint);
  problem_place_ = place;
}

/// The file is known by its number, which the parser was told as its name.
Place TomlReading::at(const toml::source_region& region, std::uint32_t length) const {
  const std::uint32_t file = region.path && *region.path == "1" ? 1 : 0;
  return {std::max<std::uint32_t>(1, region.begin.line), std::max<std::uint32_t>(1, region.begin.column),
          length, file};
}

void TomlReading::fail(const Place& place, const sim::Problem& problem) {
  if (!problem.text.starts_with("error: ")) return fail(place, problem.text, "");
  if (problem_ && problem_place_ <= place) return;
  problem_ = problem;
  problem_place_ = place;
}

Place TomlReading::place_of(const toml::key& key) const {
  const toml::source_region& region = key.source();
  const bool one_line = region.begin.line == region.end.line && region.end.column > region.begin.column;
  return at(region, one_line ? region.end.column - region.begin.column : characters(key.str()));
}

Place TomlReading::place_of(const toml::node& node) const {
  const toml::source_region& region = node.source();
  const bool one_line = region.begin.line == region.end.line && region.end.column > region.begin.column;
  return at(region, one_line ? region.end.column - region.begin.column : 1);
}

Place TomlReading::place_in(const toml::value<std::string>& value, std::size_t offset,
                            std::size_t length) const {
  const Place whole = place_of(value);
  const Source read = parts_.at(whole.file).read();
  const std::string_view line = read.line(whole.line);
  std::size_t begin = 0;
  for (std::uint32_t left = whole.column; begin < line.size(); ++begin) {
    if ((static_cast<unsigned char>(line[begin]) & 0xC0) != 0x80 && --left == 0) break;
  }
  // The value stands in the file as it is, right behind its quote, or the offset means nothing there.
  if (begin >= line.size() || line.substr(begin + 1, value->size()) != *value) return whole;
  const std::string_view text = *value;
  const std::size_t from = std::min(offset, text.size());
  const std::uint32_t meant = characters(text.substr(from, length));
  return {whole.line, whole.column + 1 + characters(text.substr(0, from)), std::max<std::uint32_t>(1, meant),
          whole.file};
}

void TomlReading::only(const toml::table& table, std::string_view where,
                       std::initializer_list<std::string_view> known) {
  const std::vector<std::string> words(known.begin(), known.end());
  only(table, where, words);
}

void TomlReading::only(const toml::table& table, std::string_view where, std::span<const std::string> known) {
  for (auto&& [key, node] : table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    const std::string_view what = node.is_table() && where.empty() ? "table" : "key";
    const std::string shown =
        what == "table" ? fmt::format("[{}]", key.str()) : fmt::format("`{}`", key.str());
    fail(place_of(key), fmt::format("unknown {} {}{}{}", what, shown, where.empty() ? "" : " in ", where),
         did_you_mean(key.str(), known, "known are " + either(known)));
  }
}

std::string_view TomlReading::type_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "a list";
    case toml::node_type::string: return "a string";
    case toml::node_type::integer: return "a whole number";
    case toml::node_type::floating_point: return "a number with a fraction";
    case toml::node_type::boolean: return "true or false";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time: return "a date or time";
    default: return "nothing";
  }
}

void TomlReading::wants(const toml::node& node, std::string_view key, std::string_view what) {
  fail(place_of(node), fmt::format("`{}` wants {}, not {}", key, what, type_of(node)));
}

const toml::value<std::string>* TomlReading::text(const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return nullptr;
  if (!node->is_string()) wants(*node, key, "a string");
  return node->as_string();
}

std::optional<std::string> TomlReading::string(const toml::table& table, std::string_view key) {
  const auto* found = text(table, key);
  if (found == nullptr) return std::nullopt;
  return found->get();
}

std::optional<std::int64_t> TomlReading::integer(const toml::table& table, std::string_view key,
                                                 std::int64_t lo, std::int64_t hi) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return std::nullopt;
  const std::string range = fmt::format("a whole number from {} to {}", lo, hi);
  const auto* number = node->as_integer();
  if (number == nullptr) {
    wants(*node, key, range);
    return std::nullopt;
  }
  if (number->get() < lo || number->get() > hi) {
    fail(place_of(*node), fmt::format("`{}` wants {}, not {}", key, range, number->get()));
    return std::nullopt;
  }
  return number->get();
}

std::optional<bool> TomlReading::boolean(const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* found = node->as_boolean()) return found->get();
  wants(*node, key, "true or false");
  return std::nullopt;
}

namespace {

/// The text of a time, after refusing bare numbers with the right advice.
const toml::value<std::string>* time_text(TomlReading& reading, const toml::table& table,
                                          std::string_view key) {
  const toml::node* node = table.get(key);
  if (node != nullptr && node->is_integer()) {
    const std::int64_t number = **node->as_integer();
    reading.fail(reading.place_of(*node),
                 fmt::format("`{}` wants a time with its unit, not a bare number", key),
                 fmt::format("write \"{}s\" or \"{}ms\"", number, number));
    return nullptr;
  }
  if (node != nullptr && !node->is_string()) {
    reading.wants(*node, key, "a time, such as \"30s\" or \"250ms\"");
    return nullptr;
  }
  return node == nullptr ? nullptr : node->as_string();
}

/// What `parse` makes of the text at `key`.
template <class T>
std::optional<T> parsed(TomlReading& reading, const toml::table& table, std::string_view key,
                        sim::Result<T> (*parse)(std::string_view)) {
  const auto* found = time_text(reading, table, key);
  if (found == nullptr) return std::nullopt;
  const sim::Result<T> read = parse(found->get());
  if (read.ok()) return *read;
  reading.fail(reading.place_of(*found), read.problem());
  return std::nullopt;
}

}  // namespace

std::optional<sim::Duration> TomlReading::duration(const toml::table& table, std::string_view key) {
  return parsed(*this, table, key, parse_duration);
}

std::optional<sim::Duration> TomlReading::offset(const toml::table& table, std::string_view key) {
  return parsed(*this, table, key, parse_offset);
}

std::optional<std::int32_t> TomlReading::drift(const toml::table& table, std::string_view key) {
  return parsed(*this, table, key, parse_drift);
}

std::optional<model::Interval> TomlReading::interval(const toml::table& table, std::string_view key) {
  return parsed(*this, table, key, parse_interval);
}

const toml::table* TomlReading::table(const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (node != nullptr && !node->is_table()) wants(*node, key, "a table");
  return node == nullptr ? nullptr : node->as_table();
}

const toml::array* TomlReading::array(const toml::table& table, std::string_view key,
                                      std::string_view of_what) {
  const toml::node* node = table.get(key);
  if (node != nullptr && !node->is_array()) wants(*node, key, of_what);
  return node == nullptr ? nullptr : node->as_array();
}

std::vector<const toml::value<std::string>*> TomlReading::texts(const toml::table& table,
                                                                std::string_view key) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return {};
  if (const auto* one = node->as_string()) return {one};
  std::vector<const toml::value<std::string>*> found;
  if (!node->is_array()) {
    wants(*node, key, "a list of strings");
    return found;
  }
  for (const toml::node& each : *node->as_array()) {
    if (each.is_string()) found.push_back(each.as_string());
    else wants(each, key, "a list of strings");
  }
  return found;
}

std::optional<std::size_t> TomlReading::word(const toml::table& table, std::string_view key,
                                             std::span<const std::string> words) {
  const auto* found = text(table, key);
  if (found == nullptr) return std::nullopt;
  const auto same = std::find(words.begin(), words.end(), found->get());
  if (same != words.end()) return static_cast<std::size_t>(same - words.begin());
  fail(place_of(*found), fmt::format("`{}` wants {}, not `{}`", key, either(words), found->get()),
       did_you_mean(found->get(), words));
  return std::nullopt;
}

}  // namespace lockstep::scenarios
