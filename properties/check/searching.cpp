#include "properties/check/searching.h"

#include <utility>

#include "properties/check/graph_digest.h"
#include "properties/check/remembered.h"
#include "sim/search/search.h"

namespace lockstep::properties {

namespace {

sim::SearchOptions<Remembered> of_rows(sim::SearchOptions<Checked> options) {
  sim::SearchOptions<Remembered> of_rows;
  of_rows.limits = std::move(options.limits);
  of_rows.symmetry = options.symmetry;
  of_rows.zeno = options.zeno;
  of_rows.endings = options.endings;
  of_rows.enough = std::move(options.enough);
  of_rows.on_progress = std::move(options.on_progress);
  return of_rows;
}

sim::Outcome<Checked> of_states(sim::Outcome<Remembered> found) {
  sim::Outcome<Checked> outcome;
  outcome.states = found.states;
  outcome.transitions = found.transitions;
  outcome.depth = found.depth;
  outcome.at_rest = found.at_rest;
  outcome.ended = found.ended;
  outcome.symmetry = found.symmetry;
  outcome.violated = found.violated;
  outcome.witnesses = found.witnesses;
  for (auto& broken : found.violations)
    outcome.violations.push_back({broken.property, std::move(broken.trail)});
  if (found.zeno) outcome.zeno = {std::move(found.zeno->stem), std::move(found.zeno->cycle)};
  outcome.dead_end = std::move(found.dead_end);
  outcome.bytes = found.bytes;
  return outcome;
}

template <class S>
sim::Outcome<S> explored(S& system, sim::SearchOptions<S> options, sim::Digest* graph) {
  if (graph == nullptr) return sim::explore(system, std::move(options));
  GraphDigest<S> taken(system);
  options.on_edge = [&taken](const sim::Edge<S>& edge) { taken.add(edge); };
  auto outcome = sim::explore(system, std::move(options));
  *graph = taken.digest();
  return outcome;
}

}  // namespace

sim::Outcome<Checked> search(Checked& system, sim::SearchOptions<Checked> options, Memory memory,
                             sim::Digest* graph) {
  const bool whole = memory == Memory::unused || !Remembered::fits(system.setup()) || options.on_edge ||
                     options.key == sim::StateKey::exact || !system.setup().predicates.empty();
  if (whole) return explored(system, std::move(options), graph);
  Remembered remembered(system, system.initial());
  return of_states(explored(remembered, of_rows(std::move(options)), graph));
}

}  // namespace lockstep::properties
