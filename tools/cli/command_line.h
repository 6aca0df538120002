// command_line.h: from the words of a command line to what is asked for, or to what to print instead.
//
// Nothing is printed and nothing ends the process here. Every mistake is one sentence on standard error and
// exit code 2, with the nearest known word where one was misspelt. Words are never abbreviated: `lockstep
// che` is a mistake.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "tools/cli/verb.h"

namespace lockstep::tools {

struct Invocation {
  GlobalOptions global;
  std::shared_ptr<const Request> request;
};

/// The program ends here: what it prints, and its status.
struct Exit {
  ExitCode code = ExitCode::as_expected;
  std::string out;
  std::string err;
};

/// `words` are those behind the program's name.
std::variant<Invocation, Exit> parse(const std::vector<std::string>& words);

/// What `lockstep` alone prints: examples first, then the verbs.
std::string usage();

/// What `lockstep VERB --help` prints.
std::string verb_help(const Verb& verb);

/// An option as completions and the manual need it.
struct OfferedOption {
  std::vector<std::string> names;    // with their dashes; none: a positional
  std::string value;                 // what it takes, as help shows it; empty: it is a flag
  std::vector<std::string> choices;  // if it takes one of these
  std::string about;
};
/// Of one verb; without it those of every command.
std::vector<OfferedOption> options_of(const Verb* verb);

}  // namespace lockstep::tools
