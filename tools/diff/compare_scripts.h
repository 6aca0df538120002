// compare_scripts.h: whether two sets of lock scripts can be told apart, by a search of all that calls lead
// to.
//
// Breadth first over pairs of servers that are driven by the same calls (driven_pair.h), so the sequence that
// shows a difference is a shortest one. A difference in the order of messages only, or in what only replicas
// see, is kept, and the search goes on for a greater one. Behind it longer leases and many holds are tried,
// which the search has no room for. How often each line of the changed scripts ran is counted on request.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/client/lock_kind.h"
#include "reports/compare/script_diff.h"
#include "scenarios/format/script_reader.h"
#include "tools/diff/driven_pair.h"

namespace lockstep::tools {

struct CompareLimits {
  std::uint64_t states_max = 50'000;
  std::vector<const model::LockKind*> kinds{};  // only these, and what shares keys with them; empty: all
  bool lines = false;                            // count them
  ReplyReading reading{};
};

/// A set of scripts as a command line names it: SET, DIR, or `role=file` pairs with commas between, which
/// replace scripts of `base`. What they are of, if none is named: the set that scenarios have by default.
sim::Result<lua::ScriptSet> named_scripts(const std::string& word, const std::string& base,
                                          const scenarios::ScriptLibrary& library);
/// Whether the word is `role=file` pairs.
bool is_replacement(const std::string& word);

reports::ScriptDiff compare_scripts(const lua::ScriptSet& a, const lua::ScriptSet& b,
                                    const CompareLimits& limits);

}  // namespace lockstep::tools
