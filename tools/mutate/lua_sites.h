// lua_sites.h: the places of a Lua script at which something can be changed, found on its syntax.
//
// The whole grammar of Lua 5.1 is read, so a script that Redis compiles is one that is understood. A place is
// a span of bytes: what is changed there leaves all other lines where they are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"

namespace lockstep::tools {

struct Span {
  std::size_t begin = 0, end = 0;
  bool operator==(const Span&) const = default;
};

struct LuaSites {
  /// redis.call and redis.pcall.
  struct Call {
    Span span;
    std::string command;  // "pexpire"; or its source, if it is no text: "ARGV[5]"
    bool statement = false;
  };
  /// What stands next to each other in one block.
  struct Neighbours {
    std::size_t first = 0, second = 0;  // calls that are statements
  };
  struct Condition {
    Span span;
    std::string word;  // if, elseif, while
  };
  struct Binary {
    std::string op;
    Span at, left, right;
  };
  /// KEYS[2], ARGV[1].
  struct Word {
    Span span;
    bool is_key = false;
    std::size_t number = 0;  // from 1 on
  };
  /// A number, true, false, or the nil of a return.
  struct Constant {
    Span span;
    std::string text;
  };
  std::vector<Call> calls;
  std::vector<Neighbours> neighbours;
  std::vector<Condition> conditions;
  std::vector<Binary> binaries;
  std::vector<Word> words;
  std::vector<Constant> constants;
};

/// A problem is a clause with its line: "line 3: …".
sim::Result<LuaSites> lua_sites(std::string_view text);

std::size_t line_at(std::string_view text, std::size_t offset);
std::size_t column_at(std::string_view text, std::size_t offset);

}  // namespace lockstep::tools
