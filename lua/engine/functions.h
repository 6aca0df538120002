// functions.h: libraries of functions, as FUNCTION LOAD brings them (Redis 7).
//
// A library is a text whose body registers functions. It is named by the SHA1 of that text, its digest, as
// scripts are: an Engine keeps what it compiled, and which server has which library is state of that server.
// Every call runs the body anew, so that no call sees what an earlier one left in the library's variables; in
// Redis they live as long as the server does.
//
// The body sees one global, `redis`, with register_function, log and the constants. A function sees what
// scripts see, without KEYS and ARGV, which are its two arguments.
//
// Sources: Redis 7.0.15 function_lua.c and functions.c, and a redis-server that was asked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lua/dialect/compat.h"
#include "lua/engine/shebang.h"

namespace lockstep::lua {

struct Function {
  std::string name;
  std::optional<std::string> description;
  ScriptFlags flags;
  bool operator==(const Function&) const = default;
};

struct Library {
  std::string name;
  std::string digest;
  std::vector<Function> functions;  // in the order in which they were registered
  bool operator==(const Library&) const = default;
};

/// What runs: the body, in which functions may be registered, or one of them.
enum class LibraryPhase { body, call };

/// Makes the globals of libraries. Wants a closed sandbox.
void install_library_globals(lua_State* L);

/// Pushes the globals of libraries.
void push_library_globals(lua_State* L);

/// What they hold from now on.
void set_library_phase(lua_State* L, LibraryPhase phase);

/// Where redis.register_function leaves what it is given, while a body runs (Run::registry).
struct FunctionRegistry {
  std::vector<Function> functions;
};

/// Forgets the functions of the last body, before the next.
void begin_registration(lua_State* L);

/// Pushes the function that the last body registered under this name, or nil.
void push_registered(lua_State* L, std::string_view name);

}  // namespace lockstep::lua
