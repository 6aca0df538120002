// divergence.h: where and how a system no longer does what a trail says.
//
// A trail diverges when it was made with another scenario, other scripts or another build, when it was
// edited, or when the system is not a function of its decisions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/trail/trail.h"

namespace lockstep::sim {

struct Divergence {
  std::size_t step = 0;
  std::string move;                  // what the trail takes there
  std::optional<Choice> choice;      // and at which place of how many
  std::vector<std::string> enabled;  // what may happen instead, in order
  bool operator==(const Divergence&) const = default;
};

/// Several lines for people: what the trail takes, what is wrong with that, and what is enabled.
std::string text_of(const Divergence& divergence);

}  // namespace lockstep::sim
