// line_watch.h: an overseer that is told on which lines a script goes, for pictures of what was run.
//
// Shipped scripts are one line each, so it may have a script compiled in another layout: the same words with
// other line ends. Digests, replies and effects are those of the script as it is; only the numbers of lines
// differ, in Engine::line and in the texts of errors that name one.
#pragma once

#include <string>
#include <string_view>

#include "lua/engine/overseer.h"

namespace lockstep::lua {

class LineWatch : public Overseer {
 public:
  /// What is compiled for `body`, a script without its shebang. Called again for the same text at any time.
  virtual std::string laid_out(std::string_view body) = 0;
  /// The script that began last comes to another line, or back to the same by a loop. Functions that a script
  /// defines tell their lines as well.
  virtual void at_line(int line) = 0;
};

}  // namespace lockstep::lua
