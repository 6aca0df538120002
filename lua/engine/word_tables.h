// word_tables.h: KEYS and ARGV, the two globals that an eval fills.
//
// Each script keeps its tables and fills them again, one for each length, so that it always gets a table
// whose inner size is its length; one that it gave other fields or a metatable is not used again. As long as
// the lengths stay the same, the tables of a script with globals of its own need not be put there again. Many
// words come again in the next eval, and to compare one costs less than to make a string of Lua's of it: what
// a script cannot have changed stays where it is.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lua/dialect/compat.h"

namespace lockstep::lua {

/// One of the two, of one script.
class WordTables {
 public:
  explicit WordTables(const char* global) : global_(global) {}

  /// `direct_globals`: the registry's reference to the globals that the script has for itself (sandbox.h), or
  /// LUA_NOREF. `may_touch`: Shape::may_touch_words of the script.
  void fill(lua_State* L, std::span<const std::string_view> words, int direct_globals, bool may_touch);

  /// Gives the tables back, before the end of a script whose engine lives on.
  void release(lua_State* L);

 private:
  static constexpr std::size_t kept_max = 16;

  bool is_there(std::size_t count, std::size_t place, std::string_view word);
  static bool is_clean(lua_State* L, std::size_t count);
  bool push_kept(lua_State* L, std::size_t count);
  void keep(lua_State* L, std::size_t count);

  const char* global_;
  std::array<int, kept_max> refs_{};
  std::array<bool, kept_max> touched_{};  // the script may have changed the table since it was last looked at
  std::array<std::vector<std::string>, kept_max> words_;  // what the tables hold, if no script touches them
  std::size_t direct_ = kept_max;         // the length of the table that is in the direct globals now
};

}  // namespace lockstep::lua
