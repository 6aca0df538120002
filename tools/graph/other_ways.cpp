#include "tools/graph/other_ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "model/world/tracer.h"
#include "properties/check/check.h"
#include "properties/check/checked.h"
#include "properties/check/told_move.h"
#include "properties/monitors/all_properties.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"
#include "sim/run/policy.h"
#include "tools/graph/decided_run.h"

namespace lockstep::tools {

namespace {

using properties::Checked;
using properties::TakenMove;

std::string broken_text(sim::PropertyMask violated, const model::Setup& setup) {
  std::string names;
  for (const properties::PropertyInfo& one : properties::all_properties(setup))
    if ((violated & properties::bit(one.property)) != 0)
      names += (names.empty() ? "" : ", ") + std::string(one.name);
  return names;
}

/// A run up to some decision, with those who tell what happens next.
struct WayPlace {
  Checked::State state;
  model::Tracer tracer;
  properties::TruthLog truths;
  std::set<sim::Digest> timeless;  // the states since time passed last
  sim::PropertyMask broken = 0;
};

class WayTrier {
 public:
  WayTrier(const model::Setup& setup, const std::vector<Decided>& run, const std::string& property,
           const OtherWaysLimits& limits)
      : setup_(setup), run_(run), limits_(limits), system_(setup, {.watched = watched(setup, property)}) {
    names_.actors = model::trace_actors(setup);
  }

  WayPlace start() const {
    Checked::State state = system_.initial();
    const sim::Digest digest = system_.digest(system_.normal(state));
    const sim::PropertyMask broken = system_.violated(state);
    return {std::move(state), model::Tracer(setup_), {}, {digest}, broken};
  }

  void take(WayPlace& place, const TakenMove& what) {
    properties::tell_move(system_, place.state, what, place.tracer, place.truths,
                          properties::StateDigest::absent);
    place.broken |= system_.violated(place.state);
    if (what.move.passes_time()) place.timeless.clear();
    if (!place.timeless.insert(system_.digest(system_.normal(place.state))).second)
      place.broken |= properties::bit(properties::Property::no_zeno);
    Checked::freeze(place.state);
  }

  void take(WayPlace& place, const Decided& one) { take(place, {one.index, one.taken, one.moves.size()}); }

  /// The first decision whose other moves are tried: as many of the last ones as there is time for.
  std::size_t first_tried(std::size_t begin) {
    WayPlace place = start();
    std::vector<std::size_t> events;  // that were told by then
    for (const Decided& one : run_) {
      events.push_back(place.tracer.events().size());
      take(place, one);
    }
    std::size_t first = run_.size(), tried = 0, gone_over = 0;
    for (; first > begin; --first) {
      const std::size_t others = run_[first - 1].moves.size() - 1;
      tried += others;
      gone_over += others * events[first - 1];
      if (tried > limits_.tried_max || gone_over > limits_.events_max) break;
    }
    return first;
  }

  reports::PageWay way(const WayPlace& here, const Decided& decision, std::size_t index, bool is_tried) {
    reports::PageWay way{.move = system_.show(decision.moves[index])};
    way.taken = index == decision.index;
    if (way.taken || !is_tried) return way;
    WayPlace place = here;
    const bool at_rest = go(place, decision, index);
    tell(way, place, here.tracer.events().size());
    const std::string broken = broken_text(place.broken & ~here.broken, setup_);
    const char* end = at_rest ? "all programs end" : "it goes on";
    way.outcome = broken.empty() ? fmt::format("by default nothing new breaks, and {}", end)
                                 : fmt::format("by default {} breaks", broken);
    way.breaks = !broken.empty();
    return way;
  }

 private:
  /// Whether calls can still return is a search of its own, which is not worth it here.
  static sim::PropertyMask watched(const model::Setup& setup, const std::string& property) {
    const auto its = properties::find_property(property, setup);
    const bool asked = its && *its != properties::Property::calls_return;
    return properties::watched_in(setup, properties::all_usual) | (asked ? properties::bit(*its) : 0);
  }

  /// That move, and what the default schedule does then; whether nothing is left that may happen.
  bool go(WayPlace& place, const Decided& decision, std::size_t index) {
    take(place, {index, decision.moves[index], decision.moves.size()});
    std::vector<model::Move> moves;
    for (std::size_t step = 0; step < limits_.steps_max; ++step) {
      system_.enabled(place.state, moves);
      if (moves.empty()) return true;
      const auto picked = sim::default_pick(std::span<const model::Move>(moves));
      if (!picked) return false;
      take(place, {*picked, moves[*picked], moves.size()});
    }
    return false;
  }

  void tell(reports::PageWay& way, const WayPlace& place, std::size_t first_event) const {
    const std::vector<sim::TraceEvent>& events = place.tracer.events();
    for (std::size_t at = first_event; at < events.size(); ++at) {
      if (way.story.size() == limits_.lines_max) {
        way.story.push_back(fmt::format("… {} more events", events.size() - at));
        return;
      }
      if (events[at].of) continue;
      way.story.push_back(fmt::format("{}  {}  {}", reports::time_text(events[at].time_us),
                                      reports::printable(events[at].who),
                                      reports::event_text(names_, events[at])));
    }
  }

  const model::Setup& setup_;
  const std::vector<Decided>& run_;
  const OtherWaysLimits& limits_;
  Checked system_;
  sim::Trace names_;  // of actors only
};

}  // namespace

sim::Result<std::vector<reports::PageChoice>> other_ways(const model::Setup& setup, const sim::Trail& trail,
                                                         const std::string& command,
                                                         const OtherWaysLimits& limits) {
  const auto decided = decided_run(setup, trail);
  if (!decided) return decided.problem();
  const std::vector<Decided>& run = *decided;
  WayTrier trier(setup, run, trail.property, limits);
  std::vector<reports::PageChoice> choices;
  const std::size_t begin = run.size() - std::min(run.size(), limits.decisions_max);
  const std::size_t first_tried = trier.first_tried(begin);
  WayPlace place = trier.start();
  std::string chosen;
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (i >= begin) {
      reports::PageChoice choice{.event = place.tracer.events().size(), .decision = i + 1};
      for (std::size_t move = 0; move < run[i].moves.size(); ++move) {
        choice.ways.push_back(trier.way(place, run[i], move, i >= first_tried));
        choice.ways.back().again = fmt::format("{} --choose {}{}", command, chosen, move);
      }
      choices.push_back(std::move(choice));
    }
    trier.take(place, run[i]);
    chosen += fmt::format("{},", run[i].index);
  }
  return choices;
}

}  // namespace lockstep::tools
