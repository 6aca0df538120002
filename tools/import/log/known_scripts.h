// known_scripts.h: which lock script a text or a SHA1 of a log is.
//
// Known are all scripts that come with the program, and those of a set that the user names. Of several sets
// that have the scripts of a log, the one that has most of them is taken for the client's.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/client/lock_kind.h"
#include "scenarios/format/script_reader.h"

namespace lockstep::tools {

/// A script that a kind of lock sends.
struct KnownScript {
  const lua::Script* script = nullptr;
  const model::LockKind* kind = nullptr;
  const model::Role* role = nullptr;
};

class KnownScripts {
 public:
  /// Both must outlive it.
  KnownScripts(const scenarios::ScriptLibrary& library, const lua::ScriptSet* of_user);

  const KnownScript* find(const std::string& sha1) const;
  /// The set that has most of these scripts; an empty one if none has any.
  lua::ScriptSet set_with(const std::set<std::string>& sha1s) const;

 private:
  void add(const lua::Script& script);

  const scenarios::ScriptLibrary& library_;
  const lua::ScriptSet* of_user_;
  std::map<std::string, KnownScript> by_sha1_;
};

}  // namespace lockstep::tools
