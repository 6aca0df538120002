// learned.h: what a search knows between two levels, so that another one can go on from there.
//
// States have no reader. Of those that were met the digest is known, and where each came from; the states of
// the level that comes next are made again, by the decisions that lead to them. Each decision of the tree is
// taken once, and those that lead nowhere near that level are not taken at all.
//
// Tables may know more than was known at the mark, if a search was ended within a level; that is no part of
// it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "sim/search/edges.h"
#include "sim/search/parents.h"
#include "sim/search/seen_set.h"
#include "sim/search/taking.h"
#include "sim/system.h"

namespace lockstep::sim {

struct Learned {
  /// How much was known.
  struct Mark {
    std::uint64_t states = 0, edges = 0, broken = 0;
    std::uint64_t level = 0;  // the number of the first state that is to be expanded
    std::uint64_t transitions = 0, depth = 0, at_rest = 0;
    WitnessMask witnesses = 0;
    bool operator==(const Mark&) const = default;
  };
  Mark mark;
  DigestSet seen;
  Parents parents;
  Edges edges;
  std::vector<std::vector<bool>> ended;                  // by ending (dead_end.h), by state
  std::vector<std::pair<unsigned, std::uint32_t>> broken;  // property, first state that violates it
};

/// What became of making states again.
enum class Remade { all, stopped, misfit };

/// Makes the states from number `level` on again, and calls take(number, state) in their order. `stop` is
/// asked now and then. A misfit is a tree that is none of this system's.
template <System S, class Take, class Stop>
Remade make_again(S& system, const Parents& parents, std::uint32_t level, Take take, Stop stop) {
  using State = typename S::State;
  const auto count = static_cast<std::uint32_t>(parents.size());
  std::vector<bool> wanted(count, false);
  for (std::uint32_t i = count; i-- > 1;) {
    if (parents.from(i) >= i || parents.from(i) < parents.from(i - 1)) return Remade::misfit;
    if (i >= level && parents.from(i) >= level) return Remade::misfit;
    if (i >= level || wanted[i]) wanted[i] = wanted[parents.from(i)] = true;
  }
  State initial = system.initial();
  freeze_written(system, initial);
  if (level == 0) {
    take(0, std::move(initial));
    return count == 1 ? Remade::all : Remade::misfit;
  }
  std::deque<std::pair<std::uint32_t, State>> open;
  open.emplace_back(0, std::move(initial));
  std::vector<typename S::Move> moves;
  std::optional<std::uint32_t> listed;  // whose moves these are
  for (std::uint32_t i = 1; i < count; ++i) {
    if (!wanted[i]) continue;
    if (i % 64 == 0 && stop()) return Remade::stopped;
    while (open.front().first != parents.from(i)) open.pop_front();
    if (listed != open.front().first) system.enabled(open.front().second, moves);
    listed = open.front().first;
    if (parents.chosen(i) >= moves.size()) return Remade::misfit;
    State child = open.front().second;
    take_listed(system, child, moves, parents.chosen(i));
    if (i < level) open.emplace_back(i, std::move(child));
    else take(i, std::move(child));
  }
  return Remade::all;
}

}  // namespace lockstep::sim
