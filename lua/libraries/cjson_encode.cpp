// cjson.encode.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

#include "lua/libraries/cjson.h"
#include "lua/dialect/order.h"
#include "lua/engine/output.h"
#include "lua/engine/sandbox.h"

namespace lockstep::lua {
namespace {

// What a table needs on the stack, and push_keys for it.
constexpr int slots = 16;

class Encoder {
 public:
  Encoder(lua_State* L, const JsonSettings& settings) : L_(L), settings_(settings), json_(L) {}

  /// Writes the value on top of the stack, which stays.
  void value(int depth);

  std::string_view json() const { return json_.view(); }

 private:
  [[noreturn]] void refuse(int index, const char* reason) {
    luaL_error(L_, "Cannot serialise %s: %s", luaL_typename(L_, index), reason);
    std::abort();
  }

  void table(int depth);
  void array(int length, int depth);
  void object(int depth);
  void text(std::string_view bytes);
  void number(lua_Number number, int index);
  int array_length();
  void check_keys() const;

  lua_State* L_;
  const JsonSettings& settings_;
  Output json_;
};

void Encoder::value(int depth) {
  spend_steps(L_, 1);
  switch (lua_type(L_, -1)) {
    case LUA_TSTRING: return text(text_at(L_, -1));
    case LUA_TNUMBER: return number(lua_tonumber(L_, -1), -1);
    case LUA_TBOOLEAN: return json_.add(lua_toboolean(L_, -1) != 0 ? "true" : "false");
    case LUA_TTABLE: return table(depth + 1);
    case LUA_TNIL: return json_.add("null");
    case LUA_TLIGHTUSERDATA:
      if (lua_touserdata(L_, -1) == nullptr) return json_.add("null");
      [[fallthrough]];
    default: refuse(-1, "type not supported");
  }
}

void Encoder::table(int depth) {
  if (depth > settings_.encode_depth_max || !has_room(L_, slots)) {
    luaL_error(L_, "Cannot serialise, excessive nesting (%d)", depth);
  }
  lua_pushvalue(L_, -1);
  unwrap(L_, lua_gettop(L_));
  const int length = array_length();
  if (length > 0) {
    array(length, depth);
  } else {
    object(depth);
  }
  lua_pop(L_, 1);
}

// The length of the array that the table on top is, or something else that is not above zero. The largest key
// is kept in an int, as cjson does: one that does not fit counts as the lowest number there is.
int Encoder::array_length() {
  int most = 0;
  std::int64_t items = 0;
  lua_pushnil(L_);
  while (lua_next(L_, -2) != 0) {
    lua_pop(L_, 1);
    const lua_Number key = lua_type(L_, -1) == LUA_TNUMBER ? lua_tonumber(L_, -1) : 0;
    if (!(std::floor(key) == key && key >= 1)) {
      lua_pop(L_, 1);
      return -1;
    }
    constexpr int int_max = std::numeric_limits<int>::max();
    if (key > most) most = key <= int_max ? static_cast<int>(key) : std::numeric_limits<int>::min();
    ++items;
  }
  const bool is_sparse =
      settings_.sparse_ratio > 0 && most > items * settings_.sparse_ratio && most > settings_.sparse_safe;
  if (!is_sparse) return most;
  if (settings_.sparse_convert == 0) refuse(-1, "excessively sparse array");
  return -1;
}

void Encoder::array(int length, int depth) {
  json_.add('[');
  for (int i = 1; i <= length; ++i) {
    if (i > 1) json_.add(',');
    lua_rawgeti(L_, -1, i);
    value(depth);
    lua_pop(L_, 1);
  }
  json_.add(']');
}

// Refuses a table on top that has other keys. Redis does so when it comes to one, in an order that is an
// accident.
void Encoder::check_keys() const {
  int other = LUA_TNONE;
  lua_pushnil(L_);
  while (lua_next(L_, -2) != 0) {
    lua_pop(L_, 1);
    const int type = lua_type(L_, -1);
    if (type == LUA_TNUMBER || type == LUA_TSTRING) continue;
    if (other == LUA_TNONE || type < other) other = type;
  }
  if (other == LUA_TNONE) return;
  luaL_error(L_, "Cannot serialise %s: table key must be a number or string", lua_typename(L_, other));
}

void Encoder::object(int depth) {
  check_keys();
  json_.add('{');
  const int table = lua_gettop(L_);
  const int count = push_keys(L_, table);
  for (int i = 1; i <= count; ++i) {
    if (i > 1) json_.add(',');
    lua_rawgeti(L_, table + 1, i);
    if (lua_type(L_, -1) == LUA_TNUMBER) {
      json_.add('"');
      number(lua_tonumber(L_, -1), -1);
      json_.add("\":");
    } else {
      text(text_at(L_, -1));
      json_.add(':');
    }
    lua_rawget(L_, table);
    value(depth);
    lua_pop(L_, 1);
  }
  lua_pop(L_, 1);
  json_.add('}');
}

void Encoder::number(lua_Number number, int index) {
  const bool is_invalid = std::isnan(number) || std::isinf(number);
  if (is_invalid && settings_.encode_invalid_numbers == JsonSettings::refused) {
    refuse(index, "must not be NaN or Inf");
  }
  if (is_invalid && settings_.encode_invalid_numbers == JsonSettings::as_null) return json_.add("null");
  if (std::isnan(number)) return json_.add("nan");
  std::array<char, 32> digits;
  std::snprintf(digits.data(), digits.size(), "%.*g", settings_.precision, number);
  json_.add(digits.data());
}

void Encoder::text(std::string_view bytes) {
  constexpr std::string_view plain_escapes = "\"\\/\b\f\n\r\t", their_letters = "\"\\/bfnrt";
  json_.add('"');
  for (const char byte : bytes) {
    const auto code = static_cast<unsigned char>(byte);
    if (const auto at = plain_escapes.find(byte); at != std::string_view::npos) {
      json_.add('\\');
      json_.add(their_letters[at]);
    } else if (code < 0x20 || code == 0x7f) {
      std::array<char, 8> escape;
      std::snprintf(escape.data(), escape.size(), "\\u%04x", code);
      json_.add(escape.data());
    } else {
      json_.add(byte);
    }
  }
  json_.add('"');
}

}  // namespace

int json_encode(lua_State* L) {
  luaL_argcheck(L, lua_gettop(L) == 1, 1, "expected 1 argument");
  Encoder encoder(L, json_settings(L));
  encoder.value(0);
  push_text(L, encoder.json());
  return 1;
}

}  // namespace lockstep::lua
