// main.cpp: the program `lockstep`. Reads the command line, runs one command, reports its exit code.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "tools/cli/command_line.h"
#include "tools/cli/presets.h"
#include "tools/cli/work_watch.h"

using namespace lockstep::tools;

namespace {

ExitCode carry_out(const Invocation& invocation) {
  const GlobalOptions& global = invocation.global;
  std::error_code error;
  if (!global.directory.empty()) std::filesystem::current_path(global.directory, error);
  if (error) {
    std::cerr << "lockstep: -C " << global.directory << ": " << error.message() << '\n';
    return ExitCode::usage;
  }
  Console console{.out = std::cout,
                  .err = std::cerr,
                  .colour_out = wants_colour(global.colour, surroundings_of(1)),
                  .colour_err = wants_colour(global.colour, surroundings_of(2)),
                  .quiet = global.quiet,
                  .terminal_err = surroundings_of(2).terminal && !surroundings_of(2).dumb,
                  .progress = global.progress};
  Session session{console, global};
  return invocation.request->carry_out(session);
}

}  // namespace

int main(int argc, char** argv) {
  const auto parsed = parse(std::vector<std::string>(argv + std::min(argc, 1), argv + argc),
                            presets_around());
  ExitCode code = ExitCode::as_expected;
  if (const auto* exit = std::get_if<Exit>(&parsed)) {
    std::cout << exit->out;
    std::cerr << exit->err;
    code = exit->code;
  } else {
    code = carry_out(std::get<Invocation>(parsed));
  }
  if (!std::cout.flush()) {
    std::cerr << "lockstep: standard output cannot be written\n";
    return status(ExitCode::usage);
  }
  return InterruptWatch::status_of(code);
}
