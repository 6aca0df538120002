// Words of Java (JLS 3), as far as a reader of strings and brackets needs them.
#include <fmt/format.h>

#include <array>

#include "reports/text/text.h"
#include "tools/import/java/token.h"

namespace lockstep::tools::java {

namespace {

constexpr std::size_t brackets_max = 400;  // deeper than that is no program, and would be for our own stack

constexpr std::array<std::string_view, 25> long_symbols{
    "...", "<<=", "->", "::", "==", "!=", "<=", "&&", "||", "++", "--", "+=", "-=",
    "*=",  "/=",  "%=", "&=", "|=", "^=", "<<", "@",  "~",  "?",  "!",  "%"};
constexpr std::string_view short_symbols = "(){}[];,.=<>+-*/&|^:";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (c & 0x80) != 0;
}

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  sim::Result<std::vector<Token>> run() {
    while (skip_blanks() && at_ < text_.size() && problem_.empty()) word();
    if (problem_.empty() && !open_.empty())
      fail(open_.back().line,
           fmt::format("the file ends, and the `{}` of this line is never closed", open_.back().text));
    if (!problem_.empty()) return sim::Problem{problem_};
    tokens_.push_back({"", line_, Token::Kind::end, true});
    return std::move(tokens_);
  }

 private:
  void fail(std::size_t line, const std::string& what) {
    if (problem_.empty()) problem_ = fmt::format("{}:{}: {}", path_, line, what);
  }

  std::string_view rest() const { return text_.substr(at_); }

  bool skip_blanks() {
    apart_ = at_ == 0;
    for (; at_ < text_.size(); apart_ = true) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c == ' ' || c == '\t' || c == '\f' || c == '\n' || c == '\x1a') ++at_;
      else if (rest().starts_with("\xEF\xBB\xBF")) at_ += 3;
      else if (rest().starts_with("//")) at_ = std::min(text_.find('\n', at_), text_.size());
      else if (!rest().starts_with("/*")) return true;
      else if (!skip_comment()) return false;
    }
    return true;
  }

  bool skip_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) {
      fail(line_, "the file ends within the comment that begins here");
      return false;
    }
    count_lines(at_, end);
    at_ = end + 2;
    return true;
  }

  void count_lines(std::size_t from, std::size_t to) {
    for (; from < to; ++from) line_ += text_[from] == '\n' ? 1 : 0;
  }

  void take(std::size_t end, Token::Kind kind) {
    tokens_.push_back({text_.substr(at_, end - at_), line_, kind, apart_});
    at_ = end;
  }

  void word() {
    const char c = text_[at_];
    if (begins_name(c)) {
      std::size_t end = at_ + 1;
      while (end < text_.size() && (begins_name(text_[end]) || is_digit(text_[end]))) ++end;
      take(end, Token::Kind::name);
      if (!reports::valid_utf8(tokens_.back().text)) fail(line_, "this is no Java: bytes that are not UTF-8");
      return;
    }
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    if (rest().starts_with("\"\"\"")) return block();
    if (c == '"' || c == '\'') return quoted(c);
    symbol();
  }

  void number() {
    std::size_t end = at_ + 1;
    for (; end < text_.size(); ++end) {
      const char c = text_[end];
      const bool sign = (c == '+' || c == '-') && (text_[end - 1] | 0x20) == 'e' &&
                        !rest().starts_with("0x") && !rest().starts_with("0X");
      if (!sign && !begins_name(c) && !is_digit(c) && c != '.') break;
    }
    take(end, Token::Kind::number);
  }

  /// Moves `end` behind the escape at it; false: Java has no such escape.
  bool behind_escape(std::size_t& end, bool in_block) {
    const char c = end + 1 < text_.size() ? text_[end + 1] : '\0';
    const bool known = std::string_view("btnfrs\"'\\01234567").find(c) != std::string_view::npos && c != '\0';
    if (!known && !(in_block && c == '\n')) {
      if (c != '\0' && c != '\n') fail(line_, fmt::format("Java has no escape `\\{}`", c));
      return false;
    }
    end += 2;
    return true;
  }

  void quoted(char quote) {
    const std::string what = quote == '"' ? "the string" : "the character";
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
      if (text_[end] != '\\') ++end;
      else if (!behind_escape(end, false)) break;
    }
    if (end >= text_.size() || text_[end] != quote) return fail(line_, what + " that begins here has no end");
    if (quote == '\'' && end == at_ + 1) return fail(line_, "a character that is none: ''");
    take(end + 1, quote == '"' ? Token::Kind::text : Token::Kind::character);
  }

  void block() {
    std::size_t end = text_.find_first_not_of(" \t\f", at_ + 3);
    if (end == std::string_view::npos || text_[end] != '\n')
      return fail(line_, "a text block's \"\"\" is followed by a line end");
    while (end < text_.size() && !text_.substr(end).starts_with("\"\"\"")) {
      if (text_[end] != '\\') ++end;
      else if (!behind_escape(end, true)) break;
    }
    if (!text_.substr(std::min(end, text_.size())).starts_with("\"\"\""))
      return fail(line_, "the text block that begins here has no end");
    const std::size_t begin = at_;
    take(end + 3, Token::Kind::block);
    count_lines(begin, end);
  }

  void symbol() {
    for (const std::string_view symbol : long_symbols)
      if (rest().starts_with(symbol)) return take(at_ + symbol.size(), Token::Kind::symbol);
    const char c = text_[at_];
    if (short_symbols.find(c) == std::string_view::npos || c == '\0') {
      const auto byte = static_cast<unsigned char>(c);
      return fail(line_, byte > ' ' && byte < 0x7F ? fmt::format("this is no Java: a `{}` here", c)
                                                   : fmt::format("this is no Java: a byte {:#04x}", byte));
    }
    take(at_ + 1, Token::Kind::symbol);
    if (c == '(' || c == '[' || c == '{') {
      if (open_.size() == brackets_max)
        return fail(line_, fmt::format("brackets lie more than {} deep", brackets_max));
      open_.push_back(tokens_.back());
    } else if (c == ')' || c == ']' || c == '}') {
      close(c);
    }
  }

  void close(char bracket) {
    const char wanted = bracket == ')' ? '(' : bracket == ']' ? '[' : '{';
    if (open_.empty()) return fail(line_, fmt::format("this `{}` closes nothing", bracket));
    if (open_.back().text.front() != wanted)
      return fail(line_, fmt::format("this `{}` does not close the `{}` of line {}", bracket,
                                     open_.back().text, open_.back().line));
    open_.pop_back();
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  bool apart_ = false;
  std::vector<Token> tokens_;
  std::vector<Token> open_;
  std::string problem_;
};

}  // namespace

sim::Result<std::vector<Token>> tokens_of(std::string_view text, const std::string& path) {
  return Lexer(text, path).run();
}

}  // namespace lockstep::tools::java
