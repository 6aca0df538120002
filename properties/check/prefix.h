// prefix.h: the decisions that [schedule] in a scenario lets each run take first.
//
// They are lines of a trail (sim/trail/trail.h); where no line speaks of a step before the last, the default
// is taken. Whether they fit can only be told by taking them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "properties/check/begun.h"

namespace lockstep::properties {

/// Which line of Setup::prefix cannot be, and why.
struct Misfit {
  std::size_t line = 0;
  std::string why;
};

struct Prefix {
  MadeMoves moves;
  std::optional<Misfit> misfit;
};

Prefix prefix_of(const Setup& setup);
/// Why a scenario's prefix does not fit; nothing if it does.
std::optional<std::string> why_misfit(const Setup& setup, const Prefix& prefix);

}  // namespace lockstep::properties
