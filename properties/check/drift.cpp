#include "properties/check/drift.h"

#include <algorithm>
#include <bit>

namespace lockstep::properties {

void Drift::note(const std::string& where, sim::Duration ahead) {
  Series& its = all_[where];
  its.farthest = its.count == 0 ? ahead : std::max(its.farthest, ahead);
  if (std::has_single_bit(++its.count)) its.after.push_back(its.farthest);
}

std::optional<Drift::Found> Drift::found() const {
  std::optional<Found> farthest;
  for (const auto& [where, its] : all_) {
    if (its.count < enough) continue;
    const sim::Duration before = its.after[its.after.size() - 2];  // of a quarter to a half of them
    if (its.farthest > before && (!farthest || its.farthest > farthest->ahead))
      farthest = Found{where, its.farthest};
  }
  return farthest;
}

}  // namespace lockstep::properties
