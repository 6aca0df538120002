#include "lua/scripts/words_read.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace lockstep::lua {

namespace {

/// Where the long bracket that opens at `at` ends ("[[", "[=["), or `at` if there is none.
std::size_t behind_long_bracket(std::string_view text, std::size_t at) {
  std::size_t open = at + 1;
  while (open < text.size() && text[open] == '=') ++open;
  if (at >= text.size() || text[at] != '[' || open >= text.size() || text[open] != '[') return at;
  const std::string close = "]" + std::string(open - at - 1, '=') + "]";
  const std::size_t end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

std::size_t behind_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

std::size_t behind_comment(std::string_view text, std::size_t at) {
  const std::size_t end = behind_long_bracket(text, at + 2);
  return end != at + 2 ? end : std::min(text.find('\n', at), text.size());
}

/// The number in `[ 12 ]` at the front of `text`, or 0.
std::size_t index_in(std::string_view text) {
  const auto skip = [&] { text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size())); };
  skip();
  if (!text.starts_with('[')) return 0;
  text.remove_prefix(1);
  skip();
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  skip();
  return text.starts_with(']') ? number : 0;
}

}  // namespace

std::size_t behind_silent(std::string_view script, std::size_t at) {
  const std::string_view rest = script.substr(at);
  if (rest.starts_with("--")) return behind_comment(script, at);
  return rest[0] == '"' || rest[0] == '\'' ? behind_quotes(script, at) : behind_long_bracket(script, at);
}

WordsRead words_read(std::string_view script) {
  WordsRead read;
  for (std::size_t at = 0; at < script.size();) {
    const std::string_view rest = script.substr(at);
    if (const std::size_t end = behind_silent(script, at); end != at) {
      at = end;
    } else {
      if (rest.starts_with("KEYS")) read.keys = std::max(read.keys, index_in(rest.substr(4)));
      if (rest.starts_with("ARGV")) read.args = std::max(read.args, index_in(rest.substr(4)));
      ++at;
    }
  }
  return read;
}

}  // namespace lockstep::lua
