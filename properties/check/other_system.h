// other_system.h: a question to one system, asked of another that has the same runs.
//
// Rows for states, fused steps, a bound of preemptions: each is a System of its own, which is searched
// with the options of the one that was asked, and whose outcome is told in that one's states and trails.
#pragma once

#include <utility>

#include "sim/search/outcome.h"
#include "sim/search/search.h"

namespace lockstep::properties {

/// The same options for another system that goes by digests; they ask for no look at each edge.
template <class To, class From>
sim::SearchOptions<To> of_other(sim::SearchOptions<From> options) {
  sim::SearchOptions<To> same;
  same.limits = std::move(options.limits);
  same.order = options.order;
  same.symmetry = options.symmetry;
  same.zeno = options.zeno;
  same.endings = options.endings;
  same.enough = std::move(options.enough);
  same.on_progress = std::move(options.on_progress);
  same.keep = options.keep;
  same.begin = options.begin;
  same.on_level = std::move(options.on_level);
  return same;
}

/// The same outcome for another system. `begin` is called where a trail begins, and `rest` makes of it, or of
/// what goes on where another ends, the trail of the other system.
template <class To, class From, class Begin, class Rest>
sim::Outcome<To> outcome_of_other(sim::Outcome<From> found, Begin begin, Rest rest) {
  sim::Outcome<To> outcome;
  outcome.states = found.states;
  outcome.transitions = found.transitions;
  outcome.depth = found.depth;
  outcome.at_rest = found.at_rest;
  outcome.ended = found.ended;
  outcome.symmetry = found.symmetry;
  outcome.violated = found.violated;
  outcome.witnesses = found.witnesses;
  const auto whole = [&](auto& trail) {
    begin();
    return rest(trail);
  };
  for (auto& broken : found.violations) outcome.violations.push_back({broken.property, whole(broken.trail)});
  if (found.dead_end) outcome.dead_end = whole(*found.dead_end);
  if (found.zeno) {
    outcome.zeno.emplace().stem = whole(found.zeno->stem);
    outcome.zeno->cycle = rest(found.zeno->cycle);
  }
  outcome.bytes = found.bytes;
  outcome.learned = std::move(found.learned);
  outcome.misfit = found.misfit;
  outcome.stopper = found.stopper;
  return outcome;
}

}  // namespace lockstep::properties
