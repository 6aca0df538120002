#include "lua/source.h"

#include <algorithm>
#include <initializer_list>

#include "lua/wording.h"

namespace lockstep::lua {
namespace {

// Takes the next piece up to `separator` off the front.
std::string_view take(std::string_view& rest, char separator) {
  const auto end = rest.find(separator);
  const std::string_view piece = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return piece;
}

std::optional<Error> read_flags(std::string_view flags, Shebang& shebang) {
  while (!flags.empty()) {
    const std::string_view flag = take(flags, ',');
    if (flag == "no-writes") {
      shebang.no_writes = true;
    } else if (flag == "allow-oom") {
      shebang.allow_oom = true;
    } else if (flag == "allow-stale") {
      shebang.allow_stale = true;
    } else if (flag == "no-cluster") {
      shebang.no_cluster = true;
    } else if (flag == "allow-cross-slot-keys") {
      shebang.allow_cross_slot_keys = true;
    } else {
      return Error{"ERR Unexpected flag in script shebang: " + std::string(flag)};
    }
  }
  return std::nullopt;
}

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

}  // namespace

std::variant<Shebang, Error> read_shebang(std::string_view text) {
  Shebang shebang;
  if (!text.starts_with("#!")) return shebang;
  shebang.present = true;
  shebang.length = text.find('\n');
  if (shebang.length == std::string_view::npos) return Error{"ERR Invalid script shebang"};

  std::string_view line = text.substr(0, shebang.length);
  const std::string_view engine = take(line, ' ');
  if (engine != "#!lua") return Error{"ERR Unexpected engine in script shebang: " + std::string(engine)};
  while (!line.empty()) {
    const std::string_view option = take(line, ' ');
    if (option.empty()) continue;
    if (!option.starts_with("flags="))
      return Error{"ERR Unknown lua shebang option: " + std::string(option)};
    if (auto error = read_flags(option.substr(6), shebang)) return *error;
  }
  return shebang;
}

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
  return shape;
}

int compile(lua_State* L, std::string_view text, const char* chunk_name) {
  // A text that begins like bytecode is refused as Redis's Lua refuses it, by the lexer: a space keeps it
  // from the loader.
  std::string spaced;
  if (text.starts_with(LUA_SIGNATURE[0])) spaced.append(1, ' ').append(text);
  const int status = load_text(L, spaced.empty() ? text : spaced, chunk_name);
  if (status != 0 && lua_type(L, -1) == LUA_TSTRING && is_lua54) {
    push_text(L, compile_wording(text_at(L, -1)));
    lua_replace(L, -2);
  }
  return status;
}

}  // namespace lockstep::lua
