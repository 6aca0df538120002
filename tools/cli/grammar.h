// grammar.h: the words of the command line: every verb with its options, as CLI11 reads them.
//
// The table describes verbs whether this build offers them or not; main.cpp says which it offers. The rows
// are in the order in which the usage lists them, which is also the order of the alternatives of Request.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tools/cli/requests.h"

namespace CLI {
class App;
}

namespace lockstep::tools {

struct VerbGrammar {
  std::string_view name;
  std::string_view summary;                       // completes "lockstep check: …"
  std::string_view usage;                         // behind "lockstep check "
  std::vector<std::string_view> examples;         // whole command lines
  std::vector<std::string_view> required;         // positionals that must be given
  void (*declare)(CLI::App& app, AllOptions& into);
  Request (*pick)(const AllOptions& from);
};

std::span<const VerbGrammar> grammar();

/// The row of a verb, or nullptr.
const VerbGrammar* find_verb(std::string_view name);

/// The verb that takes these options.
std::string_view verb_name(const Request& request);

/// What cannot be said by declaring options: rules between them. Empty if all is well.
std::string complaint(const Request& request);

/// Options that every verb takes.
void declare_global(CLI::App& app, GlobalOptions& into);

}  // namespace lockstep::tools
