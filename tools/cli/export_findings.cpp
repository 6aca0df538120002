#include "tools/cli/export_findings.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "scenarios/format/suggest.h"
#include "tools/cli/input.h"
#include "tools/cli/output.h"

namespace lockstep::tools {

namespace {

struct FindingsFormat {
  std::string_view kind;
  std::string (*write)(const reports::Findings& findings);
};

constexpr std::array findings_formats{FindingsFormat{"junit", reports::findings_junit},
                                      FindingsFormat{"sarif", reports::findings_sarif},
                                      FindingsFormat{"md", reports::findings_markdown},
                                      FindingsFormat{"html", reports::findings_html},
                                      FindingsFormat{"json", reports::findings_json},
                                      FindingsFormat{"github", reports::findings_annotations}};

std::optional<sim::Problem> take_export(const std::string& word, std::vector<FindingsExport>& into) {
  const std::size_t equals = word.find('=');
  std::vector<std::string> kinds;
  for (const FindingsFormat& one : findings_formats) {
    kinds.emplace_back(one.kind);
    if (word.substr(0, equals) != one.kind || equals == std::string::npos) continue;
    if (equals + 1 == word.size()) return sim::Problem{"wants a file behind `" + word + "`"};
    into.push_back({one.write, word.substr(equals + 1)});
    return std::nullopt;
  }
  return sim::Problem{
      fmt::format("wants KIND=PATH, where KIND is {}, not `{}`", scenarios::either(kinds), word)};
}

}  // namespace

void declare_exports(Grammar& grammar, std::vector<FindingsExport>& into) {
  grammar.taken_again(
      "--export", [&into](const std::string& word) { return take_export(word, into); }, "KIND=PATH",
      "write the result as junit, sarif, md, html, json or github to a file; may be repeated");
}

std::optional<sim::Problem> cannot_write(const std::vector<FindingsExport>& exports) {
  for (const FindingsExport& one : exports)
    if (auto problem = cannot_write(one.path)) return problem;
  return std::nullopt;
}

std::optional<sim::Problem> write_exports(const reports::Findings& findings,
                                          const std::vector<FindingsExport>& exports) {
  const char* summary = std::getenv("GITHUB_STEP_SUMMARY");
  for (const FindingsExport& one : exports) {
    std::string before;
    std::error_code ignored;
    if (summary != nullptr && one.path == summary && std::filesystem::exists(one.path, ignored)) {
      auto there = read_input(one.path);
      if (!there) return there.problem();
      before = *std::move(there);
    }
    if (auto problem = write_file(one.path, before + one.write(findings))) return problem;
  }
  return std::nullopt;
}

}  // namespace lockstep::tools
