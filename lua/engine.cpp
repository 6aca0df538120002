#include "lua/engine.h"

#include <array>
#include <map>
#include <utility>

#include "lua/basics.h"
#include "lua/compat.h"
#include "lua/convert.h"
#include "lua/dialect.h"
#include "lua/libraries.h"
#include "lua/limits.h"
#include "lua/redis_api.h"
#include "lua/run.h"
#include "lua/sandbox.h"
#include "lua/source.h"
#include "lua/wording.h"
#include "sim/base/verify.h"

namespace lockstep::lua {
namespace {

constexpr const char* chunk_name = "@user_script";

// Garbage that evals may leave before it is collected, between two of them.
constexpr std::size_t garbage_max = std::size_t{1} << 20;

// What Redis's __redis__err__handler does: notes the error and the line of the script that it comes from.
int note_failure(lua_State* L) {
  Failure& failure = run_of(L).failure;
  if (run_of(L).stop != Stop::none) return 1;
  restate_error(L);
  if (lua_istable(L, 1)) {
    lua_pushliteral(L, "err");
    lua_rawget(L, 1);
    // Redis 7.0.15 crashes on a table without `err`; this text is Lockstep's.
    failure.text =
        lua_isstring(L, -1) != 0 ? text_at(L, -1) : "ERR the script raised a table that has no err field";
  } else {
    push_printed(L, 1);
    failure.text = "ERR ";
    failure.text += text_at(L, -1);
  }
  lua_Debug place{};
  bool has_place = lua_getstack(L, 1, &place) != 0 && lua_getinfo(L, "S", &place) != 0;
  if (has_place && std::string_view(place.what) == "C") has_place = lua_getstack(L, 2, &place) != 0;
  if (has_place) {
    lua_getinfo(L, "Sl", &place);
    failure.source = place.source;
    failure.line = place.currentline;
  }
  return 1;
}

int panic(lua_State* L) {
  const char* text = lua_tostring(L, -1);
  sim::verify_failed(text == nullptr ? "Lua error outside of a script" : text, __FILE__, __LINE__);
}

// One of KEYS and ARGV. The tables are kept and filled again, one for each length, so that a script always
// gets a table whose inner size is its length; one that a script gave other fields or a metatable is not used
// again.
class WordTables {
 public:
  explicit WordTables(const char* global) : global_(global) {}

  /// `may_touch`: Shape::may_touch_words of the script that is about to run.
  void fill(lua_State* L, std::span<const std::string_view> words, bool may_touch) {
    const std::size_t count = words.size();
    if (!push_kept(L, count)) {
      lua_createtable(L, static_cast<int>(count), 0);
      keep(L, count);
      if (direct_ == count) direct_ = kept_max;
      if (ordinary_ == count) ordinary_ = kept_max;
    }
    for (std::size_t i = 0; i < count; ++i) {
      push_text(L, words[i]);
      lua_rawseti(L, -2, static_cast<int>(i) + 1);
    }
    if (count != direct_ || count >= kept_max) set_direct_word_table(L, global_);
    direct_ = count;
    if (may_touch) {
      if (count != ordinary_ || count >= kept_max) set_word_table(L, global_);
      ordinary_ = count;
      if (count < kept_max) touched_[count] = true;
    }
    lua_pop(L, 1);
  }

 private:
  static constexpr std::size_t kept_max = 16;

  static bool is_clean(lua_State* L, std::size_t count) {
    if (lua_getmetatable(L, -1) != 0) {
      lua_pop(L, 1);
      return false;
    }
    std::size_t found = 0;
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
      lua_pop(L, 1);
      if (++found <= count && lua_type(L, -1) == LUA_TNUMBER) {
        const lua_Number key = lua_tonumber(L, -1);
        if (key >= 1 && key <= static_cast<lua_Number>(count)) continue;
      }
      lua_pop(L, 1);
      return false;
    }
    return found == count;
  }

