// host.h: all of the world that a script can touch.
//
// The script engine knows nothing of Redis. redis.call and redis.pcall hand their words to the Host and get a
// Reply back; an Error reply is raised by call and returned as a table by pcall. model/redis implements it;
// tests fake it.
#pragma once

#include <span>
#include <string_view>

#include "lua/engine/reply.h"

namespace lockstep::lua {

class Host {
 public:
  virtual ~Host() = default;

  /// Runs one command. `words` is never empty, and each word lives only for the duration of the call. Errors
  /// are replies.
  virtual Reply call(std::span<const std::string_view> words) = 0;

  /// redis.set_repl: who gets the effects of the commands that follow, for the rest of this eval. Bits: 1 the
  /// append-only file, 2 the replicas. An eval begins with both.
  virtual void set_repl(unsigned mode) { static_cast<void>(mode); }

  /// Whether there is a command of this name, with its subcommand, whatever its arguments
  /// (redis.acl_check_cmd).
  virtual bool has_command(std::span<const std::string_view> words) {
    static_cast<void>(words);
    return true;
  }
};

}  // namespace lockstep::lua
