#include "tools/cli/selected.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>

#include "reports/text/text.h"
#include "scenarios/embedded.h"
#include "tools/cli/input.h"
#include "tools/cli/load.h"

namespace lockstep::tools {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> files_like(const std::string& pattern) {
  std::vector<std::string> files;
  glob_t found{};
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
    files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  return files;
}

std::vector<std::string> built_in_like(const std::string& pattern) {
  std::vector<std::string> names = built_in_scenarios();
  std::erase_if(names,
                [&](const std::string& name) { return ::fnmatch(pattern.c_str(), name.c_str(), 0) != 0; });
  return names;
}

sim::Result<std::vector<std::string>> in_folder(const std::string& folder) {
  auto inside = paths_below(folder);
  if (inside)
    std::erase_if(*inside,
                  [](const std::string& path) { return fs::path(path).extension() != ".toml"; });
  return inside;
}

sim::Result<std::vector<std::string>> meant_by_word(const std::string& word) {
  std::error_code none;
  if (fs::is_directory(word, none)) return in_folder(word);
  const bool known = fs::exists(word, none) ||
                     scenarios::find_embedded_scenario(word.substr(0, word.find('['))) != nullptr;
  if (known || word.find_first_of("*?[") == std::string::npos) return std::vector{word};
  if (const std::size_t bracket = word.find('['); bracket != std::string::npos && word.ends_with(']') &&
                                                  fs::exists(word.substr(0, bracket), none))
    return std::vector{word};  // one of a [matrix]
  auto files = files_like(word);
  if (files.empty()) files = built_in_like(word);
  return files;
}

std::string in_vain(const std::string& word) {
  std::error_code none;
  return fmt::format("{} {}",
                     fs::is_directory(word, none) ? "there is no scenario in the folder"
                                                               : "no scenario is called like",
                     reports::printable(word));
}

}  // namespace

std::string nothing_selected(const std::vector<std::string>& words, const std::string& part) {
  if (!part.empty()) return fmt::format("no scenario is called like `{}`", part);
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "; ") + in_vain(word);
  return text;
}

std::vector<std::string> built_in_scenarios() {
  std::vector<std::string> names;
  for (const auto& built_in : scenarios::embedded_scenarios())
    names.emplace_back(built_in.name.substr(0, built_in.name.rfind(".toml")));
  return names;
}

sim::Result<std::vector<std::string>> selected_scenarios(const std::vector<std::string>& words,
                                                         const std::string& part) {
  std::vector<std::string> all;
  const std::string* nothing = nullptr;
  bool any = false;
  for (const std::string& word : words) {
    const auto meant = meant_by_word(word);
    if (!meant) return meant.problem();
    any = any || !meant->empty();
    if (meant->empty() && nothing == nullptr) nothing = &word;
    for (const std::string& one : *meant)
      for (std::string& instance : instances_of(one))
        if (instance.find(part) != std::string::npos) all.push_back(std::move(instance));
  }
  if (any && nothing != nullptr) return sim::Problem{in_vain(*nothing)};
  return all;
}

}  // namespace lockstep::tools
