// statements.h: the statements of a Java body, as far as it matters in which order texts are put together.
#pragma once

#include <string_view>
#include <vector>

#include "tools/import/java/expressions.h"

namespace lockstep::tools::java {

struct Statement {
  enum class Is : std::uint8_t {
    nothing,
    express,  // parts[0]
    declare,  // text is the name, type its type; parts: what it is at first, if anything
    branch,   // parts[0]: the condition; body, otherwise
    loop,     // parts: what stands in its head; body
    answer,   // return parts[0]
    leave,    // throw parts[0], break, continue
    block,    // body: a block, synchronized, the cases of a switch (`text`)
    attempt   // body: try and finally; otherwise: what the catches do, each a block
  };
  Is is = Is::nothing;
  std::string_view text, type;
  std::vector<Expression> parts;
  std::vector<Statement> body, otherwise;
  Range range;
};

std::vector<Statement> read_statements(const File& file, Range range);

}  // namespace lockstep::tools::java
