// monitor.h: the commands that a server runs, as MONITOR prints them.
//
// A line is: time [database client] "word" "word" …; commands that a script ran have `lua` for the client.
// Words are quoted as Redis's sdscatrepr does it: \" \\ \n \r \t \a \b, and \x with two digits for the rest.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "tools/differential/connection.h"

namespace lockstep::differential {

struct MonitorLine {
  bool from_script = false;
  model::Command command;
};

MonitorLine parse_monitor_line(std::string_view line);

/// Prints what every client of one server runs, from its making on.
class Monitor {
 public:
  explicit Monitor(std::unique_ptr<Connection> connection);

  /// What scripts ran since the last time, up to a command that is exactly `end`, which a client has sent.
  std::vector<model::Command> script_calls_until(const model::Command& end);

 private:
  std::unique_ptr<Connection> connection_;
};

}  // namespace lockstep::differential
