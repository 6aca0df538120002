#include "lua/testing/bare_loop.h"

#include <array>

#include "lua/dialect/compat.h"
#include "sim/base/verify.h"

namespace lockstep::lua {

namespace {

// exists, hset, pexpire; hexists, hincrby, del, publish
constexpr std::array<lua_Integer, 7> answers{0, 1, 1, 1, 0, 1, 0};

int answer(lua_State* L) {
  auto& next = *static_cast<std::size_t*>(lua_touserdata(L, lua_upvalueindex(1)));
  lua_pushinteger(L, answers[next]);
  next = next + 1 == answers.size() ? 0 : next + 1;
  return 1;
}

int word_table(lua_State* L, const char* global) {
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_setglobal(L, global);
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

void set_words(lua_State* L, int table, std::span<const std::string_view> words) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, table);
  int place = 0;
  for (const std::string_view word : words) {
    push_text(L, word);
    lua_rawseti(L, -2, ++place);
  }
  lua_pop(L, 1);
}

int compiled(lua_State* L, std::string_view text) {
  VERIFY(load_text(L, text, "@user_script") == 0);
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

}  // namespace

struct BareLoop::Interpreter {
  lua_State* L = luaL_newstate();
  std::size_t next = 0;
  int acquire = 0, release = 0;
  int keys = 0, args = 0;

  ~Interpreter() { lua_close(L); }
};

BareLoop::BareLoop(std::string_view acquire, std::string_view release)
    : interpreter_(std::make_unique<Interpreter>()) {
  lua_State* L = interpreter_->L;
  VERIFY(L != nullptr);
  luaL_openlibs(L);
  lua_createtable(L, 0, 1);
  lua_pushlightuserdata(L, &interpreter_->next);
  lua_pushcclosure(L, answer, 1);
  lua_setfield(L, -2, "call");
  lua_setglobal(L, "redis");
  interpreter_->keys = word_table(L, "KEYS");
  interpreter_->args = word_table(L, "ARGV");
  interpreter_->acquire = compiled(L, acquire);
  interpreter_->release = compiled(L, release);
}

BareLoop::~BareLoop() = default;

BareLoop::Outcome BareLoop::eval(Which which, std::span<const std::string_view> keys,
                                 std::span<const std::string_view> args) {
  lua_State* L = interpreter_->L;
  set_words(L, interpreter_->keys, keys);
  set_words(L, interpreter_->args, args);
  const int chunk = which == Which::acquire ? interpreter_->acquire : interpreter_->release;
  lua_rawgeti(L, LUA_REGISTRYINDEX, chunk);
  Outcome outcome = Outcome::failed;
  if (lua_pcall(L, 0, 1, 0) == 0) outcome = lua_isnil(L, -1) ? Outcome::nil : Outcome::number;
  lua_settop(L, 0);
  return outcome;
}

}  // namespace lockstep::lua
