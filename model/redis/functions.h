// functions.h: the libraries of functions that a server knows (Redis functions.c): persisted and replicated,
// unlike scripts.
//
// The text is what counts; what it registers is kept beside it because FUNCTION LIST tells it and FCALL asks
// for it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "sim/base/fields.h"

namespace lockstep::redis {

struct Function {
  std::optional<std::string> description;
  std::string flags;  // their names, with blanks between them
  bool operator==(const Function&) const = default;
  static auto fields(auto& f) { return std::tie(f.description, f.flags); }
};
static_assert(sim::State<Function>);

struct Library {
  std::string code;                                        // with its shebang
  std::string digest;                                      // of the code: what engines know it by
  std::map<std::string, Function, std::less<>> functions;  // by name; no name is in two libraries
  bool operator==(const Library&) const = default;
  static auto fields(auto& l) { return std::tie(l.code, l.digest, l.functions); }
};
static_assert(sim::State<Library>);

using Functions = std::map<std::string, Library, std::less<>>;  // by name

}  // namespace lockstep::redis
