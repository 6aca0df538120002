// places.h: which role a script of Redisson's plays, and which words of the client's stand for its KEYS and
// ARGV.
//
// The role follows from class and method, the words from the Java expressions. Both are tables, and both
// are held against the lock kinds of this program: a script is placed if a kind has its role and fills all of
// its words, if its text is certain, compiles, and is the only one that claims the role. Everything else is
// left out with a reason.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/client/lock_kind.h"
#include "tools/import/found_script.h"

namespace lockstep::tools {

struct PlacedScript {
  const FoundScript* found = nullptr;
  std::string role;
  std::vector<std::string> keys, args;   // words of the client's
  std::vector<const FoundScript*> also;  // other calls that send the same
};

struct LeftOut {
  const FoundScript* found = nullptr;
  std::string why;  // a clause
};

struct Placement {
  std::vector<PlacedScript> placed;  // by role
  std::vector<LeftOut> left_out;     // of locks, in the order of the sources
};

Placement place_scripts(const std::vector<FoundScript>& found, std::span<const model::LockKind* const> kinds);

/// Whether scripts of the role have a place in Redisson's sources that is known here.
bool has_place(std::string_view role);

}  // namespace lockstep::tools
