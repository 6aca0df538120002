// Text as the rules see it: lines, and code without comments and strings.
#include <cctype>

#include "tools/tidy/tidy.h"

namespace lockstep::tidy {

namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The end of the raw string whose R stands at `at`; the delimiter is what stands between R" and (.
std::size_t end_of_raw_string(std::string_view text, std::size_t at) {
  const std::size_t open = text.find('(', at);
  if (open == std::string_view::npos) return text.size();
  const std::string close = ")" + std::string(text.substr(at + 2, open - at - 2)) + "\"";
  const std::size_t end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

/// The end of the string or character that opens at `at`.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\') ++i;
    else if (text[i] == quote) return i + 1;
  }
  return std::min(text.find('\n', at), text.size());
}

/// The end of what is not code at `at`, or `at` itself.
std::size_t end_of_other(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (begins_with(rest, "//")) return std::min(text.find('\n', at), text.size());
  if (begins_with(rest, "/*")) {
    const std::size_t end = text.find("*/", at + 2);
    return end == std::string_view::npos ? text.size() : end + 2;
  }
  const bool touches_name = at > 0 && is_name(text[at - 1]);
  if (begins_with(rest, "R\"") && !touches_name) return end_of_raw_string(text, at);
  if (text[at] == '"') return end_of_quoted(text, at);
  if (text[at] == '\'' && !touches_name)
    return end_of_quoted(text, at);  // otherwise a digit separator: 10'000
  return at;
}

}  // namespace

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool begins_with(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

bool is_source(std::string_view path) { return ends_with(path, ".h") || ends_with(path, ".cpp"); }

bool is_test(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return ends_with(name, "_test.cpp") || ends_with(name, "_prop.cpp") || ends_with(name, "_bench.cpp") ||
         begins_with(name, "test_") || ends_with(name, "_testing.h") || ends_with(name, "_testing.cpp");
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string code_of(std::string_view text) {
  std::string code(text);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = end_of_other(text, at);
    for (std::size_t i = at; i < end; ++i) {
      if (code[i] != '\n') code[i] = ' ';
    }
    at = std::max(end, at + 1);
  }
  return code;
}

std::string without_strings(std::string_view text) {
  std::string masked(text);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = end_of_other(text, at);
    const bool comment = text[at] == '/';
    for (std::size_t i = at; i < end && !comment; ++i) {
      if (masked[i] != '\n') masked[i] = '.';
    }
    at = std::max(end, at + 1);
  }
  return masked;
}

bool is_word_at(std::string_view text, std::size_t at, std::string_view word) {
  if (text.substr(at, word.size()) != word) return false;
  const std::size_t end = at + word.size();
  const bool touched_before = at > 0 && is_name(text[at - 1]) && is_name(word.front());
  const bool touched_behind = end < text.size() && is_name(text[end]) && is_name(word.back());
  return !touched_before && !touched_behind;
}

}  // namespace lockstep::tidy
