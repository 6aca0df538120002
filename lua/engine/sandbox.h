// sandbox.h: what a script can reach, and that it can change none of it.
//
// Everything that a script may name stands in one allow-list, each entry with the reason why it is safe;
// nothing else exists for it. Redis marks its shared tables read-only inside Lua; here each is wrapped: the
// script holds an empty *shell* whose reads go to the real table and whose writes raise. The functions that
// look at tables directly (rawget, next, pairs, …) see through the shell with unwrap, and those that change
// them refuse it with refuse_shell.
#pragma once

#include <span>

#include "lua/dialect/compat.h"

namespace lockstep::lua {

struct Allowed {
  const char* library;  // "" for the globals themselves
  const char* names;    // separated by spaces
  const char* reason;
};

std::span<const Allowed> allow_list();

/// What the engine keeps in Lua's registry has the address of a constant as its key.
void push_from_registry(lua_State* L, const char* key);
void pop_to_registry(lua_State* L, const char* key);

/// Takes the standard libraries and the table `redis` as they are in the globals, and puts the allow-list in
/// their place. From then on globals are read-only, and reading one that does not exist is an error.
void close_sandbox(lua_State* L);

/// Pushes new globals for one script that cannot assign to KEYS, ARGV and redis (Shape::may_write_globals): a
/// plain table in which these three are found without a detour (word_tables.h puts KEYS and ARGV there);
/// everything else is as in the ordinary globals.
void push_direct_globals(lua_State* L);

/// Pushes the table behind the ordinary globals.
void push_shared_globals(lua_State* L);

/// Makes reading an unknown field of the table on top of the stack an error, as it is for globals.
void refuse_unknown_fields(lua_State* L);

/// Pops a table and pushes a shell before it.
void wrap(lua_State* L);

/// If the value at `index` is a shell, replaces it by the table behind it.
void unwrap(lua_State* L, int index);

/// Raises "Attempt to modify a readonly table" if the value at `index` is a shell.
void refuse_shell(lua_State* L, int index);

int guarded_getmetatable(lua_State* L);
int guarded_setmetatable(lua_State* L);
int guarded_rawset(lua_State* L);
int guarded_rawget(lua_State* L);

}  // namespace lockstep::lua
