// The library struct 0.2, as Redis ships it: pack, unpack and size.
//
// Formats: > < endianness; !n alignment; x padding; b B h H l L T and i I with a size: integers; f d; c with
// a length; s up to a NUL; blanks are skipped. Sizes are those of x86-64.
#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <limits>

#include "lua/dialect/dialect.h"
#include "lua/libraries/libraries.h"
#include "lua/dialect/numbers.h"
#include "lua/engine/output.h"

namespace lockstep::lua {
namespace {

constexpr int integer_size_max = 32;   // bytes
constexpr int default_alignment = 8;  // of `!` without a number

// A format, read from left to right.
class Format {
 public:
  Format(lua_State* L, const char* text) : L_(L), here_(text) {}

  /// The next option, or NUL at the end. It and its number are behind then.
  char next() {
    if (*here_ == '\0') return '\0';
    spend_steps(L_, 1);
    option_ = *here_++;
    size_ = size_of_option();
    return option_;
  }

  std::size_t size() const { return size_; }  // bytes that the option takes, 0 if that depends
  bool is_little() const { return is_little_; }

  /// Bytes of padding before the option at this place.
  std::size_t padding(std::size_t place) const {
    if (size_ == 0 || option_ == 'c') return 0;
    const std::size_t unit = size_ > alignment_ ? alignment_ : size_;
    return (unit - (place & (unit - 1))) & (unit - 1);
  }

  /// What an option that stands for no value does.
  void control() {
    switch (option_) {
      case ' ': return;
      case '>': is_little_ = false; return;
      case '<': is_little_ = true; return;
      case '!': {
        const int alignment = number(default_alignment);
        const bool is_power = alignment > 0 && (alignment & (alignment - 1)) == 0;
        if (!is_power) luaL_error(L_, "alignment %d is not a power of 2", alignment);
        alignment_ = static_cast<std::size_t>(alignment);
        return;
      }
      default:
        lua_pushfstring(L_, "invalid format option '%c'", option_);
        luaL_argerror(L_, 1, lua_tostring(L_, -1));
    }
  }

 private:
  bool at_digit() const { return *here_ >= '0' && *here_ <= '9'; }

  int number(int otherwise) {
    if (!at_digit()) return otherwise;
    std::int64_t number = 0;
    for (; at_digit(); ++here_) {
      number = number * 10 + (*here_ - '0');
      if (number > std::numeric_limits<int>::max()) luaL_error(L_, "integral size overflow");
    }
    return static_cast<int>(number);
  }

  std::size_t size_of_option() {
    switch (option_) {
      case 'B': case 'b': case 'x': return 1;
      case 'H': case 'h': return 2;
      case 'L': case 'l': case 'T': case 'd': return 8;
      case 'f': return 4;
      case 'c': return static_cast<std::size_t>(number(1));
      case 'i': case 'I': {
        const int size = number(4);
        if (size > integer_size_max) {
          luaL_error(L_, "integral size %d is larger than limit of %d", size, integer_size_max);
        }
        return static_cast<std::size_t>(size);
      }
      default: return 0;
    }
  }

  lua_State* L_;
  const char* here_;
  char option_ = '\0';
  std::size_t size_ = 0;
  bool is_little_ = true;
  std::size_t alignment_ = 1;
};

// What the casts of C do on x86-64, where the number fits in neither integer.
std::uint64_t bits_of(lua_Number number) {
  constexpr lua_Number limit = 9223372036854775808.0;
  if (number < 0 && number >= -limit) return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  if (number >= 0) return number < 2 * limit ? static_cast<std::uint64_t>(number) : 0;
  return std::uint64_t{1} << 63;  // below, or no number
}

void pack_integer(Output& out, std::uint64_t value, std::size_t size, bool is_little) {
  std::array<char, integer_size_max> bytes{};
  for (std::size_t i = 0; i < size; ++i, value >>= 8) {
    bytes[is_little ? i : size - 1 - i] = static_cast<char>(value & 0xff);
  }
  out.add({bytes.data(), size});
}

template <class Bits>
void pack_float(Output& out, Bits bits, bool is_little) {
  pack_integer(out, bits, sizeof bits, is_little);
}

std::size_t pack_text(lua_State* L, Output& out, int argument, std::size_t size, bool ends_with_nul) {
  std::size_t length = 0;
  const char* text = luaL_checklstring(L, argument, &length);
  if (size == 0) size = length;
  luaL_argcheck(L, length >= size, argument + 1, "string too short");  // one too far, as in Redis
  out.add({text, size});
  if (!ends_with_nul) return size;
  out.add('\0');
  return size + 1;
}

int pack(lua_State* L) {
  fit_text(L, 1);
  Format format(L, luaL_checkstring(L, 1));
  lua_pushnil(L);  // what an argument that is missing is
  int argument = 1;
  std::size_t place = 0;
  Output out(L);
  while (const char option = format.next()) {
    const std::size_t padding = format.padding(place);
    out.add(padding, '\0');
    std::size_t size = format.size();
    switch (option) {
      case 'b': case 'B': case 'h': case 'H': case 'l': case 'L': case 'T': case 'i': case 'I':
        pack_integer(out, bits_of(luaL_checknumber(L, ++argument)), size, format.is_little());
        break;
      case 'x': out.add('\0'); break;
      case 'f':
        pack_float(out, std::bit_cast<std::uint32_t>(static_cast<float>(luaL_checknumber(L, ++argument))),
                   format.is_little());
        break;
      case 'd':
        pack_float(out, std::bit_cast<std::uint64_t>(luaL_checknumber(L, ++argument)), format.is_little());
        break;
      case 'c': case 's':
        fit_text(L, ++argument);
        size = pack_text(L, out, argument, size, option == 's');
        break;
      default: format.control();
    }
    place += padding + size;
  }
  push_text(L, out.view());
  return 1;
}

// Of an integer longer than 8 bytes the lower 8 count; the sign is looked for where x86-64 shifts to.
lua_Number unpack_integer(const char* bytes, std::size_t size, bool is_little, bool is_signed) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    value = value << 8 | static_cast<unsigned char>(bytes[is_little ? size - 1 - i : i]);
  }
  if (!is_signed) return static_cast<lua_Number>(value);
  const std::uint64_t mask = ~std::uint64_t{0} << ((size * 8 - 1) % 64);
  if ((value & mask) != 0) value |= mask;
  return static_cast<lua_Number>(static_cast<std::int64_t>(value));
}

