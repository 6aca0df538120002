#include "lua/engine/limits.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "lua/dialect/compat.h"
#include "lua/dialect/wording.h"

namespace lockstep::lua {
namespace {

constexpr std::int64_t portion_max = 1000;
constexpr std::size_t churn_factor = 16;
constexpr int calls_max = 16'384;  // Lua 5.1 has no room for more calls within calls

std::int64_t portion(const Run& run) { return std::clamp(run.steps_max, std::int64_t{1}, portion_max); }

void on_portion(lua_State* L, lua_Debug*) {
  if (!take_steps(L, portion(run_of(L)))) {
    lua_pushliteral(L, "stopped");
    lua_error(L);
  }
  lua_Debug outermost{};  // Lua 5.1 ends a recursion by itself, and counts tail calls here
  if (is_lua54 && lua_getstack(L, calls_max, &outermost) != 0) luaL_error(L, "stack overflow");
}

void on_line_or_portion(lua_State* L, lua_Debug* what) {
  if (what->event != LUA_HOOKLINE) return on_portion(L, what);
  if (run_of(L).registry == nullptr) run_of(L).lines()->at_line(what->currentline);  // no body of a library
}

void note_place(lua_State* L) {
  const lua_Debug place = innermost_line(L);
  if (place.currentline == 0) return;
  run_of(L).failure.source = place.source;
  run_of(L).failure.line = place.currentline;
}

// The handler of xpcall. Upvalue 1: the script's handler, which a stop must not reach: hooks are off while it
// would run.
int handle(lua_State* L) {
  if (run_of(L).stop != Stop::none) return 1;
  restate_error(L);
  lua_settop(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

}  // namespace

void Run::begin(Host& with) {
  host = &with;
  refused = false;
  churn_left = memory_max * churn_factor;
  steps_left = steps_max;
  stop = Stop::none;
  resp = Resp::two;
  random = Random48();
  names = 0;
  json = JsonSettings();
}

std::string Run::as_compiled(std::string_view body) const {
  return lines() != nullptr ? lines()->laid_out(body) : std::string(body);
}

void Run::oversee(std::string_view name, Overseer::Kind kind) {
  if (overseer == nullptr) return;
  overseer->begin(name, kind);
  steps_left = portion_max;
}

bool take_steps(lua_State* L, std::int64_t steps) {
  Run& run = run_of(L);
  if (run.stop != Stop::none) return false;
  run.steps_left -= steps;
  if (run.steps_left > 0) return true;
  if (run.overseer == nullptr || run.registry != nullptr) {  // nobody oversees the body of a library
    run.stop = Stop::steps;
    return false;
  }
  run.steps_left = portion_max;
  if (run.overseer->goes_on()) return true;
  run.stop = Stop::killed;
  note_place(L);
  return false;
}

void* allocate(void* user_data, void* block, std::size_t old_size, std::size_t new_size) {
  Run& run = *static_cast<Run*>(user_data);
  if (block == nullptr) old_size = 0;  // it then holds the kind of object that 5.4 wants the memory for
  if (new_size == 0) {
    std::free(block);
    run.memory_used -= old_size;
    return nullptr;
  }
  if (new_size > old_size && run.bounded) {
    const std::size_t growth = new_size - old_size;
    if (growth > run.churn_left || run.memory_used + growth > run.memory_max) {
      run.refused = true;
      return nullptr;
    }
    run.churn_left -= growth;
  }
  void* const moved = std::realloc(block, new_size);
  if (moved != nullptr) run.memory_used += new_size - old_size;
  return moved;
}

void count_steps(lua_State* L) {
  const bool lines = run_of(L).lines() != nullptr;
  const int mask = lines ? LUA_MASKLINE | LUA_MASKCOUNT : LUA_MASKCOUNT;
  lua_sethook(L, lines ? on_line_or_portion : on_portion, mask, static_cast<int>(portion(run_of(L))));
}

bool is_stopped(lua_State* L, int status) {
  Run& run = run_of(L);
  if (run.stop != Stop::none) return true;
  if (!run.refused) return false;
  // A coroutine and coroutine.wrap pass a memory error on as this text.
  const bool is_memory =
      status == LUA_ERRMEM ||
      (lua_type(L, -1) == LUA_TSTRING && text_at(L, -1).find("not enough memory") != std::string_view::npos);
  if (is_memory) run.stop = Stop::memory;
  return is_memory;
}

int stoppable_pcall(lua_State* L) {
  if (lua_gettop(L) == 0) {  // Redis's own pcall then calls the `true` that it has pushed
    lua_pushboolean(L, 0);
    lua_pushliteral(L, "attempt to call a boolean value");
    return 2;
  }
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  const int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 0);
  if (status == 0) return lua_gettop(L);
  if (is_stopped(L, status)) return lua_error(L);

  restate_error(L);
  if (lua_istable(L, -1)) {
    lua_pushliteral(L, "err");
    lua_rawget(L, -2);
    if (lua_isstring(L, -1) == 0) lua_pop(L, 1);
  }
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

int stoppable_xpcall(lua_State* L) {
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  lua_pushcclosure(L, handle, 1);
  lua_insert(L, 1);
  const int status = lua_pcall(L, 0, LUA_MULTRET, 1);
  if (status != 0 && is_stopped(L, status)) return lua_error(L);
  lua_pushboolean(L, status == 0);
  lua_replace(L, 1);
  return lua_gettop(L);
}

namespace {

// What 5.1 calls a coroutine that is no use resuming now; nullptr: it may be.
const char* busy_state(lua_State* L, lua_State* coroutine) {
  if (coroutine == L) return "running";
  lua_Debug frame{};
  const bool has_begun = lua_status(coroutine) == 0 && lua_getstack(coroutine, 0, &frame) != 0;
  return has_begun ? "normal" : nullptr;
}

}  // namespace

int stoppable_resume(lua_State* L) {
  luaL_argcheck(L, lua_isthread(L, 1), 1, "coroutine expected");
  if (const char* const state = busy_state(L, lua_tothread(L, 1))) {
    lua_pushboolean(L, 0);
    lua_pushfstring(L, "cannot resume %s coroutine", state);
    return 2;
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  if (lua_toboolean(L, 1) != 0) return lua_gettop(L);
  if (is_stopped(L, 0)) return lua_error(L);
  restate_error(L);
  return lua_gettop(L);
}

Error stop_error(const Run& run) {
  if (run.stop == Stop::steps) {
    return {"ERR Lockstep stopped the script after " + std::to_string(run.steps_max) +
            " steps (it may loop for ever)"};
  }
  return {"ERR Lockstep stopped the script because it needed too much memory (limit " +
          std::to_string(run.memory_max) + " bytes)"};
}

}  // namespace lockstep::lua
