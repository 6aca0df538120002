#include "tools/tidy/tidy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lockstep::tidy {

namespace fs = std::filesystem;

namespace {

bool covers(const Excuse& excuse, const Finding& finding) {
  if (excuse.rule != finding.rule) return false;
  return ends_with(excuse.path, "/") ? begins_with(finding.path, excuse.path) : finding.path == excuse.path;
}

/// Whether a finding is covered; marks every excuse that covers it as needed.
bool is_excused(const Finding& finding, std::span<const Excuse> excused, std::vector<bool>& needed) {
  bool covered = false;
  for (std::size_t i = 0; i < excused.size(); ++i) {
    if (!covers(excused[i], finding)) continue;
    needed[i] = true;
    covered = true;
  }
  return covered;
}

std::vector<Finding> all_findings(const Tree& tree) {
  std::vector<Finding> findings;
  for (const SourceFile& file : tree) {
    check_layers(file, findings);
    check_words(file, findings);
    check_shape(file, findings);
  }
  check_listed(tree, findings);
  check_links(tree, findings);
  return findings;
}

/// Build trees, results and what belongs to other tools.
bool is_skipped(const fs::path& directory) {
  const std::string name = directory.filename().string();
  return begins_with(name, "build") || name == "out" || name == ".git" || name == ".cache" || name == ".idea";
}

/// Texts that have rules. Recorded data (goldens, logs) is not looked at.
bool is_looked_at(const fs::path& path) {
  static constexpr std::array kinds{".h",    ".cpp", ".cmake", ".txt", ".md",
                                    ".toml", ".lua", ".json",  ".in",  ""};
  const std::string kind = path.extension().string();
  const bool known = std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  return known && path.filename() != ".git" && path.parent_path().filename() != "goldens";
}

/// Pages link to pictures; only that they are there counts.
bool is_picture(const fs::path& path) { return path.extension() == ".svg" || path.extension() == ".png"; }

}  // namespace

std::string show(const Finding& finding) {
  if (finding.line == 0) return fmt::format("{}: {}", finding.path, finding.message);
  return fmt::format("{}:{}: {}", finding.path, finding.line, finding.message);
}

std::vector<Finding> check(const Tree& tree, std::span<const Excuse> excused) {
  std::vector<bool> needed(excused.size(), false);
  std::vector<Finding> findings;
  for (Finding& finding : all_findings(tree)) {
    if (!is_excused(finding, excused, needed)) findings.push_back(std::move(finding));
  }
  for (std::size_t i = 0; i < excused.size(); ++i) {
    if (needed[i]) continue;
    const std::string message =
        fmt::format("an excuse that nothing needs (\"{}\"), remove it", excused[i].reason);
    findings.push_back({std::string(excused[i].path), 0, message, excused[i].rule});
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.path, a.line) < std::tie(b.path, b.line);
  });
  return findings;
}

Tree read_tree(const std::string& top) {
  Tree tree;
  for (auto entry = fs::recursive_directory_iterator(top); entry != fs::recursive_directory_iterator();
       ++entry) {
    if (entry->is_directory() && is_skipped(entry->path())) entry.disable_recursion_pending();
    if (!entry->is_regular_file()) continue;
    const std::string path = fs::relative(entry->path(), top).generic_string();
    if (is_picture(entry->path())) tree.push_back({path, ""});
    if (!is_looked_at(entry->path())) continue;
    std::ifstream in(entry->path(), std::ios::binary);
    tree.push_back({path, std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>())});
  }
  std::sort(tree.begin(), tree.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return tree;
}

}  // namespace lockstep::tidy
