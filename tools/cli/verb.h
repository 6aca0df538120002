// verb.h: binds a verb's name to the function that carries it out. main.cpp holds the table.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "tools/cli/requests.h"

namespace lockstep::tools {

struct Verb {
  std::string name;
  std::function<ExitCode(const Request&, Session&)> run;
};

template <class Options>
Verb verb(std::string name, ExitCode (*run)(const Options&, Session&)) {
  return {std::move(name), [run](const Request& request, Session& session) {
            return run(std::get<Options>(request), session);
          }};
}

}  // namespace lockstep::tools
