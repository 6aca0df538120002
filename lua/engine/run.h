// run.h: what the C functions of one interpreter share while a script runs.
//
// The engine owns one Run for each interpreter and hands it to Lua as the allocator's user data, where every
// C function finds it at once (run_of). It is set back at the start of each eval; only the limits and the
// buffers live longer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lua/libraries/cjson.h"
#include "lua/dialect/compat.h"
#include "lua/engine/host.h"
#include "lua/dialect/numbers.h"
#include "lua/engine/line_watch.h"
#include "lua/engine/overseer.h"
#include "lua/dialect/random48.h"

namespace lockstep::lua {

struct FunctionRegistry;

/// Why Lockstep, not the script, ended the eval.
enum class Stop { none, steps, memory, killed };

/// The protocol version that redis.setresp chose; it decides how nulls and booleans are converted.
enum class Resp { two, three };

/// An error that left the script: Redis's error handler writes down what and where (script_lua.c,
/// luaCallFunction).
struct Failure {
  std::string text;    // the error line, code word included
  std::string source;  // the chunk's name as Lua keeps it, "@user_script"; empty if the place is unknown
  int line{};
  bool passed_on{};  // it is what a command had answered
};

struct Run {
  // Limits, for the whole life of the interpreter. Bytes.
  std::int64_t steps_max{};
  std::size_t memory_max{};
  Overseer* overseer{};

  std::size_t memory_used{};

  // One eval.
  Host* host{};
  FunctionRegistry* registry{};   // while the body of a library runs
  bool bounded{};                 // whether the allocator may refuse
  bool refused{};                 // whether it did, in this eval
  std::size_t churn_left{};       // bytes that may still be allocated in this eval, freed or not
  std::int64_t steps_left{};
  Stop stop = Stop::none;
  Resp resp = Resp::two;
  Random48 random;
  int names{};                    // tables and functions that were given a printable name so far
  JsonSettings json;
  Failure failure;

  // Buffers for the words of redis.call: views of Lua's strings, and the texts of numbers.
  std::vector<std::string_view> words;
  std::vector<NumberText> digits;

  void begin(Host& with);
  /// The overseer, if it wants to know of lines; and what it wants to be compiled for a script.
  LineWatch* lines() const { return dynamic_cast<LineWatch*>(overseer); }
  std::string as_compiled(std::string_view body) const;
  /// From now on the overseer is asked, if there is one.
  void oversee(std::string_view name, Overseer::Kind kind);
};

inline Run& run_of(lua_State* L) {
  void* run = nullptr;
  lua_getallocf(L, &run);
  return *static_cast<Run*>(run);
}

/// The innermost line of the script, its source and number; none (0) if no script runs.
inline lua_Debug innermost_line(lua_State* L) {
  lua_Debug place{};
  for (int level = 0; lua_getstack(L, level, &place) != 0; ++level) {
    lua_getinfo(L, "Sl", &place);
    if (place.currentline > 0) return place;
  }
  return lua_Debug{};
}

}  // namespace lockstep::lua
