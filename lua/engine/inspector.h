// inspector.h: who is told of each library function that looks into texts, with what it was given and what it
// found.
//
// A value that a script gets cannot be followed through Lua. But there are few functions that read a text, or
// ask a server, instead of handing a text on: two runs in which all of them were given the same and found the
// same cannot differ. An engine with an inspector is slower, and errors name no line; replies and effects are
// the same.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace lockstep::lua {

/// One call. Values are as a text each: a string behind `'`, a number with 17 digits, a table in braces.
struct Inspected {
  std::string function;  // "string.sub", "redis.call"; "string.gmatch()" is what that function answers
  std::vector<std::string> arguments;
  std::string found;

  bool operator==(const Inspected&) const = default;
  static auto fields(auto& i) { return std::tie(i.function, i.arguments, i.found); }
};

class Inspector {
 public:
  virtual ~Inspector() = default;
  /// A call returned; one that raises an error is not told.
  virtual void called(Inspected call) = 0;
};

}  // namespace lockstep::lua
