// token.h: the words of a Java source file.
//
// A token is a piece of the file's text, which must outlive it. `>` is always a token of its own, so that the
// end of List<List<String>> needs no care; whoever reads expressions puts `>>` and `>=` together again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"

namespace lockstep::tools::java {

struct Token {
  enum class Kind : std::uint8_t { name, number, text, block, character, symbol, end };

  std::string_view text;   // as written, with its quotes
  std::uint32_t line = 0;  // from 1
  Kind kind = Kind::end;
  bool apart = false;  // there is a blank, a line end or a comment before it

  bool is(std::string_view symbol_or_word) const {
    return text == symbol_or_word && (kind == Kind::symbol || kind == Kind::name);
  }
};

/// The text behind the \uXXXX of a file, which Java replaces before it looks for words (JLS 3.3), with every
/// line end as \n. Refused: an escape without its four digits.
sim::Result<std::string> without_unicode_escapes(std::string_view bytes, const std::string& path);

/// The tokens of such a text, the last of them of kind `end`. Refused with file and line: what is never
/// closed (a string, a comment, a bracket), an escape that Java does not have, bytes that no Java has.
sim::Result<std::vector<Token>> tokens_of(std::string_view text, const std::string& path);

/// What a literal of kind text, block or character stands for, in UTF-8.
std::string value_of(const Token& literal);

}  // namespace lockstep::tools::java
