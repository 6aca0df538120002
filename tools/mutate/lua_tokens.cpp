#include "tools/mutate/lua_tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace lockstep::tools {

namespace {

constexpr std::array<std::string_view, 21> keywords{
    "and",   "break", "do",  "else", "elseif", "end",    "false", "for",  "function", "if",   "in",
    "local", "nil",   "not", "or",   "repeat", "return", "then",  "true", "until",    "while"};
constexpr std::array<std::string_view, 26> signs{"...", "..", "==", "~=", "<=", ">=", "+", "-", "*",
                                                 "/",   "%",  "^",  "#",  "<",  ">",  "=", "(", ")",
                                                 "{",   "}",  "[",  "]",  ";",  ":",  ",", "."};

bool is_lua_digit(char c) { return c >= '0' && c <= '9'; }
bool in_name(char c) {
  return is_lua_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

class LuaLexer {
 public:
  explicit LuaLexer(std::string_view text) : text_(text) {}

  sim::Result<std::vector<LuaToken>> run() {
    std::vector<LuaToken> tokens;
    if (text_.starts_with("#")) skip_line();
    for (;;) {
      if (!skip()) return wrong(at_, "a comment that does not end");
      const std::size_t begin = at_;
      if (begin == text_.size()) break;
      const auto kind = next();
      if (!kind) return wrong(begin, "what is no word of Lua, or a text that does not end");
      const Span span{begin, at_};
      tokens.push_back({*kind, span, text_.substr(begin, at_ - begin)});
    }
    tokens.push_back({LuaTokenKind::end, {text_.size(), text_.size()}, {}});
    return tokens;
  }

 private:
  sim::Problem wrong(std::size_t at, std::string_view what) const {
    return sim::Problem{fmt::format("line {}: {}", line_at(text_, at), what)};
  }
  bool at(std::string_view word) const { return text_.substr(at_, word.size()) == word; }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  /// Blanks and comments; false at a comment without an end.
  bool skip() {
    for (;;) {
      while (at_ < text_.size() && std::string_view(" \t\r\n\f\v").find(text_[at_]) != std::string_view::npos)
        ++at_;
      if (!at("--")) return true;
      const std::size_t begin = at_;
      at_ += 2;
      if (const std::size_t level = long_bracket(); level > 0) {
        if (!skip_long(level)) return at_ = begin, false;
      } else {
        skip_line();
      }
    }
  }

  /// The length of `[[`, `[=[` …; 0 if there is none.
  std::size_t long_bracket() const {
    if (at_ >= text_.size() || text_[at_] != '[') return 0;
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] == '=') ++end;
    return end < text_.size() && text_[end] == '[' ? end + 1 - at_ : 0;
  }

  bool skip_long(std::size_t level) {
    const std::string close = "]" + std::string(level - 2, '=') + "]";
    const std::size_t end = text_.find(close, at_ + level);
    if (end == std::string_view::npos) return false;
    at_ = end + close.size();
    return true;
  }

  std::optional<LuaTokenKind> next() {
    const char c = text_[at_];
    const bool fraction = c == '.' && at_ + 1 < text_.size() && is_lua_digit(text_[at_ + 1]);
    if (is_lua_digit(c) || fraction) return number();
    if (in_name(c)) return name();
    if (c == '\'' || c == '"') return quoted(c);
    if (const std::size_t level = long_bracket(); level > 0)
      return skip_long(level) ? std::optional(LuaTokenKind::text) : std::nullopt;
    for (const std::string_view sign : signs)
      if (at(sign)) {
        at_ += sign.size();
        return LuaTokenKind::sign;
      }
    return std::nullopt;
  }

  LuaTokenKind number() {
    while (at_ < text_.size() && (in_name(text_[at_]) || text_[at_] == '.')) {
      const bool exponent = text_[at_] == 'e' || text_[at_] == 'E';
      ++at_;
      if (exponent && at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
    }
    return LuaTokenKind::number;
  }

  LuaTokenKind name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    const bool is_keyword =
        std::find(keywords.begin(), keywords.end(), text_.substr(begin, at_ - begin)) != keywords.end();
    return is_keyword ? LuaTokenKind::keyword : LuaTokenKind::name;
  }

  std::optional<LuaTokenKind> quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\') ++at_;
      else if (text_[at_] == quote) return ++at_, LuaTokenKind::text;
    }
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

sim::Result<std::vector<LuaToken>> lua_tokens(std::string_view text) { return LuaLexer(text).run(); }

std::size_t line_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

std::size_t column_at(std::string_view text, std::size_t offset) {
  const std::size_t line = text.substr(0, offset).rfind('\n');
  return line == std::string_view::npos ? offset + 1 : offset - line;
}

}  // namespace lockstep::tools
