// mutate.h: each script that scenarios send, and the client, with one mistake at a time: which scenario
// notices?
//
//   1. Every scenario is asked as it is. What is not as it expects then can notice nothing, and is left out.
//   2. Each mutant is put in place of its script in every scenario that sent this, one after the other, until
//      a verdict is not as expected. A scenario is searched no further than to its first such violation.
//   3. What no scenario noticed is put to `diff` beside the original.
//
// A script that no scenario sent has no mutants. Nothing here depends on how long anything takes, but where a
// time limit is given.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "tools/gate/judged.h"
#include "tools/gate/sides.h"
#include "tools/mutate/mutation_score.h"

namespace lockstep::tools {

struct MutateRequest {
  std::vector<std::string> scenarios;  // each one instance
  std::vector<std::string> scripts;    // words of --scripts
  std::vector<std::string> roles;      // whose scripts are changed, and "client"; empty: all
  bool knobs = false;                  // also those of the client that releases have
  /// Of a mutant, in each scenario; absent: eight times as many as the scenario has, and 20,000 more.
  std::optional<std::uint64_t> mutant_states_max;
  std::uint64_t pairs_max = 50'000;  // of the comparison
  std::string program;               // which build this is; empty: unknown
  properties::CheckOptions options;
};

/// `decided` is called behind each mutant whose fate is known, so that what was learned can be put away.
using MutantDecided = std::function<void()>;
sim::Result<MutationScore> mutate(const MutateRequest& request, KeptResults& kept, const BeginCheck& begin,
                                  const MutantDecided& decided = [] {});

/// What of a scenario's verdicts is not as it expects; nothing of `unknown`.
struct Unexpected {
  std::string what;
  std::uint64_t decisions = 0;
};
std::optional<Unexpected> unexpected_in(const model::Setup& setup, const Judged& judged);

}  // namespace lockstep::tools
