#include "tools/diff/script_numbers.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "tools/mutate/lua_tokens.h"

namespace lockstep::tools {

namespace {

void add_digits_of(std::string_view text, std::set<std::int64_t>& into) {
  constexpr std::string_view digits = "0123456789";
  constexpr std::size_t longest = 10;  // digits
  for (std::size_t at = text.find_first_of(digits); at < text.size(); at = text.find_first_of(digits, at)) {
    const std::size_t end = std::min(text.find_first_not_of(digits, at), text.size());
    std::int64_t number = 0;
    if (end - at <= longest) std::from_chars(text.data() + at, text.data() + end, number);
    if (number <= 1'000'000'000) into.insert(number);
    at = end;
  }
}

bool is_sign(const LuaToken& token, std::string_view text) {
  return token.kind == LuaTokenKind::sign && token.text == text;
}

/// `KEYS[4]`, or `return 7`, behind which nothing is done with it.
bool is_aside(const std::vector<LuaToken>& tokens, std::size_t i) {
  if (i >= 2 && is_sign(tokens[i - 1], "[") && is_sign(tokens[i + 1], "]"))
    return tokens[i - 2].text == "KEYS" || tokens[i - 2].text == "ARGV";
  return i >= 1 && tokens[i - 1].text == "return" &&
         (tokens[i + 1].kind != LuaTokenKind::sign || tokens[i + 1].text == ";") &&
         tokens[i + 1].text != "and" && tokens[i + 1].text != "or";
}

}  // namespace

std::set<std::int64_t> numbers_in(const lua::Script& script) {
  std::set<std::int64_t> numbers;
  const auto tokens = lua_tokens(script.text);
  if (!tokens) return numbers;
  for (std::size_t i = 0; i + 1 < tokens->size(); ++i) {
    const LuaToken& token = (*tokens)[i];
    if (token.kind == LuaTokenKind::text || (token.kind == LuaTokenKind::number && !is_aside(*tokens, i)))
      add_digits_of(token.text, numbers);
  }
  return numbers;
}

bool same_words(const lua::Script& one, const lua::Script& other) {
  const auto of_one = lua_tokens(one.text), of_other = lua_tokens(other.text);
  const auto is_same = [](const LuaToken& a, const LuaToken& b) { return a.text == b.text; };
  return of_one && of_other &&
         std::equal(of_one->begin(), of_one->end(), of_other->begin(), of_other->end(), is_same);
}

}  // namespace lockstep::tools
