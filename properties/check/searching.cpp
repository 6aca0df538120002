#include "properties/check/searching.h"

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/check/graph_digest.h"
#include "properties/check/remembered.h"
#include "sim/base/verify.h"
#include "sim/search/message.h"
#include "sim/search/ranked.h"
#include "sim/search/search.h"

namespace lockstep::properties {

namespace {

sim::SearchOptions<Remembered> of_rows(sim::SearchOptions<Checked> options) {
  sim::SearchOptions<Remembered> of_rows;
  of_rows.limits = std::move(options.limits);
  of_rows.order = options.order;
  of_rows.symmetry = options.symmetry;
  of_rows.zeno = options.zeno;
  of_rows.endings = options.endings;
  of_rows.enough = std::move(options.enough);
  of_rows.on_progress = std::move(options.on_progress);
  of_rows.keep = options.keep;
  of_rows.begin = options.begin;
  of_rows.on_level = std::move(options.on_level);
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
  outcome.learned = std::move(found.learned);
  outcome.misfit = found.misfit;
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

/// All that several systems met together; and the other way round, for each of them a part of it.
Checked::Met met_by(const std::vector<Checked*>& systems) {
  Checked::Met all = systems.front()->met();
  for (std::size_t i = 1; i < systems.size(); ++i) {
    const Checked::Met its = systems[i]->met();
    for (std::size_t kind = 0; kind < all.sent.size(); ++kind) all.sent[kind] |= its.sent[kind];
    all.horizon = all.horizon || its.horizon;
    all.steps += its.steps;
    all.images += its.images;
  }
  return all;
}

void go_on_with(const std::vector<Checked*>& systems, Checked::Met met) {
  met.steps /= systems.size();
  met.images = (met.images + systems.size() - 1) / systems.size();
  for (Checked* system : systems) system->go_on(met);
}

/// Keeps account at each level. While states are made again, steps are taken that were taken before, and
/// count as such afterwards.
std::function<void()> accounts(MetSoFar& so_far, const std::vector<Checked*>& systems) {
  if (so_far.goes_on) {
    Checked::Met before = so_far.met;
    before.images = 0;
    systems.front()->go_on(before);
  }
  return [&so_far, systems] {
    if (so_far.goes_on) go_on_with(systems, so_far.met);
    else so_far.met = met_by(systems);
    so_far.goes_on = false;
  };
}

bool goes_over_whole_states(const Checked& system, const sim::SearchOptions<Checked>& options) {
  return !Remembered::fits(system.setup()) || system.setup().exact || options.on_edge ||
         options.key == sim::StateKey::exact || !system.setup().predicates.empty();
}

void put_text(std::string& word, const std::optional<std::string>& text) {
  sim::put_into(word, text.has_value());
  if (!text) return;
  sim::put_into(word, text->size());
  word += *text;
}

std::optional<std::string> take_text(sim::MessageReader& in) {
  if (!in.take<bool>()) return std::nullopt;
  std::string text(in.take<std::size_t>(), ' ');
  for (char& c : text) c = in.take<char>();
  return text;
}

/// What was met by somebody was met, and what made one stop stops all.
void hear_from_all(sim::Ranks& ranks, Checked& system, std::optional<std::size_t> stopper) {
  const Checked::Met mine = system.met();
  const Checked::ReasonsToStop my_reasons = system.reasons_to_stop();
  std::string word;
  sim::put_into(word, mine.horizon);
  for (const std::uint64_t roles : mine.sent) sim::put_into(word, roles);
  sim::put_into(word, my_reasons.read_now);
  for (const auto* text : {&my_reasons.refusal, &my_reasons.looks_into_names, &my_reasons.has_too_many_names,
                           &my_reasons.looks_at_instants})
    put_text(word, *text);
  const std::vector<std::string> words = ranks.tell_all(word);
  Checked::Met all = mine;
  for (std::size_t rank = 0; rank < words.size(); ++rank) {
    sim::MessageReader in(words[rank]);
    all.horizon = in.take<bool>() || all.horizon;
    for (std::uint64_t& roles : all.sent) roles |= in.take<std::uint64_t>();
    if (rank != stopper) continue;
    Checked::ReasonsToStop reasons{.read_now = in.take<bool>()};
    for (auto* text : {&reasons.refusal, &reasons.looks_into_names, &reasons.has_too_many_names,
                       &reasons.looks_at_instants})
      *text = take_text(in);
    system.stop_as(reasons);
  }
  system.go_on(all);
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
                             sim::Digest* graph, MetSoFar* so_far) {
  VERIFY(so_far == nullptr || graph == nullptr);
  const bool whole = memory == Memory::unused || goes_over_whole_states(system, options);
  std::vector<Checked*> systems{&system};
  if (whole) {
    if (so_far != nullptr) options.on_level = accounts(*so_far, systems);
    return explored(system, std::move(options), graph);
  }
  const Checked::State start = system.initial();
  Remembered remembered(system, start);
  std::deque<Worker> workers;
  std::vector<Remembered*> others;
  for (std::size_t i = 1; i < system.options().workers && graph == nullptr; ++i)
    others.push_back(&workers.emplace_back(system, start).remembered);
  for (Worker& worker : workers) systems.push_back(&worker.system);
  if (so_far != nullptr) options.on_level = accounts(*so_far, systems);
  auto outcome = of_states(explored(remembered, of_rows(std::move(options)), graph, others));
  for (const Worker& worker : workers) system.learn_from(worker.system);
  if (outcome.stopper.value_or(0) > 0) system.stop_as(workers[*outcome.stopper - 1].system);
  return outcome;
}

sim::Outcome<Checked> search_by(sim::Ranks& ranks, Checked& system, sim::SearchOptions<Checked> options) {
  sim::Outcome<Checked> outcome;
  if (goes_over_whole_states(system, options)) {
    outcome = sim::explore_by(ranks, system, std::move(options));
  } else {
    Remembered remembered(system, system.initial());
    outcome = of_states(sim::explore_by(ranks, remembered, of_rows(std::move(options))));
  }
  hear_from_all(ranks, system, outcome.stopper);
  return outcome;
}

}  // namespace lockstep::properties
