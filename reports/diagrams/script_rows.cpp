#include "reports/diagrams/script_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/text/text.h"

namespace lockstep::reports {

std::string branch_text(const CountedBranch& branch) {
  const auto times = [](const char* word, std::uint64_t count) {
    return count == 0 ? fmt::format("never {}", word) : fmt::format("{} {}", word, grouped(count));
  };
  return times("yes", branch.taken) + " · " + times("no", branch.not_taken);
}

bool is_half(const CountedLine& line) {
  return line.branch && line.hits > 0 && (line.branch->taken == 0 || line.branch->not_taken == 0);
}

std::string code_text(const CountedLine& line) {
  constexpr std::size_t characters_max = 140;
  return cut(printable(line.text), characters_max);
}

std::string indented_code(const CountedLine& line) {
  return std::string(static_cast<std::size_t>(std::max(line.indent, 0)) * 2, ' ') + code_text(line);
}

std::string hits_text(const CountedLine& line) {
  return !line.is_code ? "" : line.hits == 0 ? "never" : grouped(line.hits);
}

std::string broken_text(const CountedLine& line) {
  return "✗ " + cut(printable(line.broken), 60) + " breaks after this write";
}

std::string script_heading(const CountedScript& script) {
  return fmt::format("{} · ran {} time{}", cut(printable(script.role), 40), grouped(script.runs),
                     script.runs == 1 ? "" : "s");
}

std::string script_origin(const CountedScript& script) {
  return fmt::format("{} · {}", cut(printable(script.file), 80), cut(printable(script.sha1), 12));
}

}  // namespace lockstep::reports