  bool push_kept(lua_State* L, std::size_t count) {
    if (count >= kept_max || refs_[count] == 0) return false;
    lua_rawgeti(L, LUA_REGISTRYINDEX, refs_[count]);
    if (!touched_[count] || is_clean(L, count)) {
      touched_[count] = false;
      return true;
    }
    lua_pop(L, 1);
    luaL_unref(L, LUA_REGISTRYINDEX, refs_[count]);
    refs_[count] = 0;
    return false;
  }

  void keep(lua_State* L, std::size_t count) {
    if (count >= kept_max) return;
    lua_pushvalue(L, -1);
    refs_[count] = luaL_ref(L, LUA_REGISTRYINDEX);
  }

  const char* global_;
  std::array<int, kept_max> refs_{};
  std::array<bool, kept_max> touched_{};  // a script may have changed the table since it was last looked at
  // The length of the table that is the global now, in each of the two kinds of globals.
  std::size_t direct_ = kept_max, ordinary_ = kept_max;
};

void open_libraries(lua_State* L) {
  open_library(L, "_G", luaopen_base);
  open_library(L, "string", luaopen_string);
  open_library(L, "table", luaopen_table);
  open_library(L, "math", luaopen_math);
#if LUA_VERSION_NUM >= 504
  open_library(L, "coroutine", luaopen_coroutine);
#endif
  open_cjson(L);
  open_cmsgpack(L);
  open_struct(L);
  open_bit(L);
}

Error stop_error(const Run& run) {
  if (run.stop == Stop::steps) {
    return {"ERR Lockstep stopped the script after " + std::to_string(run.steps_max) +
            " steps (it may loop for ever)"};
  }
  return {"ERR Lockstep stopped the script because it needed too much memory (limit " +
          std::to_string(run.memory_max) + " bytes)"};
}

// A compiled script.
struct Chunk {
  int ref{};  // its place in the registry
  Shape shape;
  bool counts_steps{};
};

}  // namespace

struct Engine::Interpreter {
  explicit Interpreter(const Options& options);
  ~Interpreter() { lua_close(L); }
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  Reply load(std::string_view text);
  Reply eval(std::string_view sha1, const Chunk& chunk, std::span<const std::string_view> keys,
             std::span<const std::string_view> args, Host& host);
  Reply failure(int status, std::string_view sha1);
  void clean_up();

  Run run;
  lua_State* L;
  std::map<std::string, Chunk, std::less<>> chunks;       // by SHA1
  std::map<std::string, std::string, std::less<>> names;  // the SHA1 of each text in `chunks`
  WordTables keys_tables{"KEYS"}, args_tables{"ARGV"};
  std::size_t memory_at_rest{};
};

Engine::Interpreter::Interpreter(const Options& options) {
  run.steps_max = options.steps_max;
  run.memory_max = options.memory_max;
  L = lua_newstate(allocate, &run);
  VERIFY(L != nullptr);
  lua_atpanic(L, panic);
  open_libraries(L);
  install_dialect(L);
  install_basics(L);
  open_redis(L);
  close_sandbox(L);
  keys_tables.fill(L, {}, true);
  args_tables.fill(L, {}, true);
  lua_gc(L, LUA_GCCOLLECT, 0);
  // 5.4 collects only between evals and when memory runs out, so that no script can see when.
  if (is_lua54) lua_gc(L, LUA_GCSTOP, 0);
  memory_at_rest = run.memory_used;
}

