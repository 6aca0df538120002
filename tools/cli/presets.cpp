#include "tools/cli/presets.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "reports/text/text.h"
#include "tools/cli/input.h"
#include "tools/cli/suggest.h"

namespace lockstep::tools {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t config_bytes_max = 1u << 20;

std::string variable_of(const std::string& option) {
  std::string name = "LOCKSTEP_" + option;
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

/// Whether a flag is set by such a word; nothing if it says neither.
std::optional<bool> truth_of(const std::string& word) {
  for (const char* yes : {"1", "true", "yes", "on"})
    if (word == yes) return true;
  for (const char* no : {"0", "false", "no", "off"})
    if (word == no) return false;
  return std::nullopt;
}

class Gathering {
 public:
  Gathering(const PresetsAsked& asked, const PresetsAround& around) : asked_(asked), around_(around) {
    own_ = asked.of_all;
    const auto found = asked.of_each.find(asked.verb);
    if (found != asked.of_each.end()) own_.insert(own_.end(), found->second.begin(), found->second.end());
  }

  sim::Result<std::vector<Preset>> gather() && {
    if (auto problem = from_environment()) return *std::move(problem);
    const std::string file = config_file();
    if (file.empty()) return std::move(presets_);
    if (auto problem = from_file(file)) return *std::move(problem);
    return std::move(presets_);
  }

 private:
  // ---- the environment

  std::optional<sim::Problem> from_environment() {
    for (PresetOption& option : own_) {
      const std::string name = variable_of(option.name);
      const auto value = around_.variable(name);
      if (!value || value->empty() || option.given) continue;
      option.given = true;
      if (!option.is_flag) {
        presets_.push_back({name, "--" + option.name + "=" + *value});
        continue;
      }
      const auto truth = truth_of(*value);
      if (!truth)
        return sim::Problem{
            fmt::format("{} wants 1 or 0, not `{}`", name, reports::printable(value->substr(0, 80)))};
      if (*truth) presets_.push_back({name, "--" + option.name});
    }
    return std::nullopt;
  }

  // ---- the file

  std::string config_file() const {
    std::string named = asked_.file;
    if (named.empty()) named = around_.variable("LOCKSTEP_CONFIG").value_or("");
    if (named == "none") return "";
    std::error_code error;
    const fs::path here = fs::absolute(asked_.directory.empty() ? "." : asked_.directory, error);
    if (!named.empty()) return (asked_.directory.empty() ? fs::path(named) : here / named).string();
    for (fs::path folder = here.lexically_normal(); !error; folder = folder.parent_path()) {
      if (fs::is_regular_file(folder / "lockstep.toml", error)) return (folder / "lockstep.toml").string();
      if (!folder.has_relative_path()) break;
      error.clear();
    }
    return "";
  }

  sim::Problem at(const toml::source_region& region, const std::string& what) const {
    return {fmt::format("{}:{}:{}: {}", reports::printable(file_), region.begin.line, region.begin.column,
                        what)};
  }

  std::optional<sim::Problem> from_file(const std::string& file) {
    file_ = file;
    const auto text = read_input(file, config_bytes_max);
    if (!text) return text.problem();
    toml::table table;
    try {
      table = toml::parse(*text);
    } catch (const toml::parse_error& error) {
      return at(error.source(), std::string(error.description()));
    }
    for (const auto& [key, value] : table) {
      const std::string name(key.str());
      if (const toml::table* section = value.as_table()) {
        if (auto problem = from_section(name, key.source(), *section)) return problem;
      } else if (auto problem = from_entry(name, key.source(), value, asked_.of_all, "every command", true)) {
        return problem;
      }
    }
    return std::nullopt;
  }

  std::optional<sim::Problem> from_section(const std::string& verb, const toml::source_region& where,
                                           const toml::table& section) {
    const auto options = asked_.of_each.find(verb);
    if (options == asked_.of_each.end()) {
      std::vector<std::string> verbs;
      for (const auto& [name, ignored] : asked_.of_each) verbs.push_back(name);
      return at(where, fmt::format("there is no command `{}`{}", reports::printable(verb),
                                   did_you_mean(verb, verbs)));
    }
    PresetOptions known = options->second;
    known.insert(known.end(), asked_.of_all.begin(), asked_.of_all.end());
    for (const auto& [key, value] : section)
      if (auto problem = from_entry(std::string(key.str()), key.source(), value, known, "`" + verb + "`",
                                    verb == asked_.verb))
        return problem;
    return std::nullopt;
  }

  std::optional<sim::Problem> from_entry(const std::string& name, const toml::source_region& where,
                                         const toml::node& value, const PresetOptions& known,
                                         const std::string& whose, bool wanted) {
    const auto is_it = [&](const PresetOption& one) { return one.name == name; };
    const auto option = std::find_if(known.begin(), known.end(), is_it);
    if (option == known.end()) {
      std::vector<std::string> names;
      for (const PresetOption& one : known) names.push_back(one.name);
      return at(where, fmt::format("`{}` is no option of {}{}", reports::printable(name), whose,
                                   did_you_mean(name, names)));
    }
    auto words = words_for(*option, value);
    if (!words) return at(where, words.problem().text);
    const auto mine = std::find_if(own_.begin(), own_.end(), is_it);
    if (!wanted || mine == own_.end() || mine->given) return std::nullopt;
    const std::string origin = at(where, "").text;
    for (const std::string& word : *words)
      presets_.push_back({origin.substr(0, origin.size() - 2), word});
    return std::nullopt;
  }

  static sim::Result<std::vector<std::string>> words_for(const PresetOption& option,
                                                         const toml::node& value) {
    std::vector<std::string> words;
    const std::string dashed = "--" + option.name;
    if (option.is_flag) {
      const auto truth = value.value_exact<bool>();
      if (!truth) return sim::Problem{fmt::format("`{}` wants true or false", option.name)};
      if (*truth) words.push_back(dashed);
      return words;
    }
    const auto add = [&](const toml::node& one) {
      if (const auto text = one.value_exact<std::string>()) words.push_back(dashed + "=" + *text);
      else if (const auto number = one.value_exact<std::int64_t>())
        words.push_back(fmt::format("{}={}", dashed, *number));
      else return false;
      return true;
    };
    const toml::array* list = value.as_array();
    const bool is_list = list != nullptr && option.is_many;
    if (is_list ? std::all_of(list->begin(), list->end(), add) : add(value)) return words;
    return sim::Problem{fmt::format("`{}` wants a text or a whole number{}", option.name,
                                    option.is_many ? ", or a list of them" : "")};
  }

  const PresetsAsked& asked_;
  const PresetsAround& around_;
  PresetOptions own_;
  std::string file_;
  std::vector<Preset> presets_;
};

}  // namespace

PresetsAround presets_around() {
  return {.variable = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  }};
}

sim::Result<std::vector<Preset>> presets(const PresetsAsked& asked, const PresetsAround& around) {
  return Gathering(asked, around).gather();
}

}  // namespace lockstep::tools
