#include "lua/scripts/departures.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "lua/scripts/words_read.h"

namespace lockstep::lua {

namespace {

struct Piece {
  std::string_view text;
  std::size_t line = 1;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Names and numbers, texts with their quotes, and signs one by one; `...` is one.
std::vector<Piece> pieces_of(std::string_view script) {
  std::vector<Piece> pieces;
  std::size_t line = 1;
  for (std::size_t at = 0; at < script.size();) {
    std::size_t end = behind_silent(script, at);
    const bool is_comment = end != at && script.substr(at).starts_with("--");
    if (end == at) {
      const bool is_number = std::isdigit(static_cast<unsigned char>(script[at])) != 0;
      while (end < script.size() && (is_word(script[end]) || (is_number && script[end] == '.'))) ++end;
      if (end == at) end += script.substr(at).starts_with("...") ? 3 : 1;
    }
    if (!is_comment && !is_blank(script[at])) pieces.push_back({script.substr(at, end - at), line});
    line += static_cast<std::size_t>(std::count(script.begin() + static_cast<std::ptrdiff_t>(at),
                                                script.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at = end;
  }
  return pieces;
}

bool is_text_of(std::string_view piece, std::string_view word) {
  const bool is_text = piece.front() == '"' || piece.front() == '\'' || piece.front() == '[';
  return piece == word || (is_text && piece.size() > word.size() && piece.find(word) != piece.npos);
}

struct Reading {
  std::vector<Piece> pieces;
  bool has_varargs = false;   // some function has
  bool declares_arg = false;  // by `local arg`, or as a parameter

  std::string_view at(std::size_t i) const { return i < pieces.size() ? pieces[i].text : ""; }
};

// `arg` of a function with varargs, which 5.4 has not.
bool is_arg(const Reading& script, std::size_t i) {
  const std::string_view before = i > 0 ? script.at(i - 1) : "";
  return script.at(i) == "arg" && script.has_varargs && !script.declares_arg && before != "." &&
         before != ":" && script.at(i + 1) != "=";
}

// `, 0 do`
bool is_step_zero(const Reading& script, std::size_t i) {
  return script.at(i) == "," && script.at(i + 1) == "0" && script.at(i + 2) == "do";
}

// `%` by a fraction, an infinity, or a length.
bool is_remainder(const Reading& script, std::size_t i) {
  const std::string_view by = script.at(i + 1);
  const bool is_fraction = !by.empty() && std::isdigit(static_cast<unsigned char>(by.front())) != 0 &&
                           by.find('.') != by.npos && by.find_first_not_of(".0", by.find('.')) != by.npos;
  const bool is_huge = by == "math" && script.at(i + 3) == "huge";
  return script.at(i) == "%" && (is_fraction || is_huge || by == "#");
}

bool names_metamethod(const Reading& script, std::size_t i) {
  return is_text_of(script.at(i), "__len") || is_text_of(script.at(i), "__concat");
}

struct Departure {
  bool (*shows)(const Reading& script, std::size_t piece);
  const char* words;
};

constexpr Departure departures[] = {
    {is_arg, "`arg` of a function with `...` is a table in Redis's Lua 5.1, and not known here; write {...}"},
    {is_step_zero, "a `for` with step 0 is an error here, and in Redis's Lua 5.1 none"},
    {is_remainder,
     "`%` by a fraction, an infinity or a length is computed otherwise than in Redis's Lua 5.1"},
    {names_metamethod, "`__len` and `__concat` are not called as in Redis's Lua 5.1"}};

}  // namespace

std::optional<std::string> departure_in(std::string_view text) {
  Reading script{.pieces = pieces_of(text)};
  for (std::size_t i = 0; i < script.pieces.size(); ++i) {
    script.has_varargs = script.has_varargs || (script.at(i) == "..." && script.at(i + 1) == ")" && i > 0 &&
                                                (script.at(i - 1) == "(" || script.at(i - 1) == ","));
    const bool is_declared = i > 0 && (script.at(i - 1) == "local" || script.at(i - 1) == "for");
    script.declares_arg = script.declares_arg || (script.at(i) == "arg" && is_declared);
  }
  for (std::size_t i = 0; i < script.pieces.size(); ++i)
    for (const Departure& each : departures)
      if (each.shows(script, i))
        return "line " + std::to_string(script.pieces[i].line) + ": " + each.words;
  return std::nullopt;
}

}  // namespace lockstep::lua
