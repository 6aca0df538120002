// bare_loop.h: the yardstick of `lockstep bench`: what bare Lua needs for the two scripts of a lock.
//
// The exact script texts run in a plain interpreter with the standard libraries and nothing of Lockstep: no
// sandbox, no limits, no dialect, no store. KEYS and ARGV are two tables that are used again and again; each
// eval writes its words into them. redis.call reads none of its arguments and answers the whole numbers that
// lead down the granted path. Whatever runs these scripts for a purpose can only be slower than this.
#pragma once

#include <memory>
#include <span>
#include <string_view>

namespace lockstep::lua {

class BareLoop {
 public:
  enum class Which { acquire, release };
  enum class Outcome { nil, number, failed };

  /// Takes the texts of scripts that make these seven calls on the granted path, in turns: exists, hset,
  /// pexpire; hexists, hincrby, del, publish.
  BareLoop(std::string_view acquire, std::string_view release);
  ~BareLoop();
  BareLoop(const BareLoop&) = delete;
  BareLoop& operator=(const BareLoop&) = delete;

  /// What the script returned.
  Outcome eval(Which which, std::span<const std::string_view> keys, std::span<const std::string_view> args);

 private:
  struct Interpreter;
  std::unique_ptr<Interpreter> interpreter_;
};

}  // namespace lockstep::lua
