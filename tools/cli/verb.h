// verb.h: what a command is: a row of texts, its options, and the function that carries it out.
//
// cmd_VERB.h holds the options of a verb, cmd_VERB.cpp its row and its function, and verbs.cpp the table.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/grammar.h"

namespace lockstep::tools {

/// What one command line asks for.
class Request {
 public:
  virtual ~Request() = default;
  virtual void declare(Grammar& grammar) = 0;
  virtual std::string complaint() const = 0;
  virtual ExitCode carry_out(Session& session) const = 0;
};

/// The functions of a verb whose options are this struct.
template <class Options>
struct VerbFunctions {
  void (*declare)(Grammar& grammar, Options& into);
  ExitCode (*run)(const Options& options, Session& session);
  /// Rules between options, which declaring them cannot say; empty if all is well.
  std::string (*complaint)(const Options& options) = [](const Options&) { return std::string(); };
};

template <class Options>
struct RequestWith final : Request {
  explicit RequestWith(const VerbFunctions<Options>& of) : functions(of) {}
  void declare(Grammar& grammar) override { functions.declare(grammar, options); }
  std::string complaint() const override { return functions.complaint(options); }
  ExitCode carry_out(Session& session) const override { return functions.run(options, session); }

  VerbFunctions<Options> functions;
  Options options;
};

using NewRequest = std::function<std::shared_ptr<Request>()>;

template <class Options>
NewRequest requests(const VerbFunctions<Options>& functions) {
  return [functions] { return std::make_shared<RequestWith<Options>>(functions); };
}

struct Verb {
  std::string_view name;
  std::string_view summary;                // completes "lockstep check: …"
  std::string_view usage;                  // behind "lockstep check "
  std::vector<std::string_view> examples;  // whole command lines
  std::vector<std::string> required;       // positionals that must be given
  NewRequest request;                      // with the defaults of all options
};

/// In the order in which the usage lists them.
std::span<const Verb> verbs();

}  // namespace lockstep::tools
