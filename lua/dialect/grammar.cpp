#include "lua/dialect/grammar.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "lua/dialect/concatenation.h"
#include "lua/dialect/numbers.h"

namespace lockstep::lua {
namespace {

constexpr lua_Number plain_limit = 1e14;  // as in numbers.cpp

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

Token token_of(std::string_view word) {
  constexpr std::string_view others =
      " local and or return elseif while in then else for break ";
  const std::string each = " " + std::string(word) + " ";
  if (others.find(each) != others.npos) return Token::other;
  if (word == "not") return Token::arithmetic;
  if (word == "function") return Token::function;
  if (word == "if" || word == "do" || word == "repeat") return Token::block;
  if (word == "end" || word == "until") return Token::block_end;
  return word == "nil" || word == "true" || word == "false" ? Token::constant : Token::name;
}

Token token_of(char sign) {
  constexpr std::string_view tighter = "+-*/%^#";
  if (tighter.find(sign) != tighter.npos) return Token::arithmetic;
  if (sign == '.' || sign == ':') return Token::access;
  if (sign == '(' || sign == '[' || sign == '{') return Token::open;
  return sign == ')' || sign == ']' || sign == '}' ? Token::close : Token::other;
}

class Translator {
 public:
  Translator(std::string_view text, Numbers numbers) : text_(text), numbers_(numbers) {}

  std::string run();

 private:
  // What came before decides what a sign means.
  enum class Last { operand, other, unary_minus, jump };

  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  void copy(std::size_t count) {
    out_.append(text_.substr(here_, count));
    here_ += count;
  }
  bool starts(std::string_view word) const { return text_.substr(here_).starts_with(word); }
  // Told of a token before it is written.
  void comes(Token token, std::string_view word) {
    if (numbers_ == Numbers::as_51) concatenation_.token(token, word);
  }
  void copy_token(Token token, std::size_t count) {
    comes(token, text_.substr(here_, count));
    copy(count);
  }
  bool is_key(std::size_t end) const;

  std::size_t long_bracket(std::size_t i) const;
  void comment();
  void quoted();
  void name();
  void number();
  void sign();
  void token();

