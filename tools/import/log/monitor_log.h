// monitor_log.h: what `redis-cli MONITOR` printed, line by line.
//
//   1568357723.205362 [0 127.0.0.1:56419] "EVAL" "return 1" "0"     time [database client] "word" …
//   1568357723.205452 [0 lua] "exists" "orders"                     what a script called
//
// Words are quoted as Redis's sdscatrepr does it: \" \\ \n \r \t \a \b, and \x with two digits for the
// rest. Blank lines, the `OK` that MONITOR answers first, and remarks (from a # on, at the beginning of a
// line or behind its last word) are no commands and are counted. A last line without its end is left out
// and said. Any other line that is none of these is a mistake, told with its place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/wire.h"
#include "sim/base/result.h"

namespace lockstep::tools {

struct MonitorCommand {
  std::size_t line = 0;      // from 1
  std::int64_t time_us = 0;  // since 1970
  std::uint8_t database = 0;
  std::string client;  // "127.0.0.1:56419"; of what a script called: "lua"
  model::Command words;

  bool of_script() const { return client == "lua"; }
};

struct MonitorLog {
  std::vector<MonitorCommand> commands;
  std::size_t remarks = 0;
  std::size_t set_back = 0;  // lines with a time before the one above, which is taken instead
  bool cut = false;          // the last line was not whole
};

/// `name` is what an error calls the file.
sim::Result<MonitorLog> read_monitor_log(std::string_view text, const std::string& name);

}  // namespace lockstep::tools
