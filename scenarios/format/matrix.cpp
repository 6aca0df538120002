#include "scenarios/format/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "scenarios/format/changed.h"
#include "scenarios/format/suggest.h"

namespace lockstep::scenarios {

namespace {

/// One key and what it is by turns.
struct Axis {
  std::string key;
  toml::key where;
  std::vector<std::string> words;     // of the values, for names
  std::vector<toml::node*> values;
};

/// A name is a folder: nothing in it leads elsewhere, or is hidden.
std::string word_of_value(const toml::node& node) {
  std::ostringstream out;
  if (const auto* text = node.as_string()) out << text->get();
  else if (const auto* number = node.as_integer()) out << number->get();
  else if (const auto* flag = node.as_boolean()) out << (flag->get() ? "true" : "false");
  std::string word = out.str();
  std::replace_if(
      word.begin(), word.end(),
      [](char c) { return c == '/' || static_cast<unsigned char>(c) < ' ' || c == 0x7f; }, '_');
  return word;
}

void read_axis(TomlReading& reading, const std::string& name, const toml::key& key, toml::node& node,
               std::vector<Axis>& axes) {
  toml::array* list = node.as_array();
  if (list == nullptr || list->empty()) {
    reading.fail(reading.place_of(node), fmt::format("`{}` wants a list of values in [matrix]", name));
    return;
  }
  const auto same = [&](const Axis& other) { return other.key == name; };
  if (std::any_of(axes.begin(), axes.end(), same))
    reading.fail(reading.place_of(key), fmt::format("`{}` stands twice in [matrix]", name));
  Axis axis{name, key, {}, {}};
  for (toml::node& value : *list) {
    if (!value.is_string() && !value.is_integer() && !value.is_boolean())
      reading.wants(value, name, "strings, whole numbers or truth values in [matrix]");
    axis.words.push_back(word_of_value(value));
    axis.values.push_back(&value);
    if (std::count(axis.words.begin(), axis.words.end(), axis.words.back()) > 1)
      reading.fail(reading.place_of(value), fmt::format("two values of `{}` are both called `{}`", name,
                                                        axis.words.back()));
  }
  axes.push_back(std::move(axis));
}

/// `time.watchdog` without quotes is a table in a table.
void read_axes(TomlReading& reading, toml::table& table, const std::string& above, std::vector<Axis>& axes) {
  for (auto&& [key, node] : table) {
    const std::string name = above + std::string(key.str());
    if (toml::table* inner = node.as_table()) read_axes(reading, *inner, name + ".", axes);
    else read_axis(reading, name, key, node, axes);
  }
}

/// All of them, or nothing after a mistake.
std::vector<Axis> axes_of(TomlReading& reading, toml::table& document) {
  std::vector<Axis> axes;
  const toml::table* matrix = reading.table(document, "matrix");
  if (matrix == nullptr) return axes;
  read_axes(reading, *document["matrix"].as_table(), "", axes);
  std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.key < b.key; });
  const Place place = reading.place_of(document.find("matrix")->first);
  if (axes.empty() && !reading.failed()) reading.fail(place, "[matrix] is empty");
  std::size_t count = 1;
  for (const Axis& axis : axes) count = std::min(count * axis.values.size(), instances_max + 1);
  if (count > instances_max)
    reading.fail(place, fmt::format("[matrix] makes more than {} scenarios", instances_max));
  if (reading.failed()) axes.clear();
  return axes;
}

/// Which value of each axis an instance has, counting in the last axis first.
std::vector<std::size_t> values_of(const std::vector<Axis>& axes, std::size_t instance) {
  std::vector<std::size_t> chosen(axes.size());
  for (std::size_t i = axes.size(); i-- > 0; instance /= axes[i].values.size())
    chosen[i] = instance % axes[i].values.size();
  return chosen;
}

std::string name_of(const std::vector<Axis>& axes, const std::vector<std::size_t>& chosen) {
  std::string name;
  for (std::size_t i = 0; i < axes.size(); ++i)
    name += fmt::format("{}{}={}", i == 0 ? "" : ",", axes[i].key, axes[i].words[chosen[i]]);
  return "[" + name + "]";
}