Reply Engine::Interpreter::load(std::string_view text) {
  if (const auto known = names.find(text); known != names.end()) return Status{known->second};
  const std::string sha1 = sha1_hex(text);
  const auto shebang = read_shebang(text);
  if (const auto* error = std::get_if<Error>(&shebang)) return *error;

  run.bounded = true;
  run.churn_left = run.memory_max;
  const int status = compile(L, text.substr(std::get<Shebang>(shebang).length), chunk_name);
  run.bounded = false;
  if (status != 0) {
    const std::string message(lua_isstring(L, -1) != 0 ? text_at(L, -1) : "unknown error");
    clean_up();
    return Error{one_line("ERR Error compiling script (new function): " + message)};
  }
  Chunk chunk;
  chunk.shape = shape_of(text);
  // No source compiles to more than four instructions for each of its bytes.
  chunk.counts_steps =
      chunk.shape.may_loop || std::int64_t{4} * static_cast<std::int64_t>(text.size()) >= run.steps_max;
  if (!chunk.shape.may_write_globals) {
    push_direct_globals(L);
    set_chunk_globals(L, -2);
  }
  chunk.ref = luaL_ref(L, LUA_REGISTRYINDEX);
  chunks.emplace(sha1, chunk);
  names.emplace(text, sha1);
  memory_at_rest = run.memory_used;
  return Status{sha1};
}

Reply Engine::Interpreter::eval(std::string_view sha1, const Chunk& chunk,
                                std::span<const std::string_view> keys,
                                std::span<const std::string_view> args, Host& host) {
  VERIFY(run.host == nullptr);  // a host must not run a script from within a call
  run.begin(host);
  keys_tables.fill(L, keys, chunk.shape.may_touch_words);
  args_tables.fill(L, args, chunk.shape.may_touch_words);
  lua_pushcfunction(L, note_failure);
  lua_rawgeti(L, LUA_REGISTRYINDEX, chunk.ref);
  if (chunk.shape.uses_env) {  // it may have assigned to _ENV in an earlier eval
    push_globals(L);
    set_chunk_globals(L, -2);
  }
  if (chunk.counts_steps) count_steps(L);
  run.bounded = true;
  const int status = lua_pcall(L, 0, 1, 1);
  run.bounded = false;
  Reply reply = status == 0 ? to_reply(L, -1, run.resp) : failure(status, sha1);
  if (chunk.counts_steps) lua_sethook(L, nullptr, 0, 0);
  clean_up();
  return reply;
}

Reply Engine::Interpreter::failure(int status, std::string_view sha1) {
  if (is_stopped(L, status)) return stop_error(run);
  if (status != LUA_ERRRUN) {  // an error in the error handler itself
    const std::string_view message = lua_isstring(L, -1) != 0 ? text_at(L, -1) : "execution failure";
    return Error{one_line("ERR Error running script " + std::string(sha1) + ", " + std::string(message))};
  }
  std::string text = run.failure.text;
  if (!run.failure.source.empty()) {
    text += " script: " + std::string(sha1) + ", on " + run.failure.source + ":" +
            std::to_string(run.failure.line) + ".";
  }
  run.failure = {};
  return Error{one_line(text)};
}

// Leaves nothing of an eval behind.
void Engine::Interpreter::clean_up() {
  lua_settop(L, 0);
  forget_names(L);
  run.host = nullptr;
  if (run.memory_used > memory_at_rest + garbage_max) {
    lua_gc(L, LUA_GCCOLLECT, 0);
    memory_at_rest = run.memory_used;
  }
}

Engine::Engine() : Engine(Options{}) {}
Engine::Engine(Options options) : interpreter_(std::make_unique<Interpreter>(options)) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

Reply Engine::load(std::string_view text) { return interpreter_->load(text); }

Reply Engine::eval(std::string_view sha1, std::span<const std::string_view> keys,
                   std::span<const std::string_view> args, Host& host) {
  const auto chunk = interpreter_->chunks.find(sha1);
  if (chunk == interpreter_->chunks.end()) return Error{"NOSCRIPT No matching script. Please use EVAL."};
  return interpreter_->eval(sha1, chunk->second, keys, args, host);
}

bool Engine::knows(std::string_view sha1) const { return interpreter_->chunks.contains(sha1); }

std::string_view Engine::library() { return is_lua54 ? "Lua 5.4" : "Lua 5.1"; }

}  // namespace lockstep::lua
