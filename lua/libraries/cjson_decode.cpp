// cjson.decode.
#include <strings.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "lua/libraries/cjson.h"
#include "lua/dialect/dialect.h"
#include "lua/dialect/numbers.h"
#include "lua/engine/output.h"

namespace lockstep::lua {
namespace {

enum class Kind {
  object_begin,
  object_end,
  array_begin,
  array_end,
  string,
  number,
  boolean,
  null,
  colon,
  comma,
  end,
  error
};

// As error messages name them.
constexpr const char* kind_names[] = {"T_OBJ_BEGIN", "T_OBJ_END", "T_ARR_BEGIN", "T_ARR_END",
                                      "T_STRING",    "T_NUMBER",  "T_BOOLEAN",   "T_NULL",
                                      "T_COLON",     "T_COMMA",   "T_END"};

struct Token {
  Kind kind{};
  std::size_t at{};  // bytes from the start
  lua_Number number{};
  bool boolean{};
  const char* error{};
};

// Four hexadecimal digits, or nothing.
std::optional<std::uint32_t> hexadecimal(const char* digits) {
  std::uint32_t code = 0;
  for (int i = 0; i < 4; ++i) {
    const char digit = digits[i];
    const char lower = static_cast<char>(digit | 0x20);
    std::uint32_t value = 0;
    if (digit >= '0' && digit <= '9') {
      value = static_cast<std::uint32_t>(digit - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      value = static_cast<std::uint32_t>(lower - 'a' + 10);
    } else {
      return std::nullopt;
    }
    code = code << 4 | value;
  }
  return code;
}

void append_utf8(std::string& text, std::uint32_t code) {
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      add(0xe0 | code >> 12);
    } else {
      add(0xf0 | code >> 18);
      add(0x80 | (code >> 12 & 0x3f));
    }
    add(0x80 | (code >> 6 & 0x3f));
  }
  add(0x80 | (code & 0x3f));
}

// Reads tokens. The text ends with a NUL, as Lua's strings do; a NUL within it is taken for the end, too.
class Lexer {
 public:
  Lexer(const char* begin, bool takes_invalid_numbers)
      : begin_(begin), here_(begin), takes_invalid_numbers_(takes_invalid_numbers) {}

  Token next();
  std::size_t position() const { return static_cast<std::size_t>(here_ - begin_); }
  const std::string& string() const { return string_; }  // of the last token, if it is a string

 private:
  Token read_string(Token token);
  bool read_escape();
  Token read_number(Token token);
  bool is_invalid_number() const;
  bool take(std::string_view word);
  Token refuse(Token token, const char* error) const;

  const char* begin_;
  const char* here_;
  bool takes_invalid_numbers_;
  std::string string_;
};

Token Lexer::refuse(Token token, const char* error) const {
  token.kind = Kind::error;
  token.at = position();
  token.error = error;
  return token;
}

bool Lexer::take(std::string_view word) {
  if (std::string_view(here_).substr(0, word.size()) != word) return false;
  here_ += word.size();
  return true;
}

Token Lexer::next() {
  constexpr std::string_view blanks = " \t\n\r", signs = "{}[]:,";
  constexpr Kind sign_kinds[] = {Kind::object_begin, Kind::object_end, Kind::array_begin,
                                 Kind::array_end,    Kind::colon,      Kind::comma};
  while (*here_ != '\0' && blanks.find(*here_) != blanks.npos) ++here_;
  Token token;
  token.at = position();
  const char first = *here_;
  if (first == '\0') {
    token.kind = Kind::end;
  } else if (const auto sign = signs.find(first); sign != signs.npos) {
    token.kind = sign_kinds[sign];
    ++here_;
  } else if (first == '"') {
    return read_string(token);
  } else if (first == '-' || (first >= '0' && first <= '9')) {
    if (!takes_invalid_numbers_ && is_invalid_number()) return refuse(token, "invalid number");
    return read_number(token);
  } else if (first == 't' && take("true")) {
    token.kind = Kind::boolean;
    token.boolean = true;
  } else if (first == 'f' && take("false")) {
    token.kind = Kind::boolean;
  } else if (first == 'n' && take("null")) {
    token.kind = Kind::null;
  } else if (std::string_view("+iInN").find(first) != std::string_view::npos && takes_invalid_numbers_ &&
             is_invalid_number()) {
    return read_number(token);
  } else {
    return refuse(token, "invalid token");
  }
  return token;
}

// What strtod takes and JSON does not: hexadecimal numbers, leading zeros, a plus, infinities and NaN.
bool Lexer::is_invalid_number() const {
  const char* p = here_;
  if (*p == '+') return true;
  if (*p == '-') ++p;
  if (*p == '0') return (p[1] | 0x20) == 'x' || (p[1] >= '0' && p[1] <= '9');
  if (*p <= '9') return false;
  return strncasecmp(p, "inf", 3) == 0 || strncasecmp(p, "nan", 3) == 0;
}

Token Lexer::read_number(Token token) {
  char* end = nullptr;
  token.number = std::strtod(here_, &end);
  if (end == here_) return refuse(token, "invalid number");
  here_ = end;
  token.kind = Kind::number;
  return token;
}

Token Lexer::read_string(Token token) {
  string_.clear();
  for (++here_; *here_ != '"';) {
    if (*here_ == '\0') return refuse(token, "unexpected end of string");
    if (*here_ != '\\') {
      string_ += *here_++;
      continue;
    }
    if (here_[1] == 'u') {
      if (!read_escape()) return refuse(token, "invalid unicode escape code");
      continue;
    }
    constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    const auto letter = here_[1] == '\0' ? letters.npos : letters.find(here_[1]);
    if (letter == letters.npos) return refuse(token, "invalid escape code");
    string_ += meant[letter];
    here_ += 2;
  }
  ++here_;
  token.kind = Kind::string;
  return token;
}

// \uXXXX, or two of them for a code beyond 16 bits.
bool Lexer::read_escape() {
  const auto first = hexadecimal(here_ + 2);
  if (!first) return false;
  std::uint32_t code = *first;
  int size = 6;
  if ((code & 0xf800) == 0xd800) {
    if ((code & 0x400) != 0 || here_[6] != '\\' || here_[7] != 'u') return false;
    const auto second = hexadecimal(here_ + 8);
    if (!second || (*second & 0xfc00) != 0xdc00) return false;
    code = ((code & 0x3ff) << 10 | (*second & 0x3ff)) + 0x10000;
    size = 12;
  }
  append_utf8(string_, code);
  here_ += size;
  return true;
}

class Decoder {
 public:
  Decoder(lua_State* L, const char* text)
      : L_(L), depth_max_(json_settings(L).decode_depth_max),
        lexer_(text, json_settings(L).decode_invalid_numbers != JsonSettings::refused) {}

