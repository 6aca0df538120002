#include "lua/dialect/concatenation.h"

#include <utility>

#include "lua/dialect/dialect.h"

namespace lockstep::lua {

namespace {

// Whether an operand may end with such a token, so that a name behind it begins a new statement.
bool may_end(Token token) {
  return token == Token::name || token == Token::text || token == Token::constant || token == Token::close ||
         token == Token::block_end;
}

char opener_of(std::string_view closer) {
  return closer == ")" ? '(' : closer == "]" ? '[' : closer == "}" ? '{' : closer == "until" ? 'r' : 'e';
}

bool is_plain(std::string_view text) { return text.find_first_of("'\\\r\n") == text.npos; }

}  // namespace

void Concatenation::begin_operand() {
  Level& level = levels_.back();
  if (level.begin != none) return;
  level.begin = out_.size();
  level.is_text = level.is_value = level.is_computed = false;
  level.name.clear();
}

void Concatenation::wrap() {
  const Level& level = levels_.back();
  if (level.is_text) return;
  const std::string before = level.is_computed ? "((" : "(";
  const std::string behind = (level.is_computed ? ")//'" : "//'") + level.name + "')";
  out_.insert(end_, behind);
  out_.insert(level.begin, before);
  end_ += before.size() + behind.size();
}

void Concatenation::end_operand() {
  Level& level = levels_.back();
  if (level.is_chained && level.begin != none) wrap();
  level.is_chained = false;
  level.begin = none;
}

void Concatenation::name(std::string_view text) {
  Level& level = levels_.back();
  const bool is_first = level.begin == none;
  begin_operand();
  const bool is_field = last_ == Token::access && last_sign_ == '.';
  level.is_text = level.is_value = false;
  level.name = is_field ? "." + std::string(text) : is_first ? std::string(text) : "";
}

void Concatenation::open(char bracket) {
  Level& level = levels_.back();
  const bool is_first = level.begin == none || !may_end(last_);
  level.is_group = bracket == '(' && level.begin == none;
  begin_operand();
  if (is_first) level.is_value = bracket == '{';
  level.is_text = false;
  levels_.push_back({.opened_by = bracket, .name = {}});
}

void Concatenation::close(std::string_view text) {
  const bool was_text = levels_.back().is_text && !levels_.back().is_compound;
  end_operand();
  const Level inner = std::move(levels_.back());
  levels_.pop_back();
  if (levels_.empty() || inner.opened_by != opener_of(text)) {
    is_lost_ = true;
    return;
  }
  Level& level = levels_.back();
  level.name.clear();
  if (text == "]") level.name = was_text && is_plain(inner.name) ? "." + inner.name : ".?";
  if (text == ")" && level.is_group && !inner.is_compound && !inner.is_computed && !was_text)
    level.name = inner.name;
}

// Nothing can be called or taken from 1, but from (1//'') it can.
void Concatenation::follow_value(Token token, std::string_view text) {
  if (token != Token::text && token != Token::access && token != Token::open) return;
  const bool was_chained = levels_.back().is_chained;
  end_operand();
  if (was_chained) out_ += text == "(" ? ";" : " goto ";  // a statement, or an error
}

void Concatenation::token(Token token, std::string_view text) {
  if (is_lost_) return;
  if (levels_.back().begin != none && levels_.back().is_value && may_end(last_)) follow_value(token, text);
  const bool begins_statement = token == Token::name || token == Token::constant || token == Token::function;
  if (begins_statement && may_end(last_)) end_operand();
  Level& level = levels_.back();
  switch (token) {
    case Token::name: name(text); break;
    case Token::text: {
      const bool is_first = level.begin == none;
      begin_operand();
      level.is_text = is_first;
      if (is_first || !may_end(last_)) level.is_value = true;
      level.name = is_first ? text.substr(1, text.size() - 2) : "";
      break;
    }
    case Token::constant:
      begin_operand();
      level.is_text = false;
      level.is_value = true;
      level.name.clear();
      break;
    case Token::access: level.is_text = false; break;
    case Token::arithmetic:
      begin_operand();
      level.is_computed = true;
      level.is_text = false;
      break;
    case Token::concat:
      is_lost_ = level.begin == none;
      if (!is_lost_) wrap();
      level.begin = none;
      level.is_chained = level.is_compound = true;
      break;
    case Token::open: open(text.front()); break;
    case Token::function:
      begin_operand();
      level.is_text = false;
      level.is_value = true;
      level.name.clear();
      levels_.push_back({.opened_by = 'e', .name = {}});
      break;
    case Token::block:
      end_operand();
      levels_.push_back({.opened_by = text == "repeat" ? 'r' : 'e', .name = {}});
      break;
    case Token::close: case Token::block_end: close(text); break;
    case Token::other:
      end_operand();
      level.is_compound = true;
      break;
  }
  last_ = text == "until" ? Token::other : token;
  last_sign_ = text.empty() ? '\0' : text.front();
}

void Concatenation::finish() {
  if (!is_lost_ && levels_.size() == 1) end_operand();
}

#if LUA_VERSION_NUM < 504

void install_concatenation(lua_State*) {}

#else

namespace {

const char stand_in_key = 0;  // in the registry: the metatable of stand-ins

enum Field : int { value_type = 1, value_name };

// Whether the function that runs at this level knows a local variable or else one of others by that name.
const char* kind_of_variable(lua_State* L, lua_Debug& place, std::string_view name) {
  for (int n = 1; const char* local = lua_getlocal(L, &place, n); ++n) {
    lua_pop(L, 1);
    if (name == local) return "local";
  }
  lua_getinfo(L, "f", &place);
  for (int n = 1; const char* upvalue = lua_getupvalue(L, -1, n); ++n) {
    lua_pop(L, 1);
    if (name == upvalue) return "upvalue";
  }
  return "global";
}

bool is_stand_in(lua_State* L, int index) {
  if (lua_getmetatable(L, index) == 0) return false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &stand_in_key);
  const bool is_one = lua_rawequal(L, -1, -2) != 0;
  lua_pop(L, 2);
  return is_one;
}

// `..` with a stand-in: of two wrong operands 5.1 names the first.
int refuse(lua_State* L) {
  const int culprit = is_stand_in(L, 1) ? 1 : 2;
  lua_rawgeti(L, culprit, value_type);
  lua_rawgeti(L, culprit, value_name);
  const std::string type(text_at(L, -2)), name(text_at(L, -1));
  if (name.empty()) return luaL_error(L, "attempt to concatenate a %s value", type.c_str());
  if (name.front() == '.')
    return luaL_error(L, "attempt to concatenate field '%s' (a %s value)", name.c_str() + 1, type.c_str());
  lua_Debug place;
  const bool is_known = lua_getstack(L, 1, &place) != 0;
  const char* kind = is_known ? kind_of_variable(L, place, name) : "global";
  return luaL_error(L, "attempt to concatenate %s '%s' (a %s value)", kind, name.c_str(), type.c_str());
}

int fit_operand(lua_State* L) {
  switch (lua_type(L, 1)) {
    case LUA_TNUMBER: fit_text(L, 1); break;
    case LUA_TSTRING: break;
    default:
      if (luaL_getmetafield(L, 1, "__concat") != LUA_TNIL) break;
      lua_createtable(L, 2, 0);
      lua_pushstring(L, luaL_typename(L, 1));
      lua_rawseti(L, -2, value_type);
      lua_pushvalue(L, 2);
      lua_rawseti(L, -2, value_name);
      lua_rawgetp(L, LUA_REGISTRYINDEX, &stand_in_key);
      lua_setmetatable(L, -2);
      return 1;
  }
  lua_settop(L, 1);
  return 1;
}

}  // namespace

void install_concatenation(lua_State* L) {
  lua_newtable(L);
  set_function(L, "__concat", refuse);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &stand_in_key);

  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  set_function(L, "__idiv", fit_operand);
  lua_pop(L, 2);
}

#endif

}  // namespace lockstep::lua