std::vector<std::string> names_of(const std::vector<Axis>& axes) {
  std::size_t count = 1;
  for (const Axis& axis : axes) count *= axis.values.size();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(name_of(axes, values_of(axes, i)));
  return names;
}

/// "time.watchdog=10s,redis.nodes=3" of [expect]: what must be for it to count.
struct Condition {
  bool known = true, met = true;
  std::size_t parts = 0;
};

Condition condition(std::string_view text, const std::vector<Axis>& axes,
                    const std::vector<std::size_t>& chosen) {
  Condition found;
  while (!text.empty() && found.known) {
    found.known = false;
    for (std::size_t i = 0; i < axes.size() && !found.known; ++i)
      for (std::size_t v = 0; v < axes[i].words.size() && !found.known; ++v) {
        const std::string part = axes[i].key + "=" + axes[i].words[v];
        if (!text.starts_with(part) || (text.size() > part.size() && text[part.size()] != ',')) continue;
        found.known = true;
        found.met = found.met && chosen[i] == v;
        ++found.parts;
        text.remove_prefix(std::min(text.size(), part.size() + 1));
      }
  }
  return found;
}

/// What is expected of this instance in place of what is expected of all.
void choose_expectations(TomlReading& reading, toml::table& expect, const std::vector<Axis>& axes,
                         const std::vector<std::size_t>& chosen) {
  std::vector<std::pair<std::size_t, std::string>> met;
  std::vector<std::string> all;
  for (auto&& [key, node] : expect) {
    if (key.str().find('=') == std::string_view::npos) continue;
    all.emplace_back(key.str());
    const Condition found = condition(key.str(), axes, chosen);
    if (!found.known)
      reading.fail(reading.place_of(key), fmt::format("no scenario of [matrix] has `{}`", key.str()),
                   did_you_mean(key.str(), names_of(axes)));
    else if (!node.is_table()) reading.wants(node, key.str(), "a table of verdicts");
    else if (found.met) met.emplace_back(found.parts, key.str());
  }
  if (reading.failed()) return;
  std::stable_sort(met.begin(), met.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [parts, name] : met)
    for (auto&& [key, node] : *expect[name].as_table()) expect.insert_or_assign(key, std::move(node));
  for (const std::string& name : all) expect.erase(name);
}

}  // namespace

std::vector<std::string> instances_in(TomlReading& reading, toml::table& document) {
  if (document.get("matrix") == nullptr) return {""};
  return names_of(axes_of(reading, document));
}

bool choose_instance(TomlReading& reading, toml::table& document, std::string_view instance) {
  const std::vector<Axis> axes = axes_of(reading, document);
  if (reading.failed()) return false;
  const Place whole{1, 1, 1, 0};
  if (axes.empty()) {
    if (!instance.empty())
      reading.fail(whole, fmt::format("there is no [matrix], so there is no `{}`", instance));
    return !reading.failed();
  }
  const std::vector<std::string> names = names_of(axes);
  const auto found = std::find(names.begin(), names.end(), instance);
  const Place place = reading.place_of(document.find("matrix")->first);
  if (found == names.end()) {
    reading.fail(place, instance.empty()
                            ? fmt::format("[matrix] makes {} scenarios; one is wanted, such as `{}{}`",
                                          names.size(), reading.source().file, names[0])
                            : fmt::format("[matrix] makes no scenario `{}`", instance),
                 instance.empty() ? "" : did_you_mean(instance, names, "there is " + names[0]));
    return false;
  }
  const std::vector<std::size_t> chosen = values_of(axes, static_cast<std::size_t>(found - names.begin()));
  if (toml::table* expect = document["expect"].as_table())
    choose_expectations(reading, *expect, axes, chosen);
  if (reading.failed()) return false;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (const auto problem = change_value(document, axes[i].key, axes[i].where, *axes[i].values[chosen[i]]))
      reading.fail(reading.place_of(axes[i].where), problem->text);
  document.erase("matrix");
  return !reading.failed();
}

}  // namespace lockstep::scenarios
