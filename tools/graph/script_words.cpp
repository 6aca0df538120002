#include "tools/graph/script_words.h"

#include <algorithm>
#include <array>
#include <string>

namespace lockstep::tools {

namespace {

using namespace std::string_view_literals;

constexpr std::array lua_keywords{"and"sv,   "break"sv, "do"sv,       "else"sv,   "elseif"sv, "end"sv,
                                  "false"sv, "for"sv,   "function"sv, "if"sv,     "in"sv,     "local"sv,
                                  "nil"sv,   "not"sv,   "or"sv,       "repeat"sv, "return"sv, "then"sv,
                                  "true"sv,  "until"sv, "while"sv};
constexpr std::array lua_long_signs{"..."sv, ".."sv, "=="sv, "~="sv, "<="sv,
                                    ">="sv,  "::"sv, "//"sv, "<<"sv, ">>"sv};

bool is_lua_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_lua_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_lua_name(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_in_lua_name(char c) { return begins_lua_name(c) || is_lua_digit(c); }

/// The length of a text between long brackets, [[…]] or [==[…]==], or 0; open ones go to the end.
std::size_t long_bracket(std::string_view rest) {
  std::size_t level = 1;
  while (level < rest.size() && rest[level] == '=') ++level;
  if (rest.empty() || rest[0] != '[' || level >= rest.size() || rest[level] != '[') return 0;
  const std::string close = "]" + std::string(level - 1, '=') + "]";
  const std::size_t end = rest.find(close, level + 1);
  return end == std::string_view::npos ? rest.size() : end + close.size();
}

std::size_t quoted_length(std::string_view rest) {
  for (std::size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] == '\\') ++at;
    else if (rest[at] == rest[0]) return at + 1;
  }
  return rest.size();
}

std::size_t comment_length(std::string_view rest) {
  if (const std::size_t block = long_bracket(rest.substr(2)); block > 0) return 2 + block;
  return std::min(rest.find('\n'), rest.size());
}

std::size_t number_length(std::string_view rest) {
  std::size_t at = 1;
  while (at < rest.size()) {
    const bool sign = (rest[at] == '+' || rest[at] == '-') && (rest[at - 1] | 0x20) == 'e' && rest[1] != 'x';
    if (!sign && !is_in_lua_name(rest[at]) && !(rest[at] == '.' && rest.substr(at, 2) != "..")) break;
    ++at;
  }
  return at;
}

ScriptWord lua_word_at(std::string_view rest) {
  const char c = rest[0];
  if (begins_lua_name(c)) {
    std::size_t end = 1;
    while (end < rest.size() && is_in_lua_name(rest[end])) ++end;
    const std::string_view text = rest.substr(0, end);
    const bool known = std::find(lua_keywords.begin(), lua_keywords.end(), text) != lua_keywords.end();
    return {known ? WordKind::keyword : WordKind::name, text};
  }
  if (rest.starts_with("--")) return {WordKind::comment, rest.substr(0, comment_length(rest))};
  if (c == '"' || c == '\'') return {WordKind::string, rest.substr(0, quoted_length(rest))};
  if (const std::size_t length = long_bracket(rest); length > 0)
    return {WordKind::string, rest.substr(0, length)};
  const bool point = c == '.' && rest.size() > 1 && is_lua_digit(rest[1]);
  if (is_lua_digit(c) || point) return {WordKind::number, rest.substr(0, number_length(rest))};
  for (const std::string_view sign : lua_long_signs)
    if (rest.starts_with(sign)) return {WordKind::sign, rest.substr(0, sign.size())};
  return {WordKind::sign, rest.substr(0, 1)};
}

}  // namespace

std::vector<ScriptWord> words_of_script(std::string_view script) {
  std::vector<ScriptWord> words;
  int line = 1;
  bool spaced = false;
  for (std::size_t at = 0; at < script.size();) {
    if (is_lua_blank(script[at])) {
      line += script[at++] == '\n' ? 1 : 0;
      spaced = true;
      continue;
    }
    ScriptWord word = lua_word_at(script.substr(at));
    word.line = line;
    word.spaced = spaced;
    line += static_cast<int>(std::count(word.text.begin(), word.text.end(), '\n'));
    at += word.text.size();
    spaced = false;
    words.push_back(word);
  }
  return words;
}

}  // namespace lockstep::tools
