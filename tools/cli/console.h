// console.h: where a command prints, and in which colours.
//
// Results go to `out`, messages to `err`. Colour is decided for each of the two by itself: --color wins;
// otherwise NO_COLOR and TERM=dumb switch it off, CLICOLOR_FORCE or FORCE_COLOR switch it on, and a terminal
// gets it, but not one of those that mpirun gives its processes, behind which may be anything. Colour never
// carries a meaning alone; a word or a sign says the same.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace lockstep::tools {

enum class ColourWish { automatic, always, never };

/// What the surroundings say about one stream.
struct Surroundings {
  bool terminal = false;
  bool no_color = false;  // NO_COLOR is set and not empty
  bool dumb = false;      // TERM=dumb
  bool forced = false;    // CLICOLOR_FORCE or FORCE_COLOR is set, not empty and not 0
};

/// Reads the environment; `descriptor` is 1 for standard output, 2 for standard error.
Surroundings surroundings_of(int descriptor);

bool wants_colour(ColourWish wish, const Surroundings& around);

/// How far long work is, on standard error: on one line that is written over, line by line, or as JSON.
enum class ProgressWish { automatic, bar, lines, jsonl, none };

struct Console {
  std::ostream& out;
  std::ostream& err;
  bool colour_out = false;
  bool colour_err = false;
  bool quiet = false;  // -q: verdicts and results only
  bool terminal_err = false;  // somebody sees `err` while it is written
  ProgressWish progress = ProgressWish::automatic;
};

}  // namespace lockstep::tools
