// host.h: all of the world that a script can touch.
//
// The script engine knows nothing of Redis. redis.call and redis.pcall hand their words to the Host and get a
// Reply back; an Error reply is raised by call and returned as a table by pcall. model/redis implements it;
// tests fake it.
#pragma once

#include <span>
#include <string_view>

#include "lua/reply.h"

namespace lockstep::lua {

class Host {
 public:
  virtual ~Host() = default;

  /// Runs one command. `words` is never empty, and each word lives only for the duration of the call. Errors
  /// are replies.
  virtual Reply call(std::span<const std::string_view> words) = 0;
};

}  // namespace lockstep::lua
