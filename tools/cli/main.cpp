// main.cpp: the program `lockstep`. Reads the command line, runs one command, reports its exit code.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "tools/cli/command_line.h"
#include "tools/cli/grammar.h"
#include "tools/cli/verb.h"

using namespace lockstep::tools;

namespace {

// The commands of this program; a new one is one line.
const std::vector<Verb> verbs{
    verb("check", run_check),
    verb("run", run_run),
    verb("replay", run_replay),
    verb("shrink", run_shrink),
    verb("eval", run_eval),
    verb("serve", run_serve),
    verb("trace", run_trace),
    verb("graph", run_graph),
    verb("lint", run_lint),
    verb("list", run_list),
    verb("bench", run_bench),
    verb("help", run_help),
    verb("version", run_version),
};

std::vector<std::string> offered() {
  std::vector<std::string> names;
  for (const Verb& each : verbs) names.push_back(each.name);
  return names;
}

ExitCode carry_out(const Invocation& invocation) {
  const GlobalOptions& global = invocation.global;
  Console console{.out = std::cout,
                  .err = std::cerr,
                  .colour_out = wants_colour(global.colour, surroundings_of(1)),
                  .colour_err = wants_colour(global.colour, surroundings_of(2)),
                  .quiet = global.quiet};
  Session session{console, global, offered()};
  const std::string_view name = verb_name(invocation.request);
  const auto found =
      std::find_if(verbs.begin(), verbs.end(), [name](const Verb& v) { return v.name == name; });
  return found->run(invocation.request, session);
}

}  // namespace

int main(int argc, char** argv) {
  const auto parsed = parse(std::vector<std::string>(argv + std::min(argc, 1), argv + argc), offered());
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
  return status(code);
}
