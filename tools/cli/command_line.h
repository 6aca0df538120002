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

#include "tools/cli/presets.h"
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

/// `words` are those behind the program's name; `around` has what is set besides them.
std::variant<Invocation, Exit> parse(const std::vector<std::string>& words, const PresetsAround& around = {});

/// An option as it is shown: to people, and to what completes their words.
struct ShownOption {
  std::vector<std::string> names;  // "-o", "--output"; a positional's one name has no dashes
  std::string value;               // "FILE", "bfs|random|pct"; empty: takes none
  std::string about;

  bool positional() const { return names.front().front() != '-'; }
};

/// In the order in which help lists them: the positionals first.
std::vector<ShownOption> options_of(const Verb& verb);
std::vector<ShownOption> options_of_every_verb();

/// What `lockstep` alone prints: examples first, then the verbs.
std::string usage();

/// What `lockstep VERB --help` prints.
std::string verb_help(const Verb& verb);

}  // namespace lockstep::tools
