#include "lua/engine/functions.h"

#include <algorithm>
#include <cctype>

#include "lua/engine/convert.h"
#include "lua/dialect/dialect.h"
#include "lua/dialect/order.h"
#include "lua/engine/run.h"
#include "lua/engine/sandbox.h"
#include "sim/base/verify.h"

namespace lockstep::lua {
namespace {

// Keys of the registry are the addresses of these.
const char library_globals_key = 0;  // the shell that every library has for globals
const char body_globals_key = 0;     // what it shows in each phase
const char call_globals_key = 0;
const char callbacks_key = 0;  // name -> function, of the body that ran last

std::string lower(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lowered;
}

[[noreturn]] void refuse(lua_State* L, std::string_view text) {
  push_error(L, "ERR " + std::string(text));
  lua_error(L);
  std::abort();
}

// The string or number at `index`, as 5.1 prints it.
std::optional<std::string> text_of(lua_State* L, int index) {
  if (lua_isstring(L, index) == 0) return std::nullopt;
  fit_text(L, index);
  return std::string(text_at(L, index));
}

// Flags at the top of the stack, up to the first nil. False if one is unknown.
bool read_flags(lua_State* L, ScriptFlags& flags) {
  for (int i = 1;; ++i) {
    lua_rawgeti(L, -1, i);
    const bool ends = lua_isnil(L, -1);
    const bool is_flag = !ends && lua_type(L, -1) == LUA_TSTRING && flags.set(lower(text_at(L, -1)));
    lua_pop(L, 1);
    if (!is_flag) return ends;
  }
}

// Takes one named argument, whose value is on top of the stack.
void read_named(lua_State* L, const std::string& key, Function& function, bool& has_name, int callback) {
  constexpr const char* call = " argument given to redis.register_function must be a ";
  const int value = lua_gettop(L);
  if (key == "function_name") {
    const auto name = text_of(L, value);
    if (!name) refuse(L, key + call + "string");
    function.name = *name;
    has_name = true;
  } else if (key == "description") {
    function.description = text_of(L, value);
    if (!function.description) refuse(L, key + call + "string");
  } else if (key == "callback") {
    if (!lua_isfunction(L, value)) refuse(L, key + call + "function");
    lua_pushvalue(L, value);
    lua_replace(L, callback);
  } else if (key == "flags") {
    if (!lua_istable(L, value)) {
      refuse(L, "flags argument to redis.register_function must be a table representing function flags");
    }
    if (!read_flags(L, function.flags)) refuse(L, "unknown flag given");
  } else {
    refuse(L, "unknown argument given to redis.register_function");
  }
}

// register_function{function_name = …, callback = …}: leaves the callback at 2.
Function read_table(lua_State* L) {
  if (!lua_istable(L, 1)) {
    refuse(L,
           "calling redis.register_function with a single argument is only applicable to Lua table "
           "(representing "
           "named arguments).");
  }
  lua_pushnil(L);
  Function function;
  bool has_name = false;
  const int count = push_keys(L, 1);
  for (int i = 1; i <= count; ++i) {
    lua_rawgeti(L, 3, i);
    if (lua_isstring(L, -1) == 0)
      refuse(L, "named argument key given to redis.register_function is not a string");
    const std::string key = lua_type(L, -1) == LUA_TSTRING ? lower(text_at(L, -1)) : "";
    lua_rawget(L, 1);
    read_named(L, key, function, has_name, 2);
    lua_settop(L, 3);
  }
  if (!has_name) refuse(L, "redis.register_function must get a function name argument");
  if (lua_isnil(L, 2)) refuse(L, "redis.register_function must get a callback argument");
  return function;
}

// register_function(name, callback).
Function read_positions(lua_State* L) {
  const auto name = text_of(L, 1);
  if (!name) refuse(L, "first argument to redis.register_function must be a string");
  if (!lua_isfunction(L, 2)) refuse(L, "second argument to redis.register_function must be a function");
  return {.name = *name, .description = std::nullopt, .flags = {}};
}

int register_function(lua_State* L) {
  FunctionRegistry* const registry = run_of(L).registry;
  if (registry == nullptr) refuse(L, "redis.register_function can only be called on FUNCTION LOAD command");
  const int count = lua_gettop(L);
  if (count < 1 || count > 2) refuse(L, "wrong number of arguments to redis.register_function");
  Function function = count == 1 ? read_table(L) : read_positions(L);
  if (!is_function_name(function.name)) refuse(L, wrong_name);
  const bool exists = std::any_of(registry->functions.begin(), registry->functions.end(),
                                  [&](const Function& each) { return each.name == function.name; });
  if (exists) refuse(L, "Function already exists in the library");
  push_from_registry(L, &callbacks_key);
  push_text(L, function.name);
  lua_pushvalue(L, 2);
  lua_rawset(L, -3);
  registry->functions.push_back(std::move(function));
  return 0;
}

// Sets the named fields of the table on top to those of the table at `from`.
void copy_fields(lua_State* L, int from, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    lua_getfield(L, from, name);
    lua_setfield(L, -2, name);
  }
}

// Pushes a copy of the table at `from` without these fields.
void push_copy(lua_State* L, int from, std::initializer_list<std::string_view> without) {
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, from) != 0) {
    const std::string_view name = text_at(L, -2);
    const bool is_left_out = std::find(without.begin(), without.end(), name) != without.end();
    lua_pushvalue(L, -2);
    lua_insert(L, -2);  // copy key key value
    if (is_left_out) {
      lua_pop(L, 2);
    } else {
      lua_rawset(L, -4);
    }
  }
}