  /// Pushes the value that the whole text is.
  void document() {
    value(lexer_.next());
    if (const Token token = lexer_.next(); token.kind != Kind::end) refuse("the end", token);
  }

 private:
  [[noreturn]] void refuse(const char* expected, const Token& found) {
    luaL_error(L_, "Expected %s but found %s at character %d", expected,
               found.kind == Kind::error ? found.error : kind_names[static_cast<int>(found.kind)],
               static_cast<int>(found.at) + 1);
    std::abort();
  }

  void descend(int slots) {
    if (++depth_ <= depth_max_ && has_room(L_, slots)) return;
    luaL_error(L_, "Found too many nested data structures (%d) at character %d", depth_,
               static_cast<int>(lexer_.position()));
  }

  void value(const Token& token);
  void object();
  void array();

  lua_State* L_;
  int depth_max_;
  Lexer lexer_;
  int depth_ = 0;
};

void Decoder::value(const Token& token) {
  spend_steps(L_, 1);
  switch (token.kind) {
    case Kind::string: return push_text(L_, lexer_.string());
    case Kind::number: return lua_pushnumber(L_, token.number);
    case Kind::boolean: return lua_pushboolean(L_, token.boolean ? 1 : 0);
    case Kind::null: return lua_pushlightuserdata(L_, nullptr);
    case Kind::object_begin: return object();
    case Kind::array_begin: return array();
    default: refuse("value", token);
  }
}

void Decoder::object() {
  descend(3);
  lua_newtable(L_);
  Token token = lexer_.next();
  while (token.kind != Kind::object_end) {
    if (token.kind != Kind::string) refuse("object key string", token);
    push_text(L_, lexer_.string());
    token = lexer_.next();
    if (token.kind != Kind::colon) refuse("colon", token);
    value(lexer_.next());
    lua_rawset(L_, -3);
    token = lexer_.next();
    if (token.kind == Kind::object_end) break;
    if (token.kind != Kind::comma) refuse("comma or object end", token);
    token = lexer_.next();
    if (token.kind == Kind::object_end) refuse("object key string", token);
  }
  --depth_;
}

void Decoder::array() {
  descend(2);
  lua_newtable(L_);
  Token token = lexer_.next();
  for (int i = 1; token.kind != Kind::array_end; ++i) {
    value(token);
    lua_rawseti(L_, -2, i);
    token = lexer_.next();
    if (token.kind == Kind::array_end) break;
    if (token.kind != Kind::comma) refuse("comma or array end", token);
    token = lexer_.next();
    if (token.kind == Kind::array_end) refuse("value", token);
  }
  --depth_;
}

}  // namespace

int json_decode(lua_State* L) {
  luaL_argcheck(L, lua_gettop(L) == 1, 1, "expected 1 argument");
  fit_text(L, 1);
  std::size_t size = 0;
  const char* text = luaL_checklstring(L, 1, &size);
  if (size >= 2 && (text[0] == '\0' || text[1] == '\0')) {
    return luaL_error(L, "JSON parser does not support UTF-16 or UTF-32");
  }
  Decoder(L, text).document();
  return 1;
}

}  // namespace lockstep::lua
