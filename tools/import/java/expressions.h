// expressions.h: Java expressions, as far as their values may be texts.
//
// What matters here has a kind of its own; all else is `other`, with the expressions that it is made of. An
// expression that cannot be read is `unread`: nothing is said of it, and what it may hold is not seen.
#pragma once

#include <string_view>
#include <vector>

#include "tools/import/java/declarations.h"

namespace lockstep::tools::java {

struct Expression {
  enum class Is : std::uint8_t {
    literal,   // a string, character, number, true, false, null: the first token
    name,      // text; parts: what stands before the dot, if anything
    call,      // text is the method; parts: the target, if `targeted`, and the arguments
    sum,       // parts, from left to right
    choice,    // condition ? one : other
    make,      // new text(parts): `body` is that of an anonymous class
    function,  // parameters -> body, or -> parts[0]
    set,       // parts[0] text parts[1]: =, += …
    other,     // text is the operator, where one stands between or before the parts
    unread
  };
  Is is = Is::unread;
  std::string_view text;
  std::vector<Expression> parts;
  bool targeted = false;
  Range range, body;
  std::vector<std::string_view> parameters;  // of a function
  std::uint32_t anchor = 0;                  // of a call: the token of its name
};

/// The expression that begins at `at`, which is moved behind it; it ends before `last`.
Expression read_expression(const File& file, std::uint32_t& at, std::uint32_t last);

}  // namespace lockstep::tools::java
