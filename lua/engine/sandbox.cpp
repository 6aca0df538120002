#include "lua/engine/sandbox.h"

#include <array>
#include <string>
#include <string_view>

#include "lua/dialect/dialect.h"
#include "sim/base/verify.h"

namespace lockstep::lua {
namespace {

constexpr auto allowed = std::to_array<Allowed>({
    {"", "assert error select type rawequal tonumber unpack ipairs _VERSION",
     "pure functions of their arguments"},
    {"", "tostring", "replaced: an address would be printed, a number in order of printing is instead"},
    {"", "__redis__err__handler", "Redis left it there; pure"},
    {"", "next pairs", "replaced: Lua's order depends on addresses and a seed"},
    {"", "pcall xpcall", "replaced: they must let a stop pass"},
    {"", "getmetatable setmetatable rawget rawset", "replaced: they must not open a shell; no finalizers"},
    {"", "load loadstring", "replaced: they compile text only, never bytecode"},
    {"", "collectgarbage gcinfo",
     "replaced: they do nothing, since memory in use is not a function of the script"},
    {"coroutine", "create status yield wrap running", "pure; an error in a coroutine reaches its caller"},
    {"coroutine", "resume", "replaced: it must let a stop pass"},
    {"string", "byte char find format gfind gmatch gsub len lower match rep reverse sub upper", "pure"},
    {"string", "dump", "replaced: it always fails, since bytecode differs between Lua versions"},
    {"table", "concat foreachi getn insert maxn remove setn sort", "act on the script's own tables only"},
    {"table", "foreach", "replaced: it walks a table like pairs"},
    {"math",
     "abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp huge ldexp log log10 max min mod modf "
     "pi pow rad sin sinh sqrt tan tanh",
     "pure"},
    {"math", "random randomseed", "replaced: Redis's own generator, started again in every eval"},
    {"bit", "arshift band bnot bor bswap bxor lshift rol ror rshift tobit tohex", "pure"},
    {"cjson", "encode decode", "pure, but for the settings"},
    {"cjson",
     "encode_sparse_array encode_max_depth decode_max_depth encode_number_precision encode_keep_buffer "
     "encode_invalid_numbers decode_invalid_numbers",
     "settings that last for one eval"},
    {"cjson", "new", "makes a table of the script's own"},
    {"cjson", "null _NAME _VERSION", "constants"},
    {"cmsgpack", "pack unpack unpack_one unpack_limit", "pure"},
    {"cmsgpack", "_NAME _VERSION _COPYRIGHT _DESCRIPTION", "constants"},
    {"struct", "pack unpack size", "pure"},
    {"redis", "call pcall", "the way to the host, and the only one"},
    {"redis", "error_reply status_reply sha1hex", "pure"},
    {"redis", "log breakpoint debug replicate_commands acl_check_cmd set_repl setresp",
     "answer as Redis does; setresp lasts for one eval, the others change nothing"},
    {"redis",
     "LOG_DEBUG LOG_VERBOSE LOG_NOTICE LOG_WARNING REPL_NONE REPL_AOF REPL_SLAVE REPL_REPLICA REPL_ALL "
     "REDIS_VERSION REDIS_VERSION_NUM",
     "constants"},
});

constexpr const char* read_only = "Attempt to modify a readonly table";

// Keys of the registry are the addresses of these.
const char shells_key = 0;   // shell -> the table behind it
const char globals_key = 0;  // the table behind the globals
// What getmetatable shows of the two metatables that all scripts share: shells, as Redis has them read-only.
const char string_metatable_key = 0;
const char globals_metatable_key = 0;

int refuse_write(lua_State* L) { raise(L, read_only); }

// __index of the table behind the globals: (table, name).
int refuse_unknown(lua_State* L) {
  fit_text(L, 2);
  const char* name = lua_tostring(L, 2);
  return luaL_error(L, "Script attempted to access nonexistent global variable '%s'",
                    name == nullptr ? "?" : name);
}

// Pushes the table behind a shell, or nothing and returns false.
bool push_behind(lua_State* L, int index) {
  if (!lua_istable(L, index) || lua_getmetatable(L, index) == 0) return false;
  lua_pop(L, 1);
  const int shell = absolute_index(L, index);
  push_from_registry(L, &shells_key);
  lua_pushvalue(L, shell);
  lua_rawget(L, -2);
  lua_remove(L, -2);
  if (!lua_isnil(L, -1)) return true;
  lua_pop(L, 1);
  return false;
}

// Copies the named fields from the table at `from` into the table at `to`.
void copy_fields(lua_State* L, int from, int to, std::string_view names) {
  while (!names.empty()) {
    const auto space = names.find(' ');
    const std::string name(names.substr(0, space));
    names.remove_prefix(space == std::string_view::npos ? names.size() : space + 1);
    lua_getfield(L, from, name.c_str());
    VERIFY(!lua_isnil(L, -1));
    lua_setfield(L, to, name.c_str());
  }
}

// "text":method() finds the allowed functions. The arithmetic that is also there belongs to the dialect.
void close_string_metatable(lua_State* L, int globals) {
  lua_pushliteral(L, "");
  VERIFY(lua_getmetatable(L, -1) != 0);
  lua_getfield(L, globals, "string");
  lua_setfield(L, -2, "__index");
  lua_pop(L, 2);
  lua_createtable(L, 0, 1);
  lua_getfield(L, globals, "string");
  lua_setfield(L, -2, "__index");
  wrap(L);
  pop_to_registry(L, &string_metatable_key);
}

void refuse_unknown_globals(lua_State* L, int globals) {
  lua_createtable(L, 0, 1);
  set_function(L, "__index", refuse_unknown);
  lua_pushvalue(L, -1);
  lua_setmetatable(L, globals);
  wrap(L);
  pop_to_registry(L, &globals_metatable_key);
}

// Of the functions that change a table only insert can change an empty one, which a shell is to it.
int insert_unless_shell(lua_State* L) {  // upvalue 1: insert
  refuse_shell(L, 1);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

void guard_insert(lua_State* L, int library) {
  lua_getfield(L, library, "insert");
  lua_pushcclosure(L, insert_unless_shell, 1);
  lua_setfield(L, library, "insert");
}

}  // namespace

std::span<const Allowed> allow_list() { return allowed; }

void push_from_registry(lua_State* L, const char* key) {
  lua_pushlightuserdata(L, const_cast<char*>(key));
  lua_rawget(L, LUA_REGISTRYINDEX);
}

void pop_to_registry(lua_State* L, const char* key) {
  lua_pushlightuserdata(L, const_cast<char*>(key));
  lua_insert(L, -2);
  lua_rawset(L, LUA_REGISTRYINDEX);
}

void close_sandbox(lua_State* L) {
  lua_newtable(L);
  pop_to_registry(L, &shells_key);

  push_globals(L);
  const int open = lua_gettop(L);
  lua_newtable(L);
  const int globals = open + 1;
  for (const char* library :
       {"", "coroutine", "string", "table", "math", "bit", "cjson", "cmsgpack", "struct", "redis"}) {
    const std::string_view name = library;
    if (name.empty()) {
      lua_pushvalue(L, open);
      lua_pushvalue(L, globals);
    } else {
      lua_getfield(L, open, library);
      lua_newtable(L);
    }
    for (const Allowed& entry : allowed) {
      if (name == entry.library) copy_fields(L, globals + 1, globals + 2, entry.names);
    }
    if (name == "table") guard_insert(L, globals + 2);
    if (!name.empty()) {
      wrap(L);
      lua_setfield(L, globals, library);
    }
    lua_settop(L, globals);
  }
  close_string_metatable(L, globals);

  refuse_unknown_globals(L, globals);
  lua_pushvalue(L, globals);
  pop_to_registry(L, &globals_key);
  wrap(L);
  push_from_registry(L, &globals_key);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "_G");
  lua_pop(L, 1);
  replace_globals(L);
  lua_settop(L, open - 1);
}

void wrap(lua_State* L) {
  lua_newtable(L);  // table shell
  lua_createtable(L, 0, 2);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  set_function(L, "__newindex", refuse_write);
  lua_setmetatable(L, -2);
  push_from_registry(L, &shells_key);
  lua_pushvalue(L, -2);
  lua_pushvalue(L, -4);
  lua_rawset(L, -3);
  lua_pop(L, 1);
  lua_remove(L, -2);
}

void push_shared_globals(lua_State* L) { push_from_registry(L, &globals_key); }

void refuse_unknown_fields(lua_State* L) {
  lua_createtable(L, 0, 1);
  set_function(L, "__index", refuse_unknown);
  lua_setmetatable(L, -2);
}

void push_direct_globals(lua_State* L) {
  lua_createtable(L, 0, 4);
  push_globals(L);  // a shell
  lua_getfield(L, -1, "redis");
  push_behind(L, -1);
  lua_setfield(L, -4, "redis");
  lua_pop(L, 1);
  lua_getmetatable(L, -1);
  lua_setmetatable(L, -3);
  lua_pop(L, 1);
}

void unwrap(lua_State* L, int index) {
  if (push_behind(L, index)) lua_replace(L, index);
}

void refuse_shell(lua_State* L, int index) {
  if (!push_behind(L, index)) return;
  lua_pushstring(L, read_only);  // without a place, as Redis's lua_rawset raises it
  lua_error(L);
}

int guarded_getmetatable(lua_State* L) {
  luaL_checkany(L, 1);
  if (lua_type(L, 1) == LUA_TSTRING) {
    push_from_registry(L, &string_metatable_key);
  } else if (push_behind(L, 1)) {
    const bool is_globals = lua_getmetatable(L, -1) != 0;
    if (is_globals) {
      push_from_registry(L, &globals_metatable_key);
    } else {
      lua_pushnil(L);
    }
  } else if (lua_getmetatable(L, 1) == 0) {
    lua_pushnil(L);
  } else {
    luaL_getmetafield(L, 1, "__metatable");  // pushes nothing if there is none: then the metatable is on top
  }
  return 1;
}

int guarded_setmetatable(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argcheck(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table expected");
  refuse_shell(L, 1);
  lua_settop(L, 2);
  if (luaL_getmetafield(L, 1, "__metatable") != 0)
    return luaL_error(L, "cannot change a protected metatable");
  // 5.4 would call a __gc that is there at this moment when the table is collected; 5.1 ignores it for
  // tables.
  bool has_finalizer = false;
  if (lua_istable(L, 2)) {
    lua_pushliteral(L, "__gc");
    lua_rawget(L, 2);
    has_finalizer = !lua_isnil(L, 3);
  }
  if (has_finalizer) {
    lua_pushliteral(L, "__gc");
    lua_pushnil(L);
    lua_rawset(L, 2);
  }
  lua_pushvalue(L, 2);
  lua_setmetatable(L, 1);
  if (has_finalizer) {
    lua_pushliteral(L, "__gc");
    lua_pushvalue(L, 3);
    lua_rawset(L, 2);
  }
  lua_settop(L, 1);
  return 1;
}

int guarded_rawset(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  luaL_checkany(L, 3);
  refuse_shell(L, 1);
  lua_settop(L, 3);
  lua_rawset(L, 1);
  return 1;
}

int guarded_rawget(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  unwrap(L, 1);
  lua_rawget(L, 1);
  return 1;
}

}  // namespace lockstep::lua
