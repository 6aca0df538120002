// output.h: what a library written here takes from the limits of a script (limits.h).
//
// The memory that Lua allocates is counted by its allocator; a text that grows outside of Lua, byte by byte,
// is counted by Output. One call of a library may read or write a great deal, so each item is a step.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lua/dialect/compat.h"

namespace lockstep::lua {

/// Takes steps from the eval; stops it when none are left.
void spend_steps(lua_State* L, std::int64_t steps);

/// What C functions may have on their stack in Redis's Lua 5.1 (LUAI_MAXCSTACK), counted from their first
/// argument.
inline constexpr int c_stack_max = 8000;

/// Makes room for `slots` more values; false where 5.1 would have none, whichever library is embedded.
bool has_room(lua_State* L, int slots);

/// A growing text within the memory limit of the script. Its owner may be left by an error.
class Output {
 public:
  explicit Output(lua_State* L) : L_(L) {}
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void add(std::string_view bytes);
  void add(char byte) { add(std::string_view(&byte, 1)); }
  void add(std::size_t count, char byte);
  void remove_last() { text_.pop_back(); }
  std::string_view view() const { return text_; }

 private:
  void make_room(std::size_t bytes);

  lua_State* L_;
  std::string text_;
  std::size_t charged_{};  // bytes
};

}  // namespace lockstep::lua
