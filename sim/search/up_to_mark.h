// up_to_mark.h: takes out of tables (learned.h) what is behind their mark.
#pragma once

#include <cstdint>
#include <utility>

#include "sim/search/learned.h"

namespace lockstep::sim {

/// A search that was ended within a level knows some states of the next one.
inline Learned up_to_mark(Learned learned) {
  const Learned::Mark& mark = learned.mark;
  learned.broken.resize(mark.broken);
  for (std::vector<bool>& ended : learned.ended) ended.resize(mark.states);
  if (learned.parents.size() > mark.states) {
    DigestSet seen;
    Parents parents;
    for (std::uint32_t state = 0; state < mark.states; ++state) {
      seen.insert(learned.seen.keys()[state]);
      parents.add(learned.parents.from(state), learned.parents.chosen(state));
    }
    learned.seen = std::move(seen);
    learned.parents = std::move(parents);
  }
  if (learned.edges.size() > mark.edges) {
    Edges edges;
    for (std::uint32_t state = 0; state < mark.level; ++state)
      for (Edges::OfState its = learned.edges.of(state); !its.is_at_end();) {
        const Edges::Edge edge = its.take();
        edges.add(state, edge.to, edge.timeless);
      }
    learned.edges = std::move(edges);
  }
  return learned;
}

}  // namespace lockstep::sim
