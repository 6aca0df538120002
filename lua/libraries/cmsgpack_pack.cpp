// cmsgpack.pack, and the table of the library.
#include <bit>
#include <cmath>
#include <cstdint>

#include "lua/libraries/cmsgpack.h"
#include "lua/libraries/libraries.h"
#include "lua/dialect/order.h"
#include "lua/engine/output.h"
#include "lua/engine/sandbox.h"

namespace lockstep::lua {
namespace {

constexpr int nesting_max = 16;

class Packer {
 public:
  explicit Packer(lua_State* L) : L_(L), out_(L) {}

  /// Packs the value on top of the stack, which stays.
  void value(int level);

  std::string_view packed() const { return out_.view(); }

 private:
  void big_endian(std::uint64_t value, int size);
  void tagged(unsigned tag, std::uint64_t value, int size);
  void text(std::string_view bytes);
  void number(lua_Number number);
  void integer(std::int64_t integer);
  void count(std::size_t count, unsigned short_tag, unsigned tag16);
  void table(int level);
  bool is_array(std::size_t& length);

  lua_State* L_;
  Output out_;
};

void Packer::big_endian(std::uint64_t value, int size) {
  while (size-- > 0) out_.add(static_cast<char>(value >> 8 * size & 0xff));
}

void Packer::tagged(unsigned tag, std::uint64_t value, int size) {
  big_endian(tag, 1);
  big_endian(value, size);
}

void Packer::text(std::string_view bytes) {
  const std::size_t size = bytes.size();
  if (size < 32) {
    tagged(0xa0 | static_cast<unsigned>(size), 0, 0);
  } else if (size <= 0xff) {
    tagged(0xd9, size, 1);
  } else if (size <= 0xffff) {
    tagged(0xda, size, 2);
  } else {
    tagged(0xdb, size, 4);
  }
  out_.add(bytes);
}

void Packer::integer(std::int64_t integer) {
  const auto bits = static_cast<std::uint64_t>(integer);
  if (integer >= 0) {
    if (integer <= 0x7f) return tagged(static_cast<unsigned>(integer), 0, 0);
    if (integer <= 0xff) return tagged(0xcc, bits, 1);
    if (integer <= 0xffff) return tagged(0xcd, bits, 2);
    return integer <= 0xffffffff ? tagged(0xce, bits, 4) : tagged(0xcf, bits, 8);
  }
  if (integer >= -32) return tagged(static_cast<unsigned>(bits & 0xff), 0, 0);
  if (integer >= -0x80) return tagged(0xd0, bits, 1);
  if (integer >= -0x8000) return tagged(0xd1, bits, 2);
  return integer >= -0x80000000LL ? tagged(0xd2, bits, 4) : tagged(0xd3, bits, 8);
}

void Packer::number(lua_Number number) {
  constexpr lua_Number limit = 9223372036854775808.0;
  if (number >= -limit && number < limit && std::floor(number) == number) {
    return integer(static_cast<std::int64_t>(number));
  }
  const bool is_single = std::isinf(number) || static_cast<lua_Number>(static_cast<float>(number)) == number;
  if (is_single) return tagged(0xca, std::bit_cast<std::uint32_t>(static_cast<float>(number)), 4);
  tagged(0xcb, std::bit_cast<std::uint64_t>(number), 8);
}

void Packer::count(std::size_t count, unsigned short_tag, unsigned tag16) {
  if (count <= 15) return tagged(short_tag | static_cast<unsigned>(count), 0, 0);
  if (count <= 0xffff) return tagged(tag16, count, 2);
  tagged(tag16 + 1, count, 4);
}

// Whether the keys of the table on top are 1 .. length.
bool Packer::is_array(std::size_t& length) {
  lua_Number most = 0;
  length = 0;
  lua_pushnil(L_);
  while (lua_next(L_, -2) != 0) {
    lua_pop(L_, 1);
    const lua_Number key = lua_type(L_, -1) == LUA_TNUMBER ? lua_tonumber(L_, -1) : 0;
    constexpr lua_Number int_max = 2147483647;
    if (!(key > 0 && key <= int_max && std::floor(key) == key)) {
      lua_pop(L_, 1);
      return false;
    }
    if (key > most) most = key;
    ++length;
  }
  return most == static_cast<lua_Number>(length);
}

void Packer::table(int level) {
  luaL_checkstack(L_, 8, "in function mp_encode_lua_table_as_map");
  lua_pushvalue(L_, -1);
  unwrap(L_, lua_gettop(L_));
  const int table = lua_gettop(L_);
  std::size_t length = 0;
  if (is_array(length)) {
    count(length, 0x90, 0xdc);
    for (std::size_t i = 1; i <= length; ++i) {
      lua_rawgeti(L_, table, static_cast<int>(i));
      value(level + 1);
      lua_pop(L_, 1);
    }
  } else {
    const int keys = push_keys(L_, table);
    count(static_cast<std::size_t>(keys), 0x80, 0xde);
    for (int i = 1; i <= keys; ++i) {
      lua_rawgeti(L_, table + 1, i);
      value(level + 1);
      lua_rawget(L_, table);
      value(level + 1);
      lua_pop(L_, 1);
    }
  }
  lua_settop(L_, table - 1);
}

void Packer::value(int level) {
  spend_steps(L_, 1);
  switch (lua_type(L_, -1)) {
    case LUA_TSTRING: return text(text_at(L_, -1));
    case LUA_TBOOLEAN: return tagged(lua_toboolean(L_, -1) != 0 ? 0xc3 : 0xc2, 0, 0);
    case LUA_TNUMBER: return number(lua_tonumber(L_, -1));
    case LUA_TTABLE:
      if (level < nesting_max) return table(level);
      [[fallthrough]];
    default: return tagged(0xc0, 0, 0);
  }
}

}  // namespace

int msgpack_pack(lua_State* L) {
  const int count = lua_gettop(L);
  if (count == 0) return luaL_argerror(L, 0, "MessagePack pack needs input.");
  if (!has_room(L, count)) return luaL_argerror(L, 0, "Too many arguments for MessagePack pack.");
  Packer packer(L);
  for (int i = 1; i <= count; ++i) {
    lua_pushvalue(L, i);
    packer.value(0);
    lua_pop(L, 1);
  }
  push_text(L, packer.packed());
  return 1;
}

void open_cmsgpack(lua_State* L) {
  lua_newtable(L);
  set_function(L, "pack", msgpack_pack);
  set_function(L, "unpack", msgpack_unpack);
  set_function(L, "unpack_one", msgpack_unpack_one);
  set_function(L, "unpack_limit", msgpack_unpack_limit);
  constexpr const char* texts[][2] = {{"_NAME", "cmsgpack"},
                                      {"_VERSION", "lua-cmsgpack 0.4.0"},
                                      {"_COPYRIGHT", "Copyright (C) 2012, Salvatore Sanfilippo"},
                                      {"_DESCRIPTION", "MessagePack C implementation for Lua"}};
  for (const auto& [name, text] : texts) {
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
  }
  lua_setglobal(L, "cmsgpack");
}

}  // namespace lockstep::lua
