// long_script.h: a script that has run for longer than busy-reply-threshold, as the commands see it that a
// server takes meanwhile (Redis script.c, scriptInterrupt; server.c, processCommand).
//
// While it runs, others may be told that the server is busy, and end it. In the model a script is one step;
// only who runs a node in real time can look at it from within.
#pragma once

#include <cstdint>
#include <string>

#include "model/wire.h"

namespace lockstep::redis {

struct LongScript {
  bool is_function = false;
  std::string name;        // the script's SHA1, or the function's name
  model::Command command;  // that called it
  std::int64_t running_ms = 0;
  bool has_written = false;  // then it cannot be killed
};

}  // namespace lockstep::redis
