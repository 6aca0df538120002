// session.h: what every command is given besides its own options.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/result.h"
#include "tools/cli/console.h"
#include "tools/cli/exit_code.h"

namespace lockstep::tools {

enum class Format { human, json };

/// The options that every command takes.
struct GlobalOptions {
  bool quiet = false;
  ColourWish colour = ColourWish::automatic;
  std::string out_file;       // -o; empty: the command's default
  std::string out_dir = "out";  // counterexamples, traces and diagrams
  std::string directory;        // -C; empty: where it was started
  std::string config;           // a file of options; empty: lockstep.toml, found upwards; "none"
  ProgressWish progress = ProgressWish::automatic;
  bool no_input = false;  // nobody is there to answer
};

struct Session {
  Console& console;
  GlobalOptions global;
};

/// Says what is wrong with something that the user brought.
inline ExitCode complain(Session& session, const sim::Problem& problem) {
  const bool complete = problem.text.starts_with("error: ");
  session.console.err << (complete ? "" : "error: ") << problem.text << '\n';
  return ExitCode::usage;
}

}  // namespace lockstep::tools
