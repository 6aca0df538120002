// suggest.h: the known word that a misspelt one probably meant, as a clause behind a sentence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/suggest.h"

namespace lockstep::tools {

/// "; did you mean `check`?", or nothing.
inline std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string clause = scenarios::did_you_mean(word, candidates);
  return clause.empty() ? "" : "; " + clause;
}

}  // namespace lockstep::tools
