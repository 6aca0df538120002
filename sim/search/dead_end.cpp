#include "sim/search/dead_end.h"

#include <vector>

namespace lockstep::sim {

/// From the last state to the first, again until nothing changes: most moves lead to states that were met
/// later, so a few rounds do. After the first round only the states that are left are looked at.
std::optional<std::uint32_t> first_dead_end(const Edges& edges, const std::vector<bool>& finished) {
  std::vector<char> ends(finished.begin(), finished.end());
  const auto leads_to_end = [&](std::uint32_t state) {
    for (Edges::OfState its = edges.of(state); !its.is_at_end();)
      if (ends[its.take().to] != 0) return true;
    return false;
  };
  const auto count = static_cast<std::uint32_t>(ends.size());
  std::uint32_t left_count = 0;
  for (std::uint32_t state = count; state-- > 0;)
    if (ends[state] == 0 && !leads_to_end(state)) ++left_count;
    else ends[state] = 1;
  std::vector<std::uint32_t> left;  // descending
  left.reserve(left_count);
  for (std::uint32_t state = count; state-- > 0;)
    if (ends[state] == 0) left.push_back(state);
  for (bool grown = true; grown && !left.empty();) {
    const std::size_t before = left.size();
    std::erase_if(left, [&](std::uint32_t state) {
      ends[state] = leads_to_end(state) ? 1 : 0;
      return ends[state] != 0;
    });
    grown = left.size() != before;
  }
  if (left.empty()) return std::nullopt;
  return left.back();
}

}  // namespace lockstep::sim
