#include "properties/check/searching.h"

#include <deque>
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
  outcome.stopper = found.stopper;
  return outcome;
}

template <class S, class... Others>
sim::Outcome<S> explored(S& system, sim::SearchOptions<S> options, sim::Digest* graph,
                         const Others&... others) {
  if (graph == nullptr) return sim::explore(system, std::move(options), others...);
  GraphDigest<S> taken(system);
  options.on_edge = [&taken](const sim::Edge<S>& edge) { taken.add(edge); };
  auto outcome = sim::explore(system, std::move(options), others...);
  *graph = taken.digest();
  return outcome;
}

/// A worker besides the first, which has the system that was given.
struct Worker {
  Worker(const Checked& first, const Checked::State& start)
      : system(first.setup(), first.options()), remembered(system, start) {}

  Checked system;
  Remembered remembered;
};

}  // namespace

sim::Outcome<Checked> search(Checked& system, sim::SearchOptions<Checked> options, Memory memory,
                             sim::Digest* graph) {
  const bool whole = memory == Memory::unused || !Remembered::fits(system.setup()) ||
                     system.setup().exact || options.on_edge ||
                     options.key == sim::StateKey::exact || !system.setup().predicates.empty();
  if (whole) return explored(system, std::move(options), graph);
  const Checked::State start = system.initial();
  Remembered remembered(system, start);
  std::deque<Worker> workers;
  std::vector<Remembered*> others;
  for (std::size_t i = 1; i < system.options().workers && graph == nullptr; ++i)
    others.push_back(&workers.emplace_back(system, start).remembered);
  auto outcome = of_states(explored(remembered, of_rows(std::move(options)), graph, others));
  for (const Worker& worker : workers) system.learn_from(worker.system);
  if (outcome.stopper.value_or(0) > 0) system.stop_as(workers[*outcome.stopper - 1].system);
  return outcome;
}

}  // namespace lockstep::properties
