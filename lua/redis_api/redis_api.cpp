#include "lua/redis_api/redis_api.h"

#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "lua/dialect/basics.h"
#include "lua/engine/convert.h"
#include "lua/redis_api/resp3.h"
#include "lua/engine/run.h"
#include "lua/sha1.h"

namespace lockstep::lua {
namespace {

enum class OnError { raise, answer };

// Raised as a table, without the place of the line: Redis adds that at the end.
int raise_error(lua_State* L, std::string_view text) {
  push_error(L, text);
  return lua_error(L);
}

int fail(lua_State* L, OnError on_error, std::string_view text) {
  push_error(L, text);
  return on_error == OnError::raise ? lua_error(L) : 1;
}

// Views of the arguments, which hold until the next call. Empty if one is neither a string nor a number.
std::span<const std::string_view> gather_words(lua_State* L, Run& run, int count) {
  const auto size = static_cast<std::size_t>(count);
  if (run.words.size() < size) {
    run.words.resize(size);
    run.digits.resize(size);
  }
  for (int i = 0; i < count; ++i) {
    const int type = lua_type(L, i + 1);
    if (type == LUA_TSTRING) {
      run.words[i] = text_at(L, i + 1);
    } else if (type == LUA_TNUMBER) {
      run.words[i] = argument_text(lua_tonumber(L, i + 1), run.digits[i]);
    } else {
      return {};
    }
  }
  return {run.words.data(), size};
}

int command(lua_State* L, OnError on_error) {
  const int count = lua_gettop(L);
  if (count == 0)
    return fail(L, on_error, "ERR Please specify at least one argument for this redis lib call");
  Run& run = run_of(L);
  const auto words = gather_words(L, run, count);
  if (words.empty()) {
    return fail(L, on_error, "ERR Lua redis lib command arguments must be strings or integers");
  }
  Reply reply = run.host->call(words);
  if (run.resp == Resp::three) reply = in_resp3(words, std::move(reply));
  push_reply(L, reply, run.resp);
  if (reply.error() != nullptr && on_error == OnError::raise) return lua_error(L);
  return 1;
}

int call(lua_State* L) { return command(L, OnError::raise); }
int pcall(lua_State* L) { return command(L, OnError::answer); }

// redis.error_reply and status_reply: a table with one field; a wrong argument is answered, not raised.
int single_field(lua_State* L, const char* field, bool is_error) {
  if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TSTRING) {
    push_error(L, "ERR wrong number or type of arguments");
    return 1;
  }
  std::string text(text_at(L, 1));
  // Redis's luaPushError: a leading '-' is optional, and a single word is a message whose code is ERR.
  if (is_error) {
    const bool has_dash = text.starts_with('-');
    if (has_dash) text.erase(0, 1);
    while (!text.empty() && (text.back() == '\r' || text.back() == '\n')) text.pop_back();
    if (text.find(' ') == std::string::npos) text.insert(0, "ERR ");
  }
  lua_createtable(L, 0, 1);
  push_text(L, text);
  lua_setfield(L, -2, field);
  return 1;
}

int error_reply(lua_State* L) { return single_field(L, "err", true); }
int status_reply(lua_State* L) { return single_field(L, "ok", false); }

int sha1hex(lua_State* L) {
  if (lua_gettop(L) != 1) return raise_error(L, "ERR wrong number of arguments");
  std::string text;
  if (lua_type(L, 1) == LUA_TNUMBER) {
    NumberText room;
    text = lua51_text(lua_tonumber(L, 1), room);
  } else if (lua_type(L, 1) == LUA_TSTRING) {
    text = text_at(L, 1);
  }
  push_text(L, sha1_hex(text));
  return 1;
}

int log(lua_State* L) {
  if (lua_gettop(L) < 2) return raise_error(L, "ERR redis.log() requires two arguments or more.");
  if (lua_isnumber(L, 1) == 0) return raise_error(L, "ERR First argument must be a number (log level).");
  const lua_Number level = std::trunc(lua_tonumber(L, 1));
  if (!(level >= 0 && level <= 3)) return raise_error(L, "ERR Invalid debug level.");
  return 0;  // a model has no log file
}

int setresp(lua_State* L) {
  if (lua_gettop(L) != 1) return raise_error(L, "ERR redis.setresp() requires one argument.");
  const lua_Number version = std::trunc(lua_tonumber(L, 1));
  if (version != 2 && version != 3) return raise_error(L, "ERR RESP version must be 2 or 3.");
  run_of(L).resp = version == 3 ? Resp::three : Resp::two;
  return 0;
}

int set_repl(lua_State* L) {
  if (lua_gettop(L) != 1) return raise_error(L, "ERR redis.set_repl() requires two arguments.");
  const lua_Number flags = std::trunc(lua_tonumber(L, 1));
  if (!(flags >= 0 && flags < 4)) {
    return raise_error(L,
                       "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
  }
  run_of(L).host->set_repl(static_cast<unsigned>(flags));
  return 0;
}

// Every command that exists is allowed to Redis's default user.
int acl_check_cmd(lua_State* L) {
  if (lua_gettop(L) == 0) {
    return raise_error(L, "ERR Please specify at least one argument for this redis lib call");
  }
  const auto words = gather_words(L, run_of(L), lua_gettop(L));
  if (words.empty()) {
    return raise_error(L, "ERR Lua redis lib command arguments must be strings or integers");
  }
  if (!run_of(L).host->has_command(words)) {
    return raise_error(L, "ERR Invalid command passed to redis.acl_check_cmd()");
  }
  lua_pushboolean(L, 1);
  return 1;
}

int always_true(lua_State* L) {
  lua_pushboolean(L, 1);
  return 1;
}

int always_false(lua_State* L) {
  lua_pushboolean(L, 0);
  return 1;
}

int nothing(lua_State*) { return 0; }

// The handler that Redis's evals fail through: a table with the place of the caller.
int error_handler(lua_State* L) {
  lua_settop(L, 1);
  if (!lua_istable(L, 1)) {
    push_printed(L, 1);
    push_error(L, "ERR " + std::string(text_at(L, -1)));
    lua_replace(L, 1);
    lua_settop(L, 1);
  }
  lua_Debug place{};
  bool has_place = lua_getstack(L, 1, &place) != 0 && lua_getinfo(L, "S", &place) != 0;
  if (has_place && std::string_view(place.what) == "C") has_place = lua_getstack(L, 2, &place) != 0;
  if (!has_place) return 1;
  lua_getinfo(L, "Sl", &place);
  lua_pushstring(L, place.source);
  lua_setfield(L, 1, "source");
  lua_pushinteger(L, place.currentline);
  lua_setfield(L, 1, "line");
  return 1;
}

struct Constant {
  const char* name;
  int value;
};

}  // namespace

void open_redis(lua_State* L) {
  lua_newtable(L);
  set_function(L, "call", call);
  set_function(L, "pcall", pcall);
  set_function(L, "error_reply", error_reply);
  set_function(L, "status_reply", status_reply);
  set_function(L, "sha1hex", sha1hex);
  set_function(L, "log", log);
  set_function(L, "setresp", setresp);
  set_function(L, "set_repl", set_repl);
  set_function(L, "acl_check_cmd", acl_check_cmd);
  set_function(L, "replicate_commands", always_true);
  set_function(L, "breakpoint", always_false);
  set_function(L, "debug", nothing);
  constexpr Constant constants[] = {
      {"LOG_DEBUG", 0},  {"LOG_VERBOSE", 1}, {"LOG_NOTICE", 2},   {"LOG_WARNING", 3},
      {"REPL_NONE", 0},  {"REPL_AOF", 1},    {"REPL_SLAVE", 2},   {"REPL_REPLICA", 2},
      {"REPL_ALL", 3},   {"REDIS_VERSION_NUM", 0x07000f},
  };
  for (const Constant& constant : constants) {
    lua_pushinteger(L, constant.value);
    lua_setfield(L, -2, constant.name);
  }
  lua_pushliteral(L, "7.0.15");
  lua_setfield(L, -2, "REDIS_VERSION");
  lua_setglobal(L, "redis");
  lua_pushcfunction(L, error_handler);
  lua_setglobal(L, "__redis__err__handler");
}

}  // namespace lockstep::lua
