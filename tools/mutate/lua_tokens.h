// lua_tokens.h: the words of a Lua script, by the rules of Lua 5.1: names, numbers, texts, signs.
#pragma once

#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "tools/mutate/lua_sites.h"

namespace lockstep::tools {

enum class LuaTokenKind { name, keyword, number, text, sign, end };

struct LuaToken {
  LuaTokenKind kind = LuaTokenKind::end;
  Span span;
  std::string_view text;  // of the source
};

/// The last one is an `end`. A problem is a clause with its line.
sim::Result<std::vector<LuaToken>> lua_tokens(std::string_view text);

}  // namespace lockstep::tools
