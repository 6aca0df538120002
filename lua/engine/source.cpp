#include "lua/engine/source.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "lua/dialect/grammar.h"
#include "lua/dialect/wording.h"

namespace lockstep::lua {
namespace {

// Whether each `word` in the text is directly followed by one of the endings.
bool always_followed(std::string_view text, std::string_view word,
                     std::initializer_list<std::string_view> endings) {
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::string_view rest = text.substr(at + word.size());
    if (std::none_of(endings.begin(), endings.end(), [&](auto ending) { return rest.starts_with(ending); }))
      return false;
  }
  return true;
}

bool is_comparison(std::string_view text, std::size_t equals) {
  const char before = equals > 0 ? text[equals - 1] : ' ';
  const char after = equals + 1 < text.size() ? text[equals + 1] : ' ';
  return after == '=' || before == '=' || before == '~' || before == '<' || before == '>';
}

// Whether every `=` of a text without comments belongs to a comparison or follows "local NAME".
bool assigns_new_locals_only(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  constexpr std::string_view name_characters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  for (auto at = text.find('='); at != text.npos; at = text.find('=', at + 1)) {
    if (is_comparison(text, at)) continue;
    const auto name_end = text.find_last_not_of(blanks, at == 0 ? 0 : at - 1);
    if (name_end == text.npos) return false;
    const auto before_name = text.find_last_not_of(name_characters, name_end);
    if (before_name == text.npos || before_name == name_end) return false;
    const auto word_end = text.find_last_not_of(blanks, before_name);
    if (word_end == text.npos || word_end == before_name) return false;
    const auto before_word = text.find_last_not_of(name_characters, word_end);
    const auto word_begin = before_word == text.npos ? 0 : before_word + 1;
    if (text.substr(word_begin, word_end + 1 - word_begin) != "local") return false;
  }
  return true;
}

}  // namespace

Shape shape_of(std::string_view text) {
  Shape shape;
  // Without these words there is no loop, no function of the script's own, and no way to make one from a
  // string.
  for (const char* word : {"while", "for", "repeat", "function", "goto", "load", "_G", "_ENV"}) {
    shape.may_loop = shape.may_loop || text.find(word) != text.npos;
  }
  shape.uses_env = text.find("_ENV") != text.npos;
  // "function redis.call(" would be an assignment.
  shape.may_write_globals = shape.uses_env || text.find("function") != text.npos ||
                            !always_followed(text, "KEYS", {"["}) || !always_followed(text, "ARGV", {"["}) ||
                            !always_followed(text, "redis", {".call(", ".pcall("});
  shape.may_touch_words = shape.may_write_globals || !assigns_new_locals_only(text);
  for (const char* word : {"--", "_G", "load"}) {
    shape.may_touch_words = shape.may_touch_words || text.find(word) != text.npos;
  }
  return shape;
}

namespace {

// Compiles a text for this library.
int load_source(lua_State* L, const std::string& source, const char* chunk_name) {
  // A text that begins like bytecode is refused as Redis's Lua refuses it, by the lexer: a space keeps it
  // from the loader.
  return load_text(L, source.starts_with(LUA_SIGNATURE[0]) ? ' ' + source : source, chunk_name);
}

}  // namespace

int compile(lua_State* L, std::string_view text, const char* chunk_name) {
  if (!is_lua54) return load_source(L, std::string(text), chunk_name);
  if (load_source(L, grammar_54(text, Numbers::as_51), chunk_name) == 0) return 0;
  lua_pop(L, 1);
  const int status = load_source(L, grammar_54(text, Numbers::as_54), chunk_name);
  if (status == 0) {  // only its mended operands nest too deeply for 5.4
    lua_pop(L, 1);
    lua_pushfstring(L, "%s:1: chunk has too many syntax levels", chunk_name + 1);
    return LUA_ERRSYNTAX;
  }
  if (lua_type(L, -1) == LUA_TSTRING) {
    push_text(L, compile_wording(text_at(L, -1)));
    lua_replace(L, -2);
  }
  return status;
}

}  // namespace lockstep::lua
