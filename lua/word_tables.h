// word_tables.h: KEYS and ARGV, the two globals that an eval fills.
//
// The tables are kept and filled again, one for each length, so that a script always gets a table whose inner
// size is its length; one that a script gave other fields or a metatable is not used again.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "lua/compat.h"

namespace lockstep::lua {

/// One of the two.
class WordTables {
 public:
  explicit WordTables(const char* global) : global_(global) {}

  /// `may_touch`: Shape::may_touch_words of the script that is about to run.
  void fill(lua_State* L, std::span<const std::string_view> words, bool may_touch);

 private:
  static constexpr std::size_t kept_max = 16;

  static bool is_clean(lua_State* L, std::size_t count);
  bool push_kept(lua_State* L, std::size_t count);
  void keep(lua_State* L, std::size_t count);

  const char* global_;
  std::array<int, kept_max> refs_{};
  std::array<bool, kept_max> touched_{};  // a script may have changed the table since it was last looked at
  // The length of the table that is the global now, in each of the two kinds of globals.
  std::size_t direct_ = kept_max, ordinary_ = kept_max;
};

}  // namespace lockstep::lua
