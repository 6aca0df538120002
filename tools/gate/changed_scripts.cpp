#include "tools/gate/changed_scripts.h"

#include <algorithm>
#include <string_view>

namespace lockstep::tools {

namespace {

std::vector<std::string_view> script_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::pair<std::uint64_t, std::uint64_t> lines_changed(const std::string& before, const std::string& after) {
  const auto a = script_lines(before), b = script_lines(after);
  // The longest common subsequence, row by row.
  std::vector<std::uint64_t> common(b.size() + 1);
  for (const std::string_view line : a) {
    std::uint64_t diagonal = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      const std::uint64_t above = common[i + 1];
      common[i + 1] = line == b[i] ? diagonal + 1 : std::max(above, common[i]);
      diagonal = above;
    }
  }
  return {b.size() - common.back(), a.size() - common.back()};
}

void ChangedScripts::look(const model::Setup* base, const model::Setup& head) {
  if (base == nullptr) return;
  for (const auto& [role, script] : head.scripts.roles) {
    all_.insert(role);
    const lua::Script* was = base->scripts.find(role);
    if (was != nullptr && was->text == script.text && was->keys == script.keys && was->args == script.args)
      continue;
    const auto [added, removed] = lines_changed(was == nullptr ? "" : was->text, script.text);
    changed_[role] = {.role = role, .file = script.file, .added = added, .removed = removed};
  }
  for (const auto& [role, script] : base->scripts.roles) {
    if (!all_.insert(role).second) continue;
    const auto [added, removed] = lines_changed(script.text, "");
    changed_[role] = {.role = role, .file = script.file, .added = added, .removed = removed};
  }
}

std::vector<reports::ChangedScript> ChangedScripts::changed() const {
  std::vector<reports::ChangedScript> all;
  for (const auto& [role, one] : changed_) {
    all.push_back(one);
    all.back().sent = sent_.contains(role);
  }
  return all;
}

std::uint64_t ChangedScripts::unchanged() const { return all_.size() - changed_.size(); }

}  // namespace lockstep::tools
