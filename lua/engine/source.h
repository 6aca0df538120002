// source.h: from the text of a script to a compiled chunk.
#pragma once

#include <string_view>

#include "lua/dialect/compat.h"

namespace lockstep::lua {

/// What the text of a script shows, without being run, of how it may be run faster. Each answer errs towards
/// true.
struct Shape {
  /// Else no instruction runs twice, and steps need not be counted.
  bool may_loop{};
  /// Else KEYS, ARGV and redis occur only as KEYS[, ARGV[, redis.call( and redis.pcall(, and are not defined.
  bool may_write_globals{};
  /// Else KEYS and ARGV are looked up in the direct globals only (sandbox.h), and stay as they are: the
  /// script assigns to nothing but new locals.
  bool may_touch_words{};
  /// It names _ENV, which in 5.4 is a variable of the chunk.
  bool uses_env{};
};

Shape shape_of(std::string_view text);

/// Compiles Lua source. Pushes a function and returns 0, or pushes a message in 5.1's words and returns the
/// status.
int compile(lua_State* L, std::string_view text, const char* chunk_name);

}  // namespace lockstep::lua
