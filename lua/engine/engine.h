// engine.h: runs script texts as Redis does, inside an embedded Lua 5.4 (or 5.1, LOCKSTEP_LUA=5.1).
//
// An Engine holds one interpreter and the scripts and libraries compiled in it, keyed by SHA1. It keeps
// nothing from one eval to the next: globals are read-only, KEYS and ARGV are filled anew, and a test shows
// that no state passes. An Engine is used by one thread. Which scripts a *server* knows (its script cache,
// NOSCRIPT) is state of that server, not of the Engine.
//
// Sources: Redis 7.0.15 script_lua.c and eval.c, and a redis-server 7.0.15 that was asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "lua/engine/functions.h"
#include "lua/engine/host.h"
#include "lua/engine/inspector.h"
#include "lua/engine/overseer.h"
#include "lua/engine/reply.h"
#include "lua/sha1.h"
#include "lua/engine/shebang.h"

namespace lockstep::lua {

/// A script that an Engine has compiled, by which it finds it at once; it lives as long as the Engine.
struct LoadedScript {
  std::string sha1;
  ScriptFlags flags;      // what its shebang says
  std::size_t number{};   // among those of its Engine
};

class Engine {
 public:
  struct Options {
    /// VM instructions one eval may run before it is stopped and reported with an error reply that says so.
    std::int64_t steps_max = 10'000'000;

    /// Bytes that the interpreter may hold while a script runs; one eval may allocate 16 times as many in
    /// all. A script that wants more is stopped in the same way.
    std::size_t memory_max = std::size_t{256} << 20;

    /// If given, it decides how long a script runs, instead of steps_max. It outlives the engine.
    Overseer* overseer = nullptr;

    /// If given, it is told what scripts look into. It outlives the engine.
    Inspector* inspector = nullptr;
  };

  Engine();
  explicit Engine(Options options);
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  /// Compiles `text` unless it is compiled already. Returns nullptr and writes the Error that Redis would
  /// answer ("ERR Error compiling script (new function): user_script:1: …") if it does not compile.
  const LoadedScript* load(std::string_view text, Error& problem);

  /// The same as a reply: a Status whose text is the SHA1, or the Error.
  Reply load(std::string_view text);

  /// A script that was loaded before, or nullptr.
  const LoadedScript* find(std::string_view sha1) const;

  /// Runs a script. Its errors come back as Error replies with Redis's texts. The host must not throw.
  Reply eval(const LoadedScript& script, std::span<const std::string_view> keys,
             std::span<const std::string_view> args, Host& host);

  /// The same by the SHA1; a script that was not loaded is answered with Redis's NOSCRIPT error.
  Reply eval(std::string_view sha1, std::span<const std::string_view> keys,
             std::span<const std::string_view> args, Host& host);

  /// Forgets every script, not the libraries, and gives their memory back. Pointers to scripts end with it.
  void forget_scripts();

  /// Runs the body of a library (functions.h), shebang included, unless its digest is known. Returns a Status
  /// whose text is the digest and fills `library`, or the Error that FUNCTION LOAD would answer. Whether the
  /// names are taken on a server is not asked here.
  Reply load_library(std::string_view code, Library& library);

  bool knows_library(std::string_view digest) const;

  /// Runs a function, named exactly as it was registered, of a library that was loaded before. As eval
  /// otherwise.
  Reply call_function(std::string_view digest, std::string_view function,
                      std::span<const std::string_view> keys, std::span<const std::string_view> args,
                      Host& host);

  /// The line of the script that the host is being called from; 0 outside of a call.
  int line() const;

  /// "Lua 5.4" or "Lua 5.1": which library this build embeds.
  static std::string_view library();

 private:
  struct Interpreter;
  std::unique_ptr<Interpreter> interpreter_;
};

}  // namespace lockstep::lua
