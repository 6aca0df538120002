// overseer.h: the program that runs an engine in real time and decides how long a script may run.
#pragma once

#include <string_view>

namespace lockstep::lua {

class Overseer {
 public:
  virtual ~Overseer() = default;
  enum class Kind { script, function };
  /// A script or a function, named by its SHA1 or its name, begins to run.
  virtual void begin(std::string_view name, Kind kind) = 0;
  /// Asked once in a thousand steps. No: it is ended, with the error of SCRIPT KILL.
  virtual bool goes_on() = 0;
};

}  // namespace lockstep::lua