class StructUnpacker {
 public:
  StructUnpacker(lua_State* L, std::string_view bytes, std::size_t place)
      : L_(L), bytes_(bytes), place_(place) {}

  /// Pushes what the format finds and the place behind it; returns how many values these are.
  int run(const char* text);

 private:
  void need(std::size_t size) {
    luaL_argcheck(L_, size <= bytes_.size() && place_ <= bytes_.size() - size, 2, "data string too short");
  }

  void push_chars(std::size_t size);
  std::size_t size_from_result();
  void push_text_up_to_nul();

  lua_State* L_;
  std::string_view bytes_;
  std::size_t place_;
  int results_ = 0;
};

void StructUnpacker::push_chars(std::size_t size) {
  push_text(L_, bytes_.substr(place_, size));
  place_ += size;
}

// c0: the last result, which is taken back, is the length.
std::size_t StructUnpacker::size_from_result() {
  if (results_ == 0 || lua_isnumber(L_, -1) == 0) luaL_error(L_, "format 'c0' needs a previous size");
  const std::size_t size = bits_of(lua_tonumber(L_, -1));
  lua_pop(L_, 1);
  --results_;
  need(size);
  return size;
}

void StructUnpacker::push_text_up_to_nul() {
  const auto end = bytes_.find('\0', place_);
  if (end == std::string_view::npos) luaL_error(L_, "unfinished string in data");
  push_chars(end - place_);
  ++place_;
}

int StructUnpacker::run(const char* text) {
  Format format(L_, text);
  while (const char option = format.next()) {
    const std::size_t size = format.size();
    place_ += format.padding(place_);
    need(size);
    if (!has_room(L_, 2)) luaL_error(L_, "stack overflow (too many results)");
    const char* const here = bytes_.data() + place_;
    ++results_;
    switch (option) {
      case 'b': case 'B': case 'h': case 'H': case 'l': case 'L': case 'T': case 'i': case 'I': {
        const bool is_signed = option >= 'a';
        lua_pushnumber(L_, unpack_integer(here, size, format.is_little(), is_signed));
        place_ += size;
        break;
      }
      case 'f': {
        const auto bits = static_cast<std::uint64_t>(unpack_integer(here, size, format.is_little(), false));
        lua_pushnumber(L_, static_cast<lua_Number>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
        place_ += size;
        break;
      }
      case 'd': {
        std::array<char, 8> native;
        std::memcpy(native.data(), here, size);
        if (!format.is_little()) std::reverse(native.begin(), native.end());
        lua_pushnumber(L_, std::bit_cast<lua_Number>(native));
        place_ += size;
        break;
      }
      case 'c':
        --results_;
        push_chars(size == 0 ? size_from_result() : size);
        ++results_;
        break;
      case 's': push_text_up_to_nul(); break;
      default:
        --results_;
        place_ += size;
        if (option != 'x') format.control();
    }
  }
  lua_pushnumber(L_, static_cast<lua_Number>(place_) + 1);
  return results_ + 1;
}

int unpack(lua_State* L) {
  fit_text(L, 1);
  fit_text(L, 2);
  const char* format = luaL_checkstring(L, 1);
  std::size_t size = 0;
  const char* bytes = luaL_checklstring(L, 2, &size);
  fit_integer(L, 3);
  const auto place = static_cast<std::size_t>(luaL_optinteger(L, 3, 1));
  luaL_argcheck(L, place > 0, 3, "offset must be 1 or greater");
  return StructUnpacker(L, {bytes, size}, place - 1).run(format);
}

// Letters that are no option count nothing, as in Redis.
int size(lua_State* L) {
  fit_text(L, 1);
  Format format(L, luaL_checkstring(L, 1));
  std::size_t place = 0;
  while (const char option = format.next()) {
    place += format.padding(place);
    if (option == 's') luaL_argerror(L, 1, "option 's' has no fixed size");
    if (option == 'c' && format.size() == 0) luaL_argerror(L, 1, "option 'c0' has no fixed size");
    if (std::isalnum(static_cast<unsigned char>(option)) == 0) format.control();
    place += format.size();
  }
  lua_pushnumber(L, static_cast<lua_Number>(place));
  return 1;
}

}  // namespace

void open_struct(lua_State* L) {
  lua_newtable(L);
  set_function(L, "pack", pack);
  set_function(L, "unpack", unpack);
  set_function(L, "size", size);
  lua_setglobal(L, "struct");
}

}  // namespace lockstep::lua
