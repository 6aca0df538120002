// reduced.h: which moves of a checked state are enough (sim/search/reduction.h).
//
// All are, if all are of one process: then the state need not be stored, for nobody else can move. Else those
// of one process are, if it is apart from all others (model/world/apart.h), and nobody else can tell when it
// takes them: each of them changes nothing but the process and its links, what it follows and what faults
// cost, and leaves what monitors know as it is. In particular it does not give a lock back: whether that
// comes before another thread believes to hold the lock is what mutual exclusion is about. Where nothing that
// is watched reads beliefs, or is told by who waits, nobody can tell these either: such a move commutes with
// all others anyway, and what it shows in between nobody looks at.
//
// A SUBSCRIBE that is served may change its server: what it knows of this one listener is read by publishing
// alone, and while others may publish the process is not apart.
//
// One of them must be a move that nobody has to wait for: where only the adversary can move, a run may end.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "model/world/apart.h"
#include "properties/check/checked.h"

namespace lockstep::properties {

using model::Move;

/// Whether what monitors know is the same but for what was violated by the process alone: that an exception
/// ends its program, or that it is answered otherwise than it expects. And but for what threads believe, if
/// nothing that is watched depends on that.
bool is_known_alike(const Monitors& before, const Monitors& after, sim::PropertyMask watched);

/// Whether it matters to what is watched when a process ceases to wait.
bool minds_who_waits(sim::PropertyMask watched);

/// What the move changed beside its process and what monitors know, so that others might notice.
bool changes_more(const Checked::State& before, const Checked::State& after, const Move& move,
                  const Setup& setup, sim::PropertyMask watched, model::ProcessId p);

/// Why no search of this scenario can be reduced, if none can.
std::optional<std::string> not_reduced(const Setup& setup, sim::PropertyMask watched);

/// `looks.is_apart(p)` says it of the state, `looks.is_unnoticed(move, p)` that nobody else can tell.
template <class Looks>
void find_enough(const std::vector<Move>& moves, const Setup& setup, Looks looks,
                 std::vector<std::size_t>& places) {
  for (std::size_t i = 0; i < setup.processes.size(); ++i) {
    const auto p = sim::make_id<model::ProcessId>(i);
    places.clear();
    for (std::size_t at = 0; at < moves.size(); ++at)
      if (model::is_of(moves[at], setup, p)) places.push_back(at);
    const auto by_itself = [&](std::size_t at) { return !moves[at].is_fault() && !moves[at].ends_fault(); };
    if (std::none_of(places.begin(), places.end(), by_itself)) continue;
    if (places.size() == moves.size()) return;
    if (!looks.is_apart(p)) continue;
    if (std::all_of(places.begin(), places.end(),
                    [&](std::size_t at) { return looks.is_unnoticed(moves[at], p); }))
      return;
  }
  places.clear();
}

}  // namespace lockstep::properties
