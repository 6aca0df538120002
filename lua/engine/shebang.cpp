#include "lua/engine/shebang.h"

#include <algorithm>
#include <cctype>

namespace lockstep::lua {
namespace {

struct NamedFlag {
  const char* name;
  bool ScriptFlags::*flag;
};

constexpr NamedFlag named_flags[] = {
    {"no-writes", &ScriptFlags::no_writes},     {"allow-oom", &ScriptFlags::allow_oom},
    {"allow-stale", &ScriptFlags::allow_stale}, {"no-cluster", &ScriptFlags::no_cluster},
    {"allow-cross-slot-keys", &ScriptFlags::allow_cross_slot_keys},
};

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string lower(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lowered;
}

// The bytes before the first line's end. C's strchr finds none behind a NUL.
std::optional<std::string_view> first_line(std::string_view text) {
  const auto end = text.find_first_of(std::string_view("\n\0", 2));
  if (end == std::string_view::npos || text[end] == '\0') return std::nullopt;
  return text.substr(0, end);
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Reads a quoted piece whose opening quote is behind; `at` is left behind the closing one. False if the quote
// is not closed, or not at a word's end.
bool read_quoted(std::string_view line, std::size_t& at, char quote, std::string& word) {
  constexpr std::string_view letters = "nrtba", meant = "\n\r\t\b\a";
  for (; at < line.size(); ++at) {
    const char c = line[at];
    if (c == quote) {
      ++at;
      return at == line.size() || is_blank(line[at]);
    }
    const char next = at + 1 < line.size() ? line[at + 1] : '\0';
    const bool escapes = c == '\\' && next != '\0' && (quote == '"' || next == '\'');
    if (!escapes) {
      word += c;
    } else if (next == 'x' && at + 3 < line.size() && hex_digit(line[at + 2]) >= 0 &&
               hex_digit(line[at + 3]) >= 0 && quote == '"') {
      word += static_cast<char>(hex_digit(line[at + 2]) * 16 + hex_digit(line[at + 3]));
      at += 3;
    } else {
      const auto letter = letters.find(next);
      word += quote == '"' && letter != letters.npos ? meant[letter] : next;
      ++at;
    }
  }
  return false;
}

std::optional<Error> read_flags(std::string_view list, ScriptFlags& flags) {
  if (list.empty()) return std::nullopt;
  for (std::size_t at = 0; at <= list.size();) {
    const auto end = std::min(list.find(',', at), list.size());
    const std::string_view flag = list.substr(at, end - at);
    if (!flags.set(flag)) return Error{"ERR Unexpected flag in script shebang: " + std::string(flag)};
    at = end + 1;
  }
  return std::nullopt;
}

}  // namespace

bool ScriptFlags::set(std::string_view name) {
  for (const NamedFlag& named : named_flags) {
    if (name != named.name) continue;
    this->*named.flag = true;
    return true;
  }
  return false;
}

std::vector<std::string_view> ScriptFlags::names() const {
  std::vector<std::string_view> names;
  for (const NamedFlag& named : named_flags) {
    if (this->*named.flag) names.emplace_back(named.name);
  }
  return names;
}

std::optional<std::vector<std::string>> split_words(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 0;;) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at == line.size()) return words;
    std::string word;
    while (at < line.size() && !is_blank(line[at])) {
      const char c = line[at++];
      if (c != '"' && c != '\'') {
        word += c;
      } else if (!read_quoted(line, at, c, word)) {
        return std::nullopt;
      }
    }
    words.push_back(std::move(word));
  }
}

std::variant<Shebang, Error> read_shebang(std::string_view text) {
  Shebang shebang;
  if (!text.starts_with("#!")) {
    shebang.flags.eval_compatible = true;
    return shebang;
  }
  const auto line = first_line(text);
  if (!line) return Error{"ERR Invalid script shebang"};
  shebang.length = line->size();
  const auto words = split_words(*line);
  if (!words) return Error{"ERR Invalid engine in script shebang"};
  if (words->front() != "#!lua") return Error{"ERR Unexpected engine in script shebang: " + words->front()};
  for (std::size_t i = 1; i < words->size(); ++i) {
    const std::string& option = (*words)[i];
    if (!option.starts_with("flags=")) return Error{"ERR Unknown lua shebang option: " + option};
    if (auto error = read_flags(std::string_view(option).substr(6), shebang.flags)) return *error;
  }
  return shebang;
}

std::variant<LibraryHeader, Error> read_library_header(std::string_view code) {
  if (!code.starts_with("#!")) return Error{"ERR Missing library metadata"};
  const auto line = first_line(code);
  const auto words = line ? split_words(*line) : std::nullopt;
  if (!words) return Error{"ERR Invalid library metadata"};
  std::optional<std::string> name;
  for (std::size_t i = 1; i < words->size(); ++i) {
    const std::string& word = (*words)[i];
    if (lower(word.substr(0, 5)) != "name=") return Error{"ERR Invalid metadata value given: " + word};
    if (name) return Error{"ERR Invalid metadata value, name argument was given multiple times"};
    name = word.substr(5);
  }
  if (!name) return Error{"ERR Library name was not given"};
  if (!is_function_name(*name)) return Error{std::string("ERR ") + wrong_name};
  const std::string engine = words->front().substr(2);
  if (lower(engine) != "lua") return Error{"ERR Engine '" + engine + "' not found"};
  return LibraryHeader{*name, line->size()};
}

bool is_function_name(std::string_view name) {
  const auto is_valid = [](char c) {
    return c == '_' || (std::isalnum(static_cast<unsigned char>(c)) != 0 && c > 0);
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_valid);
}

}  // namespace lockstep::lua
