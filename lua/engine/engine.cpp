#include "lua/engine/engine.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>

#include "lua/dialect/basics.h"
#include "lua/dialect/compat.h"
#include "lua/engine/convert.h"
#include "lua/dialect/dialect.h"
#include "lua/libraries/libraries.h"
#include "lua/engine/inspection.h"
#include "lua/engine/limits.h"
#include "lua/redis_api/redis_api.h"
#include "lua/engine/run.h"
#include "lua/engine/sandbox.h"
#include "lua/engine/source.h"
#include "lua/engine/word_tables.h"
#include "lua/dialect/wording.h"
#include "sim/base/verify.h"

namespace lockstep::lua {
namespace {

constexpr const char* chunk_name = "@user_script";
constexpr const char* library_chunk_name = "@user_function";

constexpr std::size_t garbage_max = std::size_t{1} << 20;  // left by evals, before it is collected

// What Redis's __redis__err__handler does: notes the error and the line of the script that it comes from.
int note_failure(lua_State* L) {
  Failure& failure = run_of(L).failure;
  if (run_of(L).stop != Stop::none) return 1;
  restate_error(L);
  if (lua_istable(L, 1)) {
    failure.passed_on = is_passed_on(L, 1);
    lua_pushliteral(L, "err");
    lua_rawget(L, 1);
    fit_text(L, lua_gettop(L));
    // Redis 7.0.15 crashes on a table without `err`; this text is Lockstep's.
    failure.text = lua_isstring(L, -1) != 0 ? lua_tostring(L, -1)
                                            : "ERR the script raised a table that has no err field";
  } else {
    push_printed(L, 1);
    failure.text = std::string("ERR ") + lua_tostring(L, -1);  // up to its first NUL, as in C
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

// A compiled script.
struct Chunk {
  LoadedScript script;
  int ref{};                       // its place in the registry
  int direct_globals = LUA_NOREF;  // there too, if it has globals of its own
  Shape shape;
  bool counts_steps{};
  WordTables keys{"KEYS"}, args{"ARGV"};
};

// A compiled library whose body has run once.
struct LoadedLibrary {
  int ref{};
  Library library;
};

void push_words(lua_State* L, std::span<const std::string_view> words) {
  lua_createtable(L, static_cast<int>(words.size()), 0);
  int place = 0;
  for (const std::string_view word : words) {
    push_text(L, word);
    lua_rawseti(L, -2, ++place);
  }
}

// Whom the body of a library can ask: nobody.
class NoHost final : public Host {
 public:
  Reply call(std::span<const std::string_view>) override {
    sim::verify_failed("the body of a library has no redis.call", __FILE__, __LINE__);
  }
};

}  // namespace

struct Engine::Interpreter {
  explicit Interpreter(const Options& options);
  ~Interpreter() { lua_close(L); }
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  const LoadedScript* load(std::string_view text, Error& problem);
  const LoadedScript* find(std::string_view sha1) const;
  Reply eval(Chunk& chunk, std::span<const std::string_view> keys, std::span<const std::string_view> args,
             Host& host);
  Reply load_library(std::string_view code, const LibraryHeader& header, Library& library);
  Reply call_function(const LoadedLibrary& loaded, std::string_view function,
                      std::span<const std::string_view> keys, std::span<const std::string_view> args,
                      Host& host);
  int compile_library(std::string_view code, const LibraryHeader& header);
  int run_body(int ref, FunctionRegistry& registry);
  Reply body_failure(int status);
  Reply failure(int status, std::string_view name);
  Error what_failed(int status, std::string_view name);
  Error placed_failure(std::string_view name);
  void forget_scripts();
  void clean_up();

  Run run;
  lua_State* L;
  std::deque<Chunk> chunks;
  std::map<std::string, std::size_t, std::less<>> by_sha1, by_text;  // their numbers
  std::map<std::string, LoadedLibrary, std::less<>> libraries;  // by digest
  std::size_t memory_at_rest{};
};

Engine::Interpreter::Interpreter(const Options& options) {
  run.steps_max = options.steps_max;
  run.memory_max = options.memory_max;
  run.overseer = options.overseer;
  L = lua_newstate(allocate, &run);
  VERIFY(L != nullptr);
  lua_atpanic(L, panic);
  open_libraries(L);
  install_dialect(L);
  install_basics(L);
  open_redis(L);
  if (options.inspector != nullptr) install_inspection(L, *options.inspector);
  close_sandbox(L);
  install_library_globals(L);
  lua_gc(L, LUA_GCCOLLECT, 0);
  // 5.4 collects only between evals and when memory runs out, so that no script can see when.
  if (is_lua54) lua_gc(L, LUA_GCSTOP, 0);
  memory_at_rest = run.memory_used;
}

const LoadedScript* Engine::Interpreter::load(std::string_view text, Error& problem) {
  if (const auto known = by_text.find(text); known != by_text.end()) return &chunks[known->second].script;
  const auto shebang = read_shebang(text);
  if (const auto* error = std::get_if<Error>(&shebang)) {
    problem = *error;
    return nullptr;
  }

  run.bounded = true;
  run.churn_left = run.memory_max;
  const int status = compile(L, run.as_compiled(text.substr(std::get<Shebang>(shebang).length)), chunk_name);
  run.bounded = false;
  if (status != 0) {
    const std::string message(lua_isstring(L, -1) != 0 ? text_at(L, -1) : "unknown error");
    clean_up();
    problem = Error{one_line("ERR Error compiling script (new function): " + message)};
    return nullptr;
  }
  Chunk chunk;
  chunk.script = {sha1_hex(text), std::get<Shebang>(shebang).flags, chunks.size()};
  chunk.shape = shape_of(text);
  // No source compiles to more than four instructions for each of its bytes.
  chunk.counts_steps = run.lines() != nullptr || chunk.shape.may_loop ||
                       std::int64_t{4} * static_cast<std::int64_t>(text.size()) >= run.steps_max;
  if (!chunk.shape.may_write_globals) {
    push_direct_globals(L);
    lua_pushvalue(L, -1);
    chunk.direct_globals = luaL_ref(L, LUA_REGISTRYINDEX);
    set_chunk_globals(L, -2);
  }
  chunk.ref = luaL_ref(L, LUA_REGISTRYINDEX);
  by_sha1.emplace(chunk.script.sha1, chunks.size());
  by_text.emplace(text, chunks.size());
  chunks.push_back(std::move(chunk));
  memory_at_rest = run.memory_used;
  return &chunks.back().script;
}

const LoadedScript* Engine::Interpreter::find(std::string_view sha1) const {
  const auto known = by_sha1.find(sha1);
  return known == by_sha1.end() ? nullptr : &chunks[known->second].script;
}

Reply Engine::Interpreter::eval(Chunk& chunk, std::span<const std::string_view> keys,
                                std::span<const std::string_view> args, Host& host) {
  VERIFY(run.host == nullptr);  // a host must not run a script from within a call
  run.begin(host);
  run.oversee(chunk.script.sha1, Overseer::Kind::script);
  chunk.keys.fill(L, keys, chunk.direct_globals, chunk.shape.may_touch_words);
  chunk.args.fill(L, args, chunk.direct_globals, chunk.shape.may_touch_words);
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
  Reply reply = status == 0 ? to_reply(L, -1, run.resp) : failure(status, chunk.script.sha1);
  if (chunk.counts_steps) lua_sethook(L, nullptr, 0, 0);
  clean_up();
  return reply;
}

// Leaves the chunk on the stack, or a message.
int Engine::Interpreter::compile_library(std::string_view code, const LibraryHeader& header) {
  run.bounded = true;
  run.churn_left = run.memory_max;
  const int status = compile(L, code.substr(header.length), library_chunk_name);
  run.bounded = false;
  if (status != 0) return status;
  push_library_globals(L);
  set_chunk_globals(L, -2);
  return 0;
}

// Runs a body within an eval that has begun. Leaves the error handler and what a failure says on the stack.
int Engine::Interpreter::run_body(int ref, FunctionRegistry& registry) {
  begin_registration(L);
  set_library_phase(L, LibraryPhase::body);
  run.registry = &registry;
  lua_pushcfunction(L, note_failure);
  lua_rawgeti(L, LUA_REGISTRYINDEX, ref);
  const int status = lua_pcall(L, 0, 0, -2);
  run.registry = nullptr;
  return status;
}

Reply Engine::Interpreter::body_failure(int status) {
  const bool stopped = is_stopped(L, status);
  if (stopped && run.stop == Stop::memory) return stop_error(run);
  // A body that does not end is one that Redis gives up after half a second.
  const std::string text = stopped ? "ERR FUNCTION LOAD timeout" : run.failure.text;
  run.failure = {};
  return Error{one_line("ERR Error registering functions: " + text)};
}

Reply Engine::Interpreter::load_library(std::string_view code, const LibraryHeader& header,
                                        Library& library) {
  if (const int status = compile_library(code, header); status != 0) {
    const std::string message(lua_isstring(L, -1) != 0 ? text_at(L, -1) : "unknown error");
    clean_up();
    return Error{one_line("ERR Error compiling function: " + message)};
  }
  LoadedLibrary loaded;
  loaded.ref = luaL_ref(L, LUA_REGISTRYINDEX);
  NoHost nobody;
  run.begin(nobody);
  count_steps(L);
  run.bounded = true;
  FunctionRegistry registry;
  const int status = run_body(loaded.ref, registry);
  run.bounded = false;
  lua_sethook(L, nullptr, 0, 0);
  Reply reply = ok();
  if (status != 0) {
    reply = body_failure(status);
  } else if (registry.functions.empty()) {
    reply = Error{"ERR No functions registered"};
  }
  clean_up();
  if (reply.error() != nullptr) {
    luaL_unref(L, LUA_REGISTRYINDEX, loaded.ref);
    return reply;
  }
  loaded.library = {
      .name = header.name, .digest = sha1_hex(code), .functions = std::move(registry.functions)};
  library = loaded.library;
  libraries.emplace(library.digest, std::move(loaded));
  memory_at_rest = run.memory_used;
  return Status{library.digest};
}

Reply Engine::Interpreter::call_function(const LoadedLibrary& loaded, std::string_view function,
                                         std::span<const std::string_view> keys,
                                         std::span<const std::string_view> args, Host& host) {
  VERIFY(run.host == nullptr);  // a host must not call a function from within a call
  run.begin(host);
  count_steps(L);
  push_globals(L);
  const int own_globals = lua_gettop(L), handler = own_globals + 1;
  push_library_globals(L);
  replace_globals(L);  // of what the function compiles
  run.bounded = true;
  FunctionRegistry registry;
  int status = run_body(loaded.ref, registry);
  run.bounded = false;
  if (status == 0) {
    set_library_phase(L, LibraryPhase::call);
    run.oversee(function, Overseer::Kind::function);
    push_registered(L, function);
    push_words(L, keys);
    push_words(L, args);
    run.bounded = true;
    status = lua_pcall(L, 2, 1, handler);
    run.bounded = false;
  }
  Reply reply = status == 0 ? to_reply(L, -1, run.resp) : failure(status, function);
  lua_sethook(L, nullptr, 0, 0);
  lua_pushvalue(L, own_globals);
  replace_globals(L);
  clean_up();
  return reply;
}

// `name`: the script's SHA1, or the function's name.
Reply Engine::Interpreter::failure(int status, std::string_view name) {
  const bool passed_on = run.failure.passed_on;
  Error error = what_failed(status, name);
  run.host->answers_error(error.text, passed_on);
  return error;
}

Error Engine::Interpreter::what_failed(int status, std::string_view name) {
  if (is_stopped(L, status)) {
    if (run.stop != Stop::killed) return stop_error(run);
    run.failure.text = "ERR Script killed by user with SCRIPT KILL...";
    return placed_failure(name);
  }
  if (status != LUA_ERRRUN) {  // an error in the error handler itself
    const std::string_view message = lua_isstring(L, -1) != 0 ? text_at(L, -1) : "execution failure";
    return Error{one_line("ERR Error running script " + std::string(name) + ", " + std::string(message))};
  }
  return placed_failure(name);
}

// What was noted of the failure, with the place in the script.
Error Engine::Interpreter::placed_failure(std::string_view name) {
  std::string text = run.failure.text;
  if (!run.failure.source.empty()) {
    text += " script: " + std::string(name) + ", on " + run.failure.source + ":" +
            std::to_string(run.failure.line) + ".";
  }
  run.failure = {};
  return Error{one_line(text)};
}

void Engine::Interpreter::forget_scripts() {
  VERIFY(run.host == nullptr);
  if (chunks.empty()) return;
  for (Chunk& chunk : chunks) {
    luaL_unref(L, LUA_REGISTRYINDEX, chunk.ref);
    luaL_unref(L, LUA_REGISTRYINDEX, chunk.direct_globals);  // LUA_NOREF is nothing to give back
    chunk.keys.release(L);
    chunk.args.release(L);
  }
  chunks.clear();
  by_sha1.clear();
  by_text.clear();
  lua_gc(L, LUA_GCCOLLECT, 0);
  memory_at_rest = run.memory_used;
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

const LoadedScript* Engine::load(std::string_view text, Error& problem) {
  return interpreter_->load(text, problem);
}

Reply Engine::load(std::string_view text) {
  Error problem;
  const LoadedScript* const script = interpreter_->load(text, problem);
  return script != nullptr ? Reply(Status{script->sha1}) : Reply(std::move(problem));
}

const LoadedScript* Engine::find(std::string_view sha1) const { return interpreter_->find(sha1); }

Reply Engine::eval(const LoadedScript& script, std::span<const std::string_view> keys,
                   std::span<const std::string_view> args, Host& host) {
  return interpreter_->eval(interpreter_->chunks[script.number], keys, args, host);
}

Reply Engine::eval(std::string_view sha1, std::span<const std::string_view> keys,
                   std::span<const std::string_view> args, Host& host) {
  const LoadedScript* const script = find(sha1);
  if (script == nullptr) return Error{"NOSCRIPT No matching script. Please use EVAL."};
  return eval(*script, keys, args, host);
}

void Engine::forget_scripts() { interpreter_->forget_scripts(); }

Reply Engine::load_library(std::string_view code, Library& library) {
  const auto header = read_library_header(code);
  if (const auto* error = std::get_if<Error>(&header)) return *error;
  const auto& known = interpreter_->libraries;
  if (const auto same = known.find(sha1_hex(code)); same != known.end()) {
    library = same->second.library;
    return Status{library.digest};
  }
  return interpreter_->load_library(code, std::get<LibraryHeader>(header), library);
}

bool Engine::knows_library(std::string_view digest) const { return interpreter_->libraries.contains(digest); }

Reply Engine::call_function(std::string_view digest, std::string_view function,
                            std::span<const std::string_view> keys, std::span<const std::string_view> args,
                            Host& host) {
  const auto known = interpreter_->libraries.find(digest);
  const auto is_meant = [&](const Function& each) { return each.name == function; };
  if (known == interpreter_->libraries.end() ||
      std::ranges::none_of(known->second.library.functions, is_meant))
    return Error{"ERR Function not found"};
  return interpreter_->call_function(known->second, function, keys, args, host);
}

int Engine::line() const { return innermost_line(interpreter_->L).currentline; }
std::string_view Engine::library() { return is_lua54 ? "Lua 5.4" : "Lua 5.1"; }

}  // namespace lockstep::lua
