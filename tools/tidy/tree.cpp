// Rules about how files refer to each other: nothing lies about unused, and links lead somewhere.
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "tools/tidy/tidy.h"

namespace lockstep::tidy {

namespace {

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "" : std::string(path.substr(0, slash));
}

std::string name_of(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

/// The paths that the tree's #include lines name.
std::set<std::string> included_paths(const Tree& tree) {
  std::set<std::string> paths;
  for (const SourceFile& file : tree) {
    if (!is_source(file.path)) continue;
    for (const std::string_view line : lines_of(file.text)) {
      if (!begins_with(line, "#include \"")) continue;
      const std::string_view name = line.substr(10, line.find('"', 10) - 10);
      if (name != file.path) paths.emplace(name);
    }
  }
  return paths;
}

/// Whether a set.toml beside a script names it: by its file, or as [script.NAME], which stands for NAME.lua.
bool is_in_a_set(const Tree& tree, const std::string& path) {
  const std::string name = name_of(path), stem = name.substr(0, name.size() - 4);
  for (const SourceFile& file : tree) {
    if (name_of(file.path) != "set.toml" || folder_of(file.path) != folder_of(path)) continue;
    if (file.text.find("[script." + stem + "]") != std::string::npos) return true;
    if (file.text.find("\"" + name + "\"") != std::string::npos) return true;
  }
  return false;
}

/// Directories of the machine on which someone happened to build. Split, so that this file does not find
/// itself.
constexpr std::string_view machine_paths[] = {"/ho" "me/", "/ro" "ot/", "/wo" "rk/", "/Us" "ers/"};

void check_machine_paths(const SourceFile& file, std::vector<Finding>& findings) {
  int number = 0;
  for (const std::string_view line : lines_of(file.text)) {
    ++number;
    for (const std::string_view path : machine_paths) {
      const std::size_t at = line.find(path);
      const bool absolute =
          at != std::string_view::npos &&
          (at == 0 || std::string_view(" \"'`(=:").find(line[at - 1]) != std::string_view::npos);
      if (!absolute) continue;
      findings.push_back({file.path, number,
                          fmt::format("{}… exists on one machine only, use a relative path", path),
                          Rule::paths});
    }
  }
}

/// Where a link of a Markdown page leads in the tree; empty if it leads out of it or to a place in the same
/// page.
std::string target_of(const std::string& page, std::string_view link) {
  if (link.find("://") != std::string_view::npos || begins_with(link, "mailto:")) return "";
  const std::string_view path = link.substr(0, link.find_first_of("# "));
  if (path.empty()) return "";
  return (std::filesystem::path(folder_of(page)) / path).lexically_normal().string();
}

void check_page(const SourceFile& page, const std::set<std::string>& targets,
                std::vector<Finding>& findings) {
  bool fenced = false;
  int number = 0;
  for (const std::string_view line : lines_of(page.text)) {
    ++number;
    if (begins_with(line, "```")) fenced = !fenced;
    if (fenced || begins_with(line, "    ")) continue;
    for (std::size_t at = line.find("]("); at != std::string_view::npos; at = line.find("](", at + 1)) {
      const std::string_view link = line.substr(at + 2, line.find(')', at) - at - 2);
      std::string target = target_of(page.path, link);
      if (!target.empty() && target.back() == '/') target.pop_back();
      if (target.empty() || targets.count(target) != 0) continue;
      findings.push_back({page.path, number,
                          fmt::format("the link to {} leads nowhere, name a file that exists", link),
                          Rule::links});
    }
  }
}

}  // namespace

void check_listed(const Tree& tree, std::vector<Finding>& findings) {
  const std::set<std::string> included = included_paths(tree);
  for (const SourceFile& file : tree) {
    if (ends_with(file.path, ".h") && included.count(file.path) == 0) {
      findings.push_back({file.path, 0, "no file includes this header, use it or remove it", Rule::listed});
    }
    if (begins_with(file.path, "lua/scripts/") && ends_with(file.path, ".lua") &&
        !is_in_a_set(tree, file.path)) {
      findings.push_back({file.path, 0, "in no set.toml, give it a role and an origin there", Rule::listed});
    }
    check_machine_paths(file, findings);
  }
}

void check_links(const Tree& tree, std::vector<Finding>& findings) {
  std::set<std::string> targets;
  for (const SourceFile& file : tree) {
    for (std::string path = file.path; !path.empty(); path = folder_of(path)) targets.insert(path);
  }
  for (const SourceFile& file : tree) {
    if (ends_with(file.path, ".md")) check_page(file, targets, findings);
  }
}

}  // namespace lockstep::tidy
