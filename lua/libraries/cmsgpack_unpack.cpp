// cmsgpack.unpack, unpack_one and unpack_limit.
#include <bit>
#include <cstdint>

#include "lua/libraries/cmsgpack.h"
#include "lua/dialect/dialect.h"
#include "lua/dialect/numbers.h"
#include "lua/engine/output.h"

namespace lockstep::lua {
namespace {

class Unpacker {
 public:
  Unpacker(lua_State* L, std::string_view bytes) : L_(L), rest_(bytes) {}

  /// Takes one value off the front and pushes it.
  void value();

  std::size_t left() const { return rest_.size(); }

 private:
  [[noreturn]] void refuse(const char* reason) { raise(L_, reason); }

  std::string_view take(std::size_t size) {
    if (rest_.size() < size) refuse("Missing bytes in input.");
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }

  std::uint64_t big_endian(std::size_t size) {
    std::uint64_t value = 0;
    for (const char byte : take(size)) value = value << 8 | static_cast<unsigned char>(byte);
    return value;
  }

  template <class Signed>
  void push_signed() {
    lua_pushnumber(L_, static_cast<lua_Number>(static_cast<Signed>(big_endian(sizeof(Signed)))));
  }

  void check_room(int slots, const char* where) {
    if (!has_room(L_, slots)) luaL_error(L_, "stack overflow (%s)", where);
  }

  void number(unsigned tag);
  void array(std::uint64_t count);
  void map(std::uint64_t count);

  lua_State* L_;
  std::string_view rest_;
};

void Unpacker::number(unsigned tag) {
  switch (tag) {
    case 0xca: {
      const auto bits = static_cast<std::uint32_t>(big_endian(4));
      return lua_pushnumber(L_, static_cast<lua_Number>(std::bit_cast<float>(bits)));
    }
    case 0xcb: return lua_pushnumber(L_, std::bit_cast<lua_Number>(big_endian(8)));
    case 0xcf: return push_signed<std::int64_t>();  // Redis's Lua has no unsigned integers
    case 0xcc: case 0xcd: case 0xce:
      return lua_pushnumber(L_, static_cast<lua_Number>(big_endian(std::size_t{1} << (tag - 0xcc))));
    case 0xd0: return push_signed<std::int8_t>();
    case 0xd1: return push_signed<std::int16_t>();
    case 0xd2: return push_signed<std::int32_t>();
    default: return push_signed<std::int64_t>();
  }
}

void Unpacker::array(std::uint64_t count) {
  check_room(2, "in function mp_decode_to_lua_array");
  lua_newtable(L_);
  for (std::uint64_t i = 1; i <= count; ++i) {
    lua_pushnumber(L_, static_cast<lua_Number>(i));
    value();
    lua_rawset(L_, -3);
  }
}

void Unpacker::map(std::uint64_t count) {
  check_room(3, "in function mp_decode_to_lua_hash");
  lua_newtable(L_);
  while (count-- > 0) {
    value();
    value();
    lua_rawset(L_, -3);
  }
}

void Unpacker::value() {
  spend_steps(L_, 1);
  const std::string_view before = rest_;
  const auto tag = static_cast<unsigned>(big_endian(1));
  if (tag <= 0x7f) return lua_pushnumber(L_, tag);
  if (tag >= 0xe0) return lua_pushnumber(L_, static_cast<std::int8_t>(tag));
  if (tag <= 0x8f) return map(tag & 0xf);
  if (tag <= 0x9f) return array(tag & 0xf);
  if (tag <= 0xbf) return push_text(L_, take(tag & 0x1f));
  switch (tag) {
    case 0xc0: return lua_pushnil(L_);
    case 0xc2: case 0xc3: return lua_pushboolean(L_, tag == 0xc3 ? 1 : 0);
    case 0xd9: return push_text(L_, take(big_endian(1)));
    case 0xda: return push_text(L_, take(big_endian(2)));
    case 0xdb: return push_text(L_, take(big_endian(4)));
    case 0xdc: return array(big_endian(2));
    case 0xdd: return array(big_endian(4));
    case 0xde: return map(big_endian(2));
    case 0xdf: return map(big_endian(4));
    default:
      if (tag >= 0xca && tag <= 0xd3) return number(tag);
      rest_ = before;
      refuse("Bad data format in input.");
  }
}

// Text at 1, alone on the stack. `limit` 0 at offset 0: everything, and no offset is answered.
int unpack_some(lua_State* L, int limit, int offset) {
  std::size_t size = 0;
  const char* bytes = luaL_checklstring(L, 1, &size);
  const bool is_all = limit == 0 && offset == 0;
  if (offset < 0 || limit < 0) {
    return luaL_error(L, "Invalid request to unpack with offset of %d and limit of %d.", offset,
                      static_cast<int>(size));
  }
  if (static_cast<std::size_t>(offset) > size) {
    return luaL_error(L, "Start offset %d greater than input length %d.", offset, static_cast<int>(size));
  }
  Unpacker unpacker(L, {bytes + offset, size - static_cast<std::size_t>(offset)});
  int count = 0;
  for (; unpacker.left() > 0 && (is_all || count < limit); ++count) {
    if (!has_room(L, 1)) {
      constexpr const char* advice =
          "too many return values at once; use unpack_one or unpack_limit instead.";
      return luaL_error(L, "stack overflow (%s)", advice);
    }
    unpacker.value();
  }
  if (is_all) return count;
  luaL_checkstack(L, 1, "in function mp_unpack_full");
  lua_pushnumber(L, unpacker.left() == 0 ? -1 : static_cast<lua_Number>(size - unpacker.left()));
  lua_insert(L, 2);
  return count + 1;
}

int optional_integer(lua_State* L, int index) {
  fit_integer(L, index);
  return static_cast<int>(luaL_optinteger(L, index, 0));
}

}  // namespace

int msgpack_unpack(lua_State* L) {
  fit_text(L, 1);
  return unpack_some(L, 0, 0);
}

int msgpack_unpack_one(lua_State* L) {
  fit_text(L, 1);
  const int offset = optional_integer(L, 2);
  if (lua_gettop(L) > 1) lua_settop(L, 1);
  return unpack_some(L, 1, offset);
}

int msgpack_unpack_limit(lua_State* L) {
  fit_text(L, 1);
  fit_integer(L, 2);
  const int limit = static_cast<int>(luaL_checkinteger(L, 2));
  const int offset = optional_integer(L, 3);
  lua_settop(L, 1);
  return unpack_some(L, limit, offset);
}

}  // namespace lockstep::lua
