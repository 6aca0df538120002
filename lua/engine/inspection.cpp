#include "lua/engine/inspection.h"

#include <string>
#include <string_view>
#include <utility>

#include "lua/dialect/numbers.h"

namespace lockstep::lua {
namespace {

struct Functions {
  const char* library;
  const char* names;      // separated by spaces
};

/// What hands texts on whole, as cjson.encode and string.rep do, is not among them. Of arithmetic and of
/// comparisons, which are no functions, nobody is told.
constexpr Functions inspected_functions[] = {
    {"string", "byte find format gfind gmatch gsub lower match reverse sub upper"},
    {"struct", "unpack"},
    {"cmsgpack", "unpack unpack_one unpack_limit"},
    {"redis", "call pcall sha1hex"},
};

constexpr int depth_max = 8;

std::string shown(lua_State* L, int index, int depth = 0);

/// The items, and what a reply has besides: its error, or its status.
std::string table_shown(lua_State* L, int index, int depth) {
  std::string text = "{";
  const auto add = [&](const char* name) {
    text.append(name).append(shown(L, -1, depth + 1)) += ' ';
    lua_pop(L, 1);
  };
  for (std::size_t i = 1; i <= raw_length(L, index); ++i) {
    lua_rawgeti(L, index, static_cast<int>(i));
    add("");
  }
  for (const char* name : {"err", "ok", "double", "map", "set"}) {
    lua_pushstring(L, name);
    lua_rawget(L, index);
    add(name);
  }
  return text + '}';
}

std::string shown(lua_State* L, int index, int depth) {
  index = absolute_index(L, index);
  switch (lua_type(L, index)) {
    case LUA_TSTRING:
      return '\'' + std::string(text_at(L, index));
    case LUA_TNUMBER: {
      NumberText room;
      return std::string(argument_text(lua_tonumber(L, index), room));
    }
    case LUA_TBOOLEAN:
      return lua_toboolean(L, index) != 0 ? "true" : "false";
    case LUA_TTABLE:
      return depth < depth_max ? table_shown(L, index, depth) : "{…}";
    default:
      return luaL_typename(L, index);
  }
}

/// Upvalues: the function, what it is called, the inspector.
int inspected(lua_State* L) {
  const int count = lua_gettop(L);
  Inspected call{.function = std::string(text_at(L, lua_upvalueindex(2))), .arguments = {}, .found = {}};
  for (int i = 1; i <= count; ++i) call.arguments.push_back(shown(L, i));
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, count, LUA_MULTRET);
  const int results = lua_gettop(L);
  for (int i = 1; i <= results; ++i) call.found += shown(L, i) + ' ';
  const std::string function = call.function;
  static_cast<Inspector*>(lua_touserdata(L, lua_upvalueindex(3)))->called(std::move(call));
  if (results != 1 || !lua_isfunction(L, 1)) return results;  // gmatch and gfind
  push_text(L, function + "()");
  lua_pushvalue(L, lua_upvalueindex(3));
  lua_pushcclosure(L, inspected, 3);
  return 1;
}

}  // namespace

void install_inspection(lua_State* L, Inspector& inspector) {
  for (const Functions& library : inspected_functions) {
    lua_getglobal(L, library.library);
    std::string_view functions = library.names;
    while (!functions.empty()) {
      const auto space = functions.find(' ');
      const std::string name(functions.substr(0, space));
      functions.remove_prefix(space == std::string_view::npos ? functions.size() : space + 1);
      lua_getfield(L, -1, name.c_str());
      push_text(L, library.library + std::string(".") + name);
      lua_pushlightuserdata(L, &inspector);
      lua_pushcclosure(L, inspected, 3);
      lua_setfield(L, -2, name.c_str());
    }
    lua_pop(L, 1);
  }
}

}  // namespace lockstep::lua
