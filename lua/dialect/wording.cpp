#include "lua/dialect/wording.h"

#include <cstdlib>

#include "lua/dialect/grammar.h"

namespace lockstep::lua {
namespace {

constexpr std::string_view attempt = "attempt to ";
constexpr std::string_view bad_for = "bad 'for' ";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// bad 'for' WHAT (number expected, got TYPE)
std::string for_wording(std::string_view text) {
  const auto start = text.find(bad_for);
  const auto end = text.find(" (number expected", start);
  if (end == std::string_view::npos) return std::string(text);
  const auto what = start + bad_for.size();
  return std::string(text.substr(0, start)) + "'for' " + std::string(text.substr(what, end - what)) +
         " must be a number";
}

// Messages that 5.1 has in other words, wherever they come from.
constexpr const char* reworded[][2] = {
    {"attempt to yield from outside a coroutine", "attempt to yield across metamethod/C-call boundary"},
    {"attempt to yield across a C-call boundary", "attempt to yield across metamethod/C-call boundary"},
    {"(field 'integer index')", "(field '?')"},
    {"cannot resume non-suspended coroutine", "cannot resume running coroutine"},  // of coroutine.wrap
};

constexpr std::string_view capture = "invalid capture index", not_suspended = "non-suspended";

// Takes away what 5.4 says beyond 5.1, from `begin` up to `end`, whose last byte stays.
void cut(std::string& text, std::string_view begin, char end) {
  const auto from = text.find(begin);
  if (from == std::string::npos) return;
  const auto to = text.find(end, from + 1);
  if (to != std::string::npos) text.erase(from, to + 1 - from);
}

}  // namespace

std::string runtime_wording(std::string_view original) {
  std::string same(original);
  if (is_lua54) {
    for (const auto& [from, to] : reworded) replace_all(same, from, to);
    if (const auto at = same.find("invalid capture index %"); at != same.npos)
      same.erase(at + capture.size());
  }
  const std::string_view text = same;
  if (is_lua54 && text.find(bad_for) != std::string_view::npos) return for_wording(text);
  const auto start = text.find(attempt);
  if (!is_lua54 || start == std::string_view::npos || !text.ends_with(')')) return same;

  // attempt to VERB a TYPE value (KIND 'NAME')
  const auto verb = start + attempt.size();
  const auto type = text.find(" a ", verb);
  if (type == std::string_view::npos) return same;
  const auto open = text.find(" (", type);
  if (open == std::string_view::npos || text.substr(open - 6, 6) != " value") return same;

  const std::string_view subject = text.substr(open + 2, text.size() - open - 3);  // KIND 'NAME'
  const std::string head(text.substr(0, type));
  const std::string_view value = text.substr(type + 1, open - type - 1);
  if (subject.starts_with("constant ") || subject.starts_with("for iterator "))
    return head + " " + std::string(value);
  return head + " " + std::string(subject) + " (" + std::string(value) + ")";
}

std::string compile_wording(std::string_view text) {
  std::string words(text);
  if (!is_lua54) return words;
  for (const StandIn& each : stand_ins) replace_all(words, each.printed, std::string("'") + each.sign + "'");
  cut(words, " (starting at line ", ')');
  // 5.1 looks for an assignment where 5.4 has given up already.
  if (words.find("syntax error near '='") == words.npos &&
      words.find("syntax error near ','") == words.npos) {
    replace_all(words, ": syntax error near", ": '=' expected near");
  }
  for (const char* token : {"<eof>", "<name>", "<string>", "<number>"}) {
    const std::string bare = token;
    replace_all(words, "near " + bare, "near '" + bare + "'");
    replace_all(words, bare + " expected", "'" + bare + "' expected");
  }
  const auto control = words.rfind("'<\\");
  if (control != std::string::npos && words.ends_with(">'")) {
    const std::string code = words.substr(control + 3, words.size() - control - 5);
    constexpr int ascii_max = 127;
    const int value = std::atoi(code.c_str());
    words.resize(control);
    if (value > ascii_max) words.append("'").append(1, static_cast<char>(value)).append("'");
    else words += "'char(" + code + ")'";
  }
  return words;
}

void restate_error(lua_State* L) {
  if (!is_lua54 || lua_type(L, -1) != LUA_TSTRING) return;
  const std::string_view text = text_at(L, -1);
  const bool may_differ = text.find(attempt) != text.npos || text.find(bad_for) != text.npos ||
                          text.find(capture) != text.npos || text.find(not_suspended) != text.npos;
  if (!may_differ) return;
  push_text(L, runtime_wording(text));
  lua_replace(L, -2);
}

}  // namespace lockstep::lua
