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

  /// Whether what the script answers goes to a client that chose RESP3.
  virtual bool answers_in_resp3() const { return false; }

  /// The script answers an error, as a whole or within a table. `passed_on`: as a command had answered it.
  virtual void answers_error(std::string_view text, bool passed_on) {
    static_cast<void>(text), static_cast<void>(passed_on);
  }

  /// Whether there is a command of this name, with its subcommand, whatever its arguments
  /// (redis.acl_check_cmd).
  virtual bool has_command(std::span<const std::string_view> words) {
    static_cast<void>(words);
    return true;
  }
};

}  // namespace lockstep::lua
