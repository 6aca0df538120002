#include "properties/check/searching.h"

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "properties/check/graph_digest.h"
#include "properties/check/other_system.h"
#include "properties/check/remembered.h"
#include "sim/base/amount.h"
#include "sim/base/verify.h"
#include "sim/search/message.h"
#include "sim/search/ranked.h"
#include "sim/search/reduction.h"
#include "sim/search/search.h"

namespace lockstep::properties {

namespace {

sim::SearchOptions<Remembered> of_rows(sim::SearchOptions<Checked> options) {
  return of_other<Remembered>(std::move(options));
}

sim::Outcome<Checked> of_states(sim::Outcome<Remembered> found) {
  return outcome_of_other<Checked>(
      std::move(found), [] {}, [](auto& trail) { return std::move(trail); });
}

/// That of a reduced system, whose trails have all decisions.
template <class S>
sim::Outcome<S> with_all_decisions(S& system, sim::Outcome<sim::Reduced<S>> found) {
  auto at = system.initial();
  return outcome_of_other<S>(
      std::move(found), [&] { at = system.initial(); },
      [&](auto& trail) { return sim::unfused(system, at, trail); });
}

/// By partial-order reduction.
template <class S>
sim::Outcome<S> explored_reduced(S& system, sim::SearchOptions<S> options,
                                 const std::vector<S*>& others = {}) {
  sim::Reduced<S> reduced(system);
  std::deque<sim::Reduced<S>> workers;
  std::vector<sim::Reduced<S>*> beside;
  for (S* other : others) beside.push_back(&workers.emplace_back(*other));
  const sim::StateKey key = options.key;
  const std::uint64_t state_bytes = options.state_bytes;
  auto how = of_other<sim::Reduced<S>>(std::move(options));
  how.key = key;
  how.state_bytes = state_bytes;
  return with_all_decisions(system, sim::explore(reduced, std::move(how), beside));
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
  sim::put_into(word, my_reasons.missed_instant.has_value());
  sim::put_into(word, my_reasons.missed_instant.value_or(sim::Duration::zero()));
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
    const bool has_missed = in.take<bool>();
    if (const auto missed = in.take<sim::Duration>(); has_missed) reasons.missed_instant = missed;
    for (auto* text : {&reasons.refusal, &reasons.looks_into_names, &reasons.has_too_many_names,
                       &reasons.looks_at_instants})
      *text = take_text(in);
    system.stop_as(reasons);
  }
  system.go_on(all);
}

/// A worker besides the first, which has the system that was given.
struct Worker {
  Worker(const Checked& first, const Checked::State& start, Memories memories)
      : system(first.setup(), first.options()), remembered(system, start, memories) {}

  Checked system;
  Remembered remembered;
};

}  // namespace

sim::Outcome<Checked> search(Checked& system, sim::SearchOptions<Checked> options, Memories memories,
                             sim::Digest* graph, MetSoFar* so_far) {
  VERIFY(so_far == nullptr || graph == nullptr);
  const bool reduce = system.options().reduce;
  VERIFY(!reduce || (graph == nullptr && !options.on_edge));
  const bool whole = memories == Memories::none || goes_over_whole_states(system, options);
  std::vector<Checked*> systems{&system};
  if (whole) {
    if (so_far != nullptr) options.on_level = accounts(*so_far, systems);
    if (reduce) return explored_reduced(system, std::move(options));
    return explored(system, std::move(options), graph);
  }
  const Checked::State start = system.initial();
  Remembered remembered(system, start, memories);
  std::deque<Worker> workers;
  std::vector<Remembered*> others;
  for (std::size_t i = 1; i < system.options().workers && graph == nullptr; ++i)
    others.push_back(&workers.emplace_back(system, start, memories).remembered);
  for (Worker& worker : workers) systems.push_back(&worker.system);
  if (so_far != nullptr) options.on_level = accounts(*so_far, systems);
  auto outcome = of_states(reduce ? explored_reduced(remembered, of_rows(std::move(options)), others)
                                  : explored(remembered, of_rows(std::move(options)), graph, others));
  for (const Worker& worker : workers) system.learn_from(worker.system);
  if (outcome.stopper.value_or(0) > 0) system.stop_as(workers[*outcome.stopper - 1].system);
  return outcome;
}

sim::Outcome<Checked> search_by(sim::Ranks& ranks, Checked& system, sim::SearchOptions<Checked> options) {
  sim::Outcome<Checked> outcome;
  const auto explored_by_all = [&](auto& its, auto how) {
    using S = std::remove_reference_t<decltype(its)>;
    if (!system.options().reduce) return sim::explore_by(ranks, its, std::move(how));
    sim::Reduced<S> reduced(its);
    return with_all_decisions(
        its, sim::explore_by(ranks, reduced, of_other<sim::Reduced<S>>(std::move(how))));
  };
  if (goes_over_whole_states(system, options)) {
    outcome = explored_by_all(system, std::move(options));
  } else {
    Remembered remembered(system, system.initial());
    outcome = of_states(explored_by_all(remembered, of_rows(std::move(options))));
  }
  hear_from_all(ranks, system, outcome.stopper);
  return outcome;
}

std::string why_not_whole(sim::SearchEnd ended, const sim::SearchLimits& limits) {
  switch (ended) {
    case sim::SearchEnd::complete: return "";
    case sim::SearchEnd::states: return "there are more than " + sim::amount(limits.states_max, "state");
    case sim::SearchEnd::memory:
      return "that needs more memory than " + sim::amount_of_bytes(limits.memory_bytes_max);
    default: return "the time was up";
  }
}

}  // namespace lockstep::properties