// What a body sees. `redis` is the place of the whole table of that name.
void make_body_globals(lua_State* L, int redis) {
  lua_newtable(L);
  lua_newtable(L);
  set_function(L, "register_function", register_function);
  copy_fields(
      L, redis,
      {"log", "LOG_DEBUG", "LOG_VERBOSE", "LOG_NOTICE", "LOG_WARNING", "REDIS_VERSION", "REDIS_VERSION_NUM"});
  refuse_unknown_fields(L);
  wrap(L);
  lua_setfield(L, -2, "redis");
  refuse_unknown_fields(L);
  pop_to_registry(L, &body_globals_key);
}

// What a function sees. `shared` is the place of the globals that scripts share.
void make_call_globals(lua_State* L, int shared, int redis) {
  push_copy(L, shared, {"KEYS", "ARGV", "redis", "_G", "__redis__err__handler"});
  push_copy(L, redis, {"breakpoint", "debug", "replicate_commands"});
  wrap(L);
  lua_setfield(L, -2, "redis");
  refuse_unknown_fields(L);
  lua_pushvalue(L, -1);
  pop_to_registry(L, &call_globals_key);
  wrap(L);
  push_from_registry(L, &call_globals_key);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "_G");
  lua_pop(L, 1);
  pop_to_registry(L, &library_globals_key);
}

}  // namespace

void install_library_globals(lua_State* L) {
  const int top = lua_gettop(L);
  push_shared_globals(L);
  lua_getfield(L, -1, "redis");
  unwrap(L, top + 2);
  make_body_globals(L, top + 2);
  make_call_globals(L, top + 1, top + 2);
  lua_settop(L, top);
}

void push_library_globals(lua_State* L) { push_from_registry(L, &library_globals_key); }

void set_library_phase(lua_State* L, LibraryPhase phase) {
  push_library_globals(L);
  VERIFY(lua_getmetatable(L, -1) != 0);
  push_from_registry(L, phase == LibraryPhase::body ? &body_globals_key : &call_globals_key);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 2);
}

void begin_registration(lua_State* L) {
  lua_newtable(L);
  pop_to_registry(L, &callbacks_key);
}

void push_registered(lua_State* L, std::string_view name) {
  push_from_registry(L, &callbacks_key);
  push_text(L, name);
  lua_rawget(L, -2);
  lua_remove(L, -2);
}

}  // namespace lockstep::lua
