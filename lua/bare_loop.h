// bare_loop.h: the yardstick of `lockstep bench`: what bare Lua needs for the two scripts of a lock.
//
// The exact script texts run in a plain interpreter with the standard libraries and nothing of Lockstep: no sandbox, no
// limits, no dialect, no store. KEYS and ARGV are set once. redis.call reads none of its arguments and answers the whole
// numbers that lead down the granted path. Whatever runs these scripts for a purpose can only be slower than this.
#pragma once

#include <memory>
#include <string_view>

namespace lockstep::lua {

class BareLoop {
 public:
  /// The texts of an acquire that answers nil and a release that answers 1 on the granted path, and which calls they
  /// make there (7 of them): exists, hset, pexpire; hexists, hincrby, del, publish.
  BareLoop(std::string_view acquire, std::string_view release);
  ~BareLoop();
  BareLoop(const BareLoop&) = delete;
  BareLoop& operator=(const BareLoop&) = delete;

  /// Runs both scripts once. Returns whether the lock was granted and released.
  bool pair();

 private:
  struct Interpreter;
  std::unique_ptr<Interpreter> interpreter_;
};

}  // namespace lockstep::lua
