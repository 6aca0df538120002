#include "tools/diff/out_of_reach.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "tools/mutate/lua_tokens.h"

namespace lockstep::tools {

namespace {

std::string_view without_quotes(std::string_view text) {
  const bool quoted = text.size() > 2 && (text.front() == '\'' || text.front() == '"');
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// Of a number, or of a text that Lua takes for one.
std::optional<double> number_in(const LuaToken& token) {
  if (token.kind != LuaTokenKind::number && token.kind != LuaTokenKind::text) return std::nullopt;
  const std::string word(without_quotes(token.text));
  if (word.find_first_of("0123456789") == std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  return *end == '\0' ? std::optional(value) : std::nullopt;
}

bool is_sign(const LuaToken& token, std::string_view text) {
  return token.kind == LuaTokenKind::sign && token.text == text;
}

bool is_keyword(const LuaToken& token, std::string_view text) {
  return token.kind == LuaTokenKind::keyword && token.text == text;
}

bool ends_statement(const LuaToken& token) {
  if (token.kind == LuaTokenKind::end || is_sign(token, ";")) return true;
  return is_keyword(token, "end") || is_keyword(token, "else") || is_keyword(token, "elseif");
}

bool asks_for_time(const std::vector<LuaToken>& tokens) {
  return std::any_of(tokens.begin(), tokens.end(), [](const LuaToken& token) {
    const std::string_view word = without_quotes(token.text);
    return token.kind == LuaTokenKind::text && (word == "time" || word == "TIME");
  });
}

}  // namespace

std::optional<OutOfReach> out_of_reach(const lua::Script& script, long reach) {
  const auto tokens = lua_tokens(script.text);
  if (!tokens) return std::nullopt;  // it never ran either
  const bool has_time = asks_for_time(*tokens);
  std::optional<OutOfReach> first;
  for (std::size_t i = 0; i + 1 < tokens->size(); ++i) {
    const LuaToken& token = (*tokens)[i];
    const std::optional<double> number = number_in(token);
    if (!number || std::abs(*number) <= static_cast<double>(reach)) continue;
    const LuaToken& after = (*tokens)[i + 1];
    const LuaToken before = i == 0 ? LuaToken{} : (*tokens)[i - 1];
    const bool index = is_sign(before, "[") && is_sign(after, "]");
    const bool reply = is_keyword(before, "return") && ends_statement(after);
    const bool factor = is_sign(before, "*") || is_sign(before, "/") || is_sign(after, "*");
    const bool of_time = has_time && factor && (*number == 1'000 || *number == 1'000'000);
    const bool loop = i >= 3 && is_sign(before, "=") && is_keyword((*tokens)[i - 3], "for");
    if (index || reply || of_time || loop) continue;
    const bool argument = (is_sign(before, "(") || is_sign(before, ",")) &&
                          (is_sign(after, ",") || is_sign(after, ")"));
    if (!first || argument)
      first = {std::string(token.text), line_at(script.text, token.span.begin), argument};
    if (argument) break;
  }
  return first;
}

}  // namespace lockstep::tools
