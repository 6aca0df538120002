#include "lua/dialect/grammar.h"

#include <cmath>
#include <cstdio>

#include "lua/dialect/numbers.h"

namespace lockstep::lua {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Translator {
 public:
  explicit Translator(std::string_view text) : text_(text) {}

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

  std::size_t long_bracket(std::size_t i) const;
  void comment();
  void quoted();
  void name();
  void number();
  void sign();

  std::string_view text_;
  std::size_t here_ = 0;
  std::string out_;
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
  copy(word.size());
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
  const auto value = read_number(digits.c_str());
  constexpr lua_Number plain_limit = 1e14;  // as in numbers.cpp
  if (!value || std::floor(*value) != *value) {
    out_ += digits;
  } else if (*value == 0 && last_ == Last::unary_minus) {
    out_ += "0.0";  // the negative zero
  } else {
    char text[40];
    const bool is_plain = *value < plain_limit;
    std::snprintf(text, sizeof text, is_plain ? "%.0f" : "%.17g", *value);
    out_ += std::isinf(*value) ? "1e999" : text;
    if (!is_plain && out_.find_first_of(".e", out_.size() - std::string_view(text).size()) == out_.npos) {
      out_ += ".0";
    }
  }
  here_ = end;
  last_ = Last::operand;
}

void Translator::sign() {
  const char c = at(here_);
  const bool ends_operand = c == ')' || c == ']' || c == '}';
  const bool was_operand = last_ == Last::operand;
  const bool ends_statement = was_operand || last_ == Last::jump;
  if (in_local_names_ && c == '<') out_ += ';';
  if (c != ',') in_local_names_ = false;
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
    const auto bracket_end = long_bracket(here_);
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      copy(1);
    } else if (starts("--")) {
      comment();
    } else if (c == '"' || c == '\'') {
      quoted();
    } else if (bracket_end != here_) {
      copy(bracket_end - here_);
      last_ = Last::operand;
    } else if (is_letter(c)) {
      name();
    } else if (is_digit(c) || (c == '.' && is_digit(at(here_ + 1)))) {
      number();
    } else if (starts("...")) {
      copy(3);
      last_ = Last::operand;
    } else if (starts("..")) {
      copy(2);
      last_ = Last::other;
    } else {
      sign();
    }
  }
  return std::move(out_);
}

}  // namespace

std::string grammar_54(std::string_view text) { return Translator(text).run(); }

}  // namespace lockstep::lua