  std::string_view text_;
  Numbers numbers_;
  std::size_t here_ = 0;
  std::string out_;
  Concatenation concatenation_{out_};
  Last last_ = Last::other;
  bool in_local_names_ = false;
};

// The end of a long bracket that begins at i, or i if none does.
std::size_t Translator::long_bracket(std::size_t i) const {
  std::size_t level = 0;
  while (at(i + 1 + level) == '=') ++level;
  if (at(i) != '[' || at(i + 1 + level) != '[') return i;
  const std::string close = "]" + std::string(level, '=') + "]";
  const auto end = text_.find(close, i + level + 2);
  return end == std::string_view::npos ? text_.size() : end + close.size();
}

void Translator::comment() {
  auto end = long_bracket(here_ + 2);
  if (end == here_ + 2) end = text_.find_first_of("\r\n", here_);
  copy(end == std::string_view::npos ? text_.size() - here_ : end - here_);
}

void Translator::quoted() {
  const char quote = at(here_);
  const std::size_t end = std::min(text_.find(quote, here_ + 1), text_.size() - 1);
  comes(Token::text, text_.substr(here_, end + 1 - here_));
  copy(1);
  while (here_ < text_.size()) {
    const char c = at(here_);
    if (c != '\\') {
      copy(1);
      if (c == quote || c == '\n' || c == '\r') break;  // a line's end is an error, which 5.4 finds, too
      continue;
    }
    const char letter = at(here_ + 1);
    constexpr std::string_view known = "abfnrtv\\\"'\n\r";
    const bool is_known = is_digit(letter) || (letter != '\0' && known.find(letter) != known.npos);
    if (is_known) {
      copy(2);
    } else {
      ++here_;  // the letter alone
      if (here_ < text_.size()) copy(1);
    }
  }
  last_ = Last::operand;
}

void Translator::name() {
  std::size_t end = here_;
  while (is_letter(at(end)) || is_digit(at(end))) ++end;
  const std::string_view word = text_.substr(here_, end - here_);
  if (word == "local") {
    in_local_names_ = true;
    last_ = Last::other;
  } else {
    constexpr std::string_view operators =
        " and or not return if elseif while until in then do else repeat function for break end ";
    const bool is_word = operators.find(" " + std::string(word) + " ") != operators.npos;
    last_ = is_word && word != "end" ? Last::other : Last::operand;
    if (is_word) in_local_names_ = false;
    if (word == "return" || word == "break") last_ = Last::jump;
  }
  copy_token(token_of(word), word.size());
  if (word == "goto") out_ += '_';
}

void Translator::number() {
  std::size_t end = here_;
  while (is_digit(at(end)) || at(end) == '.') ++end;
  if (at(end) == 'e' || at(end) == 'E') {
    ++end;
    if (at(end) == '+' || at(end) == '-') ++end;
  }
  while (is_letter(at(end)) || is_digit(at(end))) ++end;
  const std::string digits(text_.substr(here_, end - here_));
  if (!out_.empty() && (is_letter(out_.back()) || is_digit(out_.back()))) out_ += ' ';  // 0xA.8 is 0xA and .8
  comes(Token::constant, digits);
  const auto value = read_number(digits.c_str());
  const bool is_small = value && *value < plain_limit;
  const bool is_float = numbers_ == Numbers::as_51 && !is_key(end);
  if (!value || std::floor(*value) != *value) {
    out_ += digits;
  } else if (*value == 0 && last_ == Last::unary_minus) {
    out_ += "0.0";  // the negative zero
  } else {
    char text[40];
    std::snprintf(text, sizeof text, is_small ? "%.0f" : "%.17g", *value);
    const std::string_view written = std::isinf(*value) ? "1e999" : text;
    out_ += written;
    if ((!is_small || is_float) && written.find_first_of(".e") == written.npos) out_ += ".0";
  }
  here_ = end;
  last_ = Last::operand;
}

// Whether a number that ends here stands alone between [ and ].
bool Translator::is_key(std::size_t end) const {
  constexpr std::string_view blanks = " \t\r\n";
  const auto before = out_.find_last_not_of(blanks), behind = text_.find_first_not_of(blanks, end);
  return before != out_.npos && out_[before] == '[' && behind != text_.npos && text_[behind] == ']';
}

void Translator::sign() {
  const char c = at(here_);
  const bool ends_operand = c == ')' || c == ']' || c == '}';
  const bool was_operand = last_ == Last::operand;
  const bool ends_statement = was_operand || last_ == Last::jump;
  if (in_local_names_ && c == '<') out_ += ';';
  if (c != ',') in_local_names_ = false;
  comes(token_of(c), text_.substr(here_, 1));
  last_ = ends_operand ? Last::operand : c == '-' && !was_operand ? Last::unary_minus : Last::other;
  if (starts("~=") || starts("<=") || starts(">=") || starts("==")) return copy(2);
  if (starts("//") || starts("<<") || starts(">>") || starts("::")) {
    copy(1);
    out_ += ' ';
    return copy(1);
  }
  for (const StandIn& each : stand_ins) {
    if (c != each.sign || (c == ';' && ends_statement)) continue;
    out_ += each.byte;
    ++here_;
    return;
  }
  copy(1);
}

std::string Translator::run() {
  while (here_ < text_.size()) {
    const char c = at(here_);
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      copy(1);
    } else if (starts("--")) {
      comment();
    } else {
      token();
      if (numbers_ == Numbers::as_51) concatenation_.written();
    }
  }
  if (numbers_ == Numbers::as_51) concatenation_.finish();
  return std::move(out_);
}

void Translator::token() {
  const char c = at(here_);
  const auto bracket_end = long_bracket(here_);
  if (c == '"' || c == '\'') return quoted();
  if (bracket_end != here_) {
    const bool is_short = at(here_ + 1) == '[' && bracket_end - here_ >= 4;
    const std::string inner(is_short ? text_.substr(here_ + 2, bracket_end - here_ - 4) : "\\");
    comes(Token::text, "'" + inner + "'");
    copy(bracket_end - here_);
    last_ = Last::operand;
  } else if (is_letter(c)) {
    name();
  } else if (is_digit(c) || (c == '.' && is_digit(at(here_ + 1)))) {
    number();
  } else if (starts("...")) {
    copy_token(Token::constant, 3);
    last_ = Last::operand;
  } else if (starts("..")) {
    copy_token(Token::concat, 2);
    last_ = Last::other;
  } else {
    sign();
  }
}

}  // namespace

std::string grammar_54(std::string_view text, Numbers numbers) { return Translator(text, numbers).run(); }

}  // namespace lockstep::lua
