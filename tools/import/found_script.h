// found_script.h: a script that Java sources hand to one of Redisson's eval… methods, and how it is found.
//
// Found is every call whose method is called eval… or …Eval… and has a script among its arguments:
// evalWriteAsync, evalWriteSyncedNoRetryAsync, commandExecutor.syncedEval and their kin. Where the text is
// not certain from the source, `why` says so; no call is passed over in silence, also none in code that is
// not understood. Methods that only hand their own script on to another eval… method are seen through.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/import/java/program.h"

namespace lockstep::tools {

/// What stands for one of KEYS or ARGV.
struct JavaWord {
  std::string shown;                 // "getLockName(threadId)"
  std::optional<std::string> value;  // if the source says what it is
  bool each = false;                 // there are any number of them, a loop puts them in
  bool operator==(const JavaWord&) const = default;
  std::string told() const { return each ? "each " + shown : shown; }
};

struct FoundScript {
  std::string path;
  std::uint32_t line = 0;
  std::string type, method;        // "RedissonLock", "tryLockInnerAsync"; empty: outside of any method
  std::string called;              // "evalWriteAsync"
  std::vector<std::string> under;  // what was decided: "command == RedisCommands.EVAL_LONG", "not (fair)"
  std::string answer;              // how the reply is read: "RedisCommands.EVAL_BOOLEAN"
  std::optional<std::string> text;
  std::string why;  // without a text
  std::optional<std::vector<JavaWord>> keys, args;
  bool of_lock = false;  // its class is a lock's

  /// "RedissonLock.tryLockInnerAsync if command == RedisCommands.EVAL_LONG"
  std::string name() const;
};

/// In the order of files and lines.
std::vector<FoundScript> find_scripts(const java::Program& program);

}  // namespace lockstep::tools
