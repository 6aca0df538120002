// cjson.h: the parts of the library cjson 2.1.0 (libraries.h).
#pragma once

#include "lua/dialect/compat.h"

namespace lockstep::lua {

/// What scripts may set. The library's own settings last for one eval (Run::json); Redis keeps them for the
/// life of the server.
struct JsonSettings {
  enum InvalidNumbers : int { refused, written, as_null };  // "off", "on", "null"

  int sparse_convert = 0;
  int sparse_ratio = 2;
  int sparse_safe = 10;
  int encode_depth_max = 1000;
  int decode_depth_max = 1000;
  int encode_invalid_numbers = refused;
  int decode_invalid_numbers = written;
  int keep_buffer = 1;  // no effect that a script could see
  int precision = 14;   // significant digits
};

/// cjson.encode and cjson.decode. Upvalue 1: JsonSettings.
int json_encode(lua_State* L);
int json_decode(lua_State* L);

inline JsonSettings& json_settings(lua_State* L) {
  return *static_cast<JsonSettings*>(lua_touserdata(L, lua_upvalueindex(1)));
}

}  // namespace lockstep::lua
