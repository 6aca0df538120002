// compat.h: the few places where the C interfaces of Lua 5.4 and Lua 5.1 differ.
//
// The engine is one source for both. In each case the library is Debian's C++ build (lua5.4-c++, lua5.1-c++),
// which raises errors as exceptions, so destructors run in every frame that an error leaves.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string_view>

#include <lua.hpp>

namespace lockstep::lua {

inline constexpr bool is_lua54 = LUA_VERSION_NUM >= 504;

inline std::size_t raw_length(lua_State* L, int index) {
#if LUA_VERSION_NUM >= 504
  return static_cast<std::size_t>(lua_rawlen(L, index));
#else
  return lua_objlen(L, index);
#endif
}

/// The index counted from the bottom of the stack, so that pushes do not change what it names.
inline int absolute_index(lua_State* L, int index) {
  return index > 0 || index <= LUA_REGISTRYINDEX ? index : lua_gettop(L) + index + 1;
}

inline void push_globals(lua_State* L) {
#if LUA_VERSION_NUM >= 504
  lua_pushglobaltable(L);
#else
  lua_pushvalue(L, LUA_GLOBALSINDEX);
#endif
}

/// Pops a table, which becomes the globals of every chunk that is compiled from now on.
inline void replace_globals(lua_State* L) {
#if LUA_VERSION_NUM >= 504
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
#else
  lua_replace(L, LUA_GLOBALSINDEX);
#endif
}

/// Pops a table, which becomes the globals of the chunk at `index`.
inline void set_chunk_globals(lua_State* L, int index) {
#if LUA_VERSION_NUM >= 504
  lua_setupvalue(L, index, 1);
#else
  lua_setfenv(L, index);
#endif
}

/// Compiles source text; never bytecode, which could break the interpreter. Pushes a function, or a message
/// and returns the error status.
inline int load_text(lua_State* L, std::string_view text, const char* chunk_name) {
#if LUA_VERSION_NUM >= 504
  return luaL_loadbufferx(L, text.data(), text.size(), chunk_name, "t");
#else
  return luaL_loadbuffer(L, text.data(), text.size(), chunk_name);
#endif
}

/// Opens one standard library and leaves it in the global `name`.
inline void open_library(lua_State* L, const char* name, lua_CFunction open) {
  lua_pushcfunction(L, open);
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
  lua_setglobal(L, name);
}

inline std::string_view text_at(lua_State* L, int index) {
  std::size_t size = 0;
  const char* bytes = lua_tolstring(L, index, &size);
  return {bytes, size};
}

inline void push_text(lua_State* L, std::string_view text) { lua_pushlstring(L, text.data(), text.size()); }

/// Raises an error with the place of the script's line in front.
[[noreturn]] inline void raise(lua_State* L, const char* message) {
  luaL_error(L, "%s", message);
  std::abort();  // luaL_error never returns, which its declaration does not say
}

/// Sets a field of the table on top of the stack.
inline void set_function(lua_State* L, const char* name, lua_CFunction function) {
  lua_pushcfunction(L, function);
  lua_setfield(L, -2, name);
}

}  // namespace lockstep::lua
