// random_scripts.h: random Lua scripts made of Redis commands.
//
// A script calls commands with arguments from KEYS, ARGV, literals and earlier results, by redis.call,
// redis.pcall and pcall, inside conditions and loops, and returns what it has in every shape that becomes a
// reply. What FIDELITY.md names as a departure of Lua 5.4 is not written: the result of a division is not
// concatenated, numbers stay below 2^53, nothing walks a table with pairs. Nor is error({}), with a table
// that has no `err`: it ends Redis 7.0.15.
#pragma once

#include <string>
#include <vector>

#include "tools/differential/random_steps.h"

namespace lockstep::differential {

std::string random_script(Dice& dice);

/// Sequences in which clients write, run and forget scripts.
class ScriptSteps {
 public:
  /// The next step. The scripts that it has sent before may be asked for by their SHA1.
  Step next(Dice& dice, const redis::testing::TestClient& model);

 private:
  model::Command script_command(Dice& dice);
  std::string some_sha1(Dice& dice) const;

  std::vector<std::string> texts_;
};

}  // namespace lockstep::differential
