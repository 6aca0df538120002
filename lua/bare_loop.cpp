#include "lua/bare_loop.h"

#include <array>

#include "lua/compat.h"
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

void set_words(lua_State* L, const char* global, std::initializer_list<std::string_view> words) {
  lua_createtable(L, static_cast<int>(words.size()), 0);
  int place = 0;
  for (const std::string_view word : words) {
    push_text(L, word);
    lua_rawseti(L, -2, ++place);
  }
  lua_setglobal(L, global);
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
  set_words(L, "KEYS", {"orders", "redisson_lock__channel:{orders}"});
  set_words(L, "ARGV", {"0", "30000", "00000000-0000-4000-8000-00000000000a:1"});
  interpreter_->acquire = compiled(L, acquire);
  interpreter_->release = compiled(L, release);
}

BareLoop::~BareLoop() = default;

bool BareLoop::pair() {
  lua_State* L = interpreter_->L;
  lua_rawgeti(L, LUA_REGISTRYINDEX, interpreter_->acquire);
  bool good = lua_pcall(L, 0, 1, 0) == 0 && lua_isnil(L, -1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, interpreter_->release);
  good = lua_pcall(L, 0, 1, 0) == 0 && lua_tointeger(L, -1) == 1 && good;
  lua_settop(L, 0);
  return good;
}

}  // namespace lockstep::lua
