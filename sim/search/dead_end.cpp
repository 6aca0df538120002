#include "sim/search/dead_end.h"

#include <algorithm>

namespace lockstep::sim {

/// From the last state to the first, again until nothing changes: most moves lead to states that were met
/// later, so a few rounds do.
std::optional<std::uint32_t> first_dead_end(const Edges& edges, const std::vector<bool>& finished) {
  std::vector<bool> ends = finished;
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t i = ends.size(); i-- > 0;) {
      if (ends[i]) continue;
      const auto state = static_cast<std::uint32_t>(i);
      for (std::size_t edge = edges.begin_of(state); edge < edges.end_of(state) && !ends[i]; ++edge)
        ends[i] = ends[edges.to(edge)];
      grown = grown || ends[i];
    }
  }
  const auto first = std::find(ends.begin(), ends.end(), false);
  if (first == ends.end()) return std::nullopt;
  return static_cast<std::uint32_t>(first - ends.begin());
}

}  // namespace lockstep::sim
