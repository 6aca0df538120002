#include "tools/cli/mended.h"

#include <algorithm>
#include <regex>

#include "reports/text/text.h"

namespace lockstep::tools {

namespace {

/// Where the character of that number (from 1) begins in the line; its length if there are fewer.
std::size_t byte_of(const std::string& line, std::size_t column) {
  std::size_t at = 0;
  for (std::size_t before = 1; before < column && at < line.size(); ++before)
    reports::next_code_point(line, at);
  return at;
}

std::size_t begin_of_line(const std::string& text, std::size_t number) {
  std::size_t at = 0;
  for (std::size_t line = 1; line < number && at != text.npos; ++line) {
    at = text.find('\n', at);
    if (at != text.npos) ++at;
  }
  return at;
}

bool is_quoted(const std::string& word) {
  return word.size() >= 2 && word.front() == word.back() && (word.front() == '"' || word.front() == '\'');
}

}  // namespace

std::optional<Mended> mended(const std::string& text, const sim::Problem& problem) {
  static const std::regex place("\n  --> [^\n]*:([0-9]{1,9}):([0-9]{1,9})\n");
  static const std::regex hint("(\\^+) did you mean `([^`\n]+)`\\?$");
  std::smatch where, what;
  if (!std::regex_search(problem.text, where, place) || !std::regex_search(problem.text, what, hint))
    return std::nullopt;
  const std::size_t number = std::stoul(where[1]), column = std::stoul(where[2]);
  const std::size_t begin = begin_of_line(text, number);
  if (begin == text.npos) return std::nullopt;
  const std::string line = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  const std::size_t from = byte_of(line, column);
  const std::size_t to = byte_of(line, column + static_cast<std::size_t>(what[1].length()));
  const std::string wrong = line.substr(from, to - from);
  std::string right = what[2];
  if (is_quoted(wrong)) right = wrong.front() + right + wrong.back();
  if (wrong.empty() || wrong == right) return std::nullopt;
  return Mended{text.substr(0, begin + from) + right + text.substr(begin + to), wrong, right, number};
}

}  // namespace lockstep::tools
