// The table cjson: its settings, and cjson.new.
#include "lua/libraries/cjson.h"

#include <limits>
#include <new>

#include "lua/dialect/dialect.h"
#include "lua/libraries/libraries.h"
#include "lua/engine/run.h"

namespace lockstep::lua {
namespace {

constexpr int int_max = std::numeric_limits<int>::max();

// At most `count` arguments; absent ones become nil.
void take_arguments(lua_State* L, int count) {
  luaL_argcheck(L, lua_gettop(L) <= count, count + 1, "found too many arguments");
  lua_settop(L, count);
}

// Sets what the argument says, if there is one, and pushes what is set.
void whole_setting(lua_State* L, int index, int& setting, int least, int most) {
  if (!lua_isnil(L, index)) {
    fit_integer(L, index);
    const int value = static_cast<int>(luaL_checkinteger(L, index));
    const bool is_valid = least <= value && value <= most;
    if (!is_valid) {
      lua_pushfstring(L, "expected integer between %d and %d", least, most);
      luaL_argerror(L, 1, lua_tostring(L, -1));  // 1, whichever argument it is
    }
    setting = value;
  }
  lua_pushinteger(L, setting);
}

// Names stand for 0, 1, …; false and true are the first two.
void named_setting(lua_State* L, int index, int& setting, const char* const* names) {
  if (lua_isboolean(L, index)) {
    setting = lua_toboolean(L, index);
  } else if (!lua_isnil(L, index)) {
    fit_text(L, index);
    setting = luaL_checkoption(L, index, nullptr, names);
  }
  if (setting <= 1) {
    lua_pushboolean(L, setting);
  } else {
    lua_pushstring(L, names[setting]);
  }
}

constexpr const char* off_on[] = {"off", "on", nullptr};
constexpr const char* off_on_null[] = {"off", "on", "null", nullptr};

int encode_sparse_array(lua_State* L) {
  take_arguments(L, 3);
  JsonSettings& settings = json_settings(L);
  named_setting(L, 1, settings.sparse_convert, off_on);
  whole_setting(L, 2, settings.sparse_ratio, 0, int_max);
  whole_setting(L, 3, settings.sparse_safe, 0, int_max);
  return 3;
}

template <int JsonSettings::*setting, int most>
int whole(lua_State* L) {
  take_arguments(L, 1);
  whole_setting(L, 1, json_settings(L).*setting, 1, most);
  return 1;
}

template <int JsonSettings::*setting, auto& names>
int named(lua_State* L) {
  take_arguments(L, 1);
  named_setting(L, 1, json_settings(L).*setting, names);
  return 1;
}

constexpr struct {
  const char* name;
  lua_CFunction function;
} functions[] = {
    {"encode", json_encode},
    {"decode", json_decode},
    {"encode_sparse_array", encode_sparse_array},
    {"encode_max_depth", whole<&JsonSettings::encode_depth_max, int_max>},
    {"decode_max_depth", whole<&JsonSettings::decode_depth_max, int_max>},
    {"encode_number_precision", whole<&JsonSettings::precision, 14>},
    {"encode_keep_buffer", named<&JsonSettings::keep_buffer, off_on>},
    {"encode_invalid_numbers", named<&JsonSettings::encode_invalid_numbers, off_on_null>},
    {"decode_invalid_numbers", named<&JsonSettings::decode_invalid_numbers, off_on>},
};

int create(lua_State* L);

// Pushes a table whose functions share the settings at `index`.
void push_library(lua_State* L, int index) {
  const int settings = absolute_index(L, index);
  lua_newtable(L);
  for (const auto& [name, function] : functions) {
    lua_pushvalue(L, settings);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, name);
  }
  set_function(L, "new", create);
  lua_pushlightuserdata(L, nullptr);
  lua_setfield(L, -2, "null");
  lua_pushliteral(L, "cjson");
  lua_setfield(L, -2, "_NAME");
  lua_pushliteral(L, "2.1.0");
  lua_setfield(L, -2, "_VERSION");
}

// cjson.new: a library of the script's own.
int create(lua_State* L) {
  new (lua_newuserdata(L, sizeof(JsonSettings))) JsonSettings;
  push_library(L, -1);
  return 1;
}

}  // namespace

void open_cjson(lua_State* L) {
  lua_pushlightuserdata(L, &run_of(L).json);
  push_library(L, -1);
  lua_setglobal(L, "cjson");
  lua_pop(L, 1);
}

}  // namespace lockstep::lua
