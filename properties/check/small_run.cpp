#include "properties/check/small_run.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "properties/check/check_behind.h"
#include "properties/check/coming_round.h"
#include "properties/check/going_round.h"
#include "properties/check/narrowed.h"
#include "properties/check/plainest.h"
#include "properties/check/small_lap.h"
#include "properties/check/walked_graph.h"
#include "properties/monitors/all_properties.h"

namespace lockstep::properties {

namespace {

class Small {
 public:
  Small(const Checked& system, Property property, const HowSmall& how)
      : given_(system), setup_(system.setup()), property_(property), how_(how) {}

  sim::Result<SmallRun> of(const Decisions& trail) {
    if (property_ == Property::calls_return) return stuck(trail);
    if (property_ == Property::no_zeno) return timeless(trail);
    if (asks_for_cycles(property_, setup_)) {
      auto lap = small_lap(setup_, trail, property_, how_);
      if (lap || property_ == Property::no_starvation) return lap;
    }
    auto small = shrunk(trail, how_.measure);
    if (!small || how_.states_max == 0 || how_.measure || stopped()) return small;
    Decisions best = shorter_one(trail, small->trail);
    const bool is_shortest = how_.is_shortest && sim::cost_of(trail).faults <= sim::cost_of(best).faults;
    if (!is_shortest && !setup_.exact)
      if (auto found = searched(best)) best = shorter_one(best, *found);
    // As short as that, and then with as few deviations as can be.
    best = plainest(setup_, best, property_, {.states_max = how_.states_max, .stop = how_.stop});
    auto again = shrunk(best, faults_and_moves);
    if (!again) return small;
    again->runs_used += small->runs_used;
    return again;
  }

 private:
  bool stopped() const { return how_.stop && how_.stop(); }

  /// What tells most of how much there is to read: fewer faults come before fewer moves.
  static std::uint64_t faults_and_moves(const Decisions& run) {
    return (std::uint64_t{sim::cost_of(run).faults} << 32) + run.size();
  }
  static const Decisions& shorter_one(const Decisions& one, const Decisions& other) {
    const auto cost = [](const Decisions& run) {
      sim::RunCost its = sim::cost_of(run);
      its.wished = faults_and_moves(run);
      return its;
    };
    return cost(other) < cost(one) ? other : one;
  }

  template <class S>
  sim::Result<SmallRun> shrunk_over(S& system, const Decisions& trail,
                                    const std::function<std::uint64_t(const Decisions&)>& measure) const {
    sim::ShrinkWish<S> wish;
    if (measure) wish.measure = measure;
    auto found = sim::shrink(system, trail, bit(property_), {.stop = how_.stop},
                             static_cast<std::size_t>(how_.runs_max), std::move(wish));
    if (!found) return found.problem();
    return SmallRun{std::move(found->run.trail), found->runs_used, found->minimal};
  }

  sim::Result<SmallRun> shrunk(const Decisions& trail,
                               const std::function<std::uint64_t(const Decisions&)>& measure) const {
    Checked system(setup_, {.watched = given_.options().watched, .watch_instants = false});
    system.begin_at(given_.initial());
    if (!WalkedGraph::fits(setup_)) return shrunk_over(system, trail, measure);
    WalkedGraph graph(system, {});
    auto found = shrunk_over(graph, trail, measure);
    if (!graph.is_misled()) return found;
    Checked anew(setup_, {.watched = given_.options().watched, .watch_instants = false});
    anew.begin_at(given_.initial());
    return shrunk_over(anew, trail, measure);
  }

  /// Of a run behind which no program can end: up to the first state of which that is true. It stays true, so
  /// that state is found by halves.
  sim::Result<SmallRun> stuck(const Decisions& trail) const {
    if (how_.is_shortest) return SmallRun{to_the_same_end(trail), 0, true};
    const auto first = until_stuck(trail);
    if (goes_round_for_ever(setup_) && (first || behind(trail) == std::nullopt))
      return SmallRun{first.value_or(trail), 0, false};
    if (!first) return sim::Problem{"there is nothing to shrink: behind this run all programs can still end"};
    SmallRun small{*first, 0, false};
    if (stopped() || setup_.exact) return small;
    if (const auto shortest = searched(small.trail)) {
      auto shorter = until_stuck(*shortest);
      if (shorter && shorter->size() < small.trail.size()) small.trail = *std::move(shorter);
      small.trail = to_the_same_end(small.trail);
      small.minimal = true;
      return small;
    }
    Checked system = anew();
    sim::Shrinker<Checked> shrinker(
        system, [&](const sim::Run<Checked>& run) { return is_stuck(run.last, 2'000); },
        {.stop_at = 0, .unwatched = 0, .stop = how_.stop},
        std::min<std::uint64_t>(how_.runs_max, tries_when_stuck));
    const auto found = shrinker.shrink(small.trail);
    if (!found) return small;
    if (auto shorter = until_stuck(found->run.trail)) small.trail = *std::move(shorter);
    small.trail = to_the_same_end(small.trail);
    small.runs_used = found->runs_used;
    return small;
  }

  Decisions to_the_same_end(const Decisions& trail) const {
    return plainest(setup_, trail, property_,
                    {.end = SameEnd::state, .states_max = how_.states_max, .stop = how_.stop});
  }

  /// Of a run that comes back to a state without time: up to where it does.
  sim::Result<SmallRun> timeless(const Decisions& trail) const {
    auto first = until_back(trail);
    if (!first) return sim::Problem{"there is nothing to shrink: no state comes back without time"};
    SmallRun small{*std::move(first), 0, false};
    if (setup_.exact || how_.is_shortest || stopped()) return small;
    if (const auto found = searched(small.trail))
      if (const auto back = until_back(*found)) small.trail = shorter_one(small.trail, *back);
    Checked system = anew();
    sim::Shrinker<Checked> shrinker(
        system, [](const sim::Run<Checked>& run) { return run.end == sim::End::zeno; },
        {.stop_at = 0, .unwatched = 0, .stop = how_.stop}, static_cast<std::size_t>(how_.runs_max));
    const auto found = shrinker.shrink(small.trail);
    if (!found) return small;  // by default it does not go round again
    if (const auto back = until_back(found->run.trail)) small.trail = shorter_one(small.trail, *back);
    small.runs_used = found->runs_used;
    small.minimal = found->minimal;
    return small;
  }

  std::optional<Decisions> until_back(const Decisions& trail) const {
    Checked system = anew();
    Checked::State state = system.initial();
    std::set<sim::Digest> met{system.digest(system.normal(state))};
    for (std::size_t i = 0; i < trail.size(); ++i) {
      system.apply(state, trail[i].move);
      if (trail[i].move.passes_time()) met.clear();
      if (!met.insert(system.digest(system.normal(state))).second)
        return Decisions(trail.begin(), trail.begin() + static_cast<std::ptrdiff_t>(i + 1));
    }
    return std::nullopt;
  }

  bool is_stuck(const Checked::State& state, std::size_t looked_at_max) const {
    return calls_can_return(setup_, state, looked_at_max) == false;
  }

  /// Whether calls can return behind so many of its decisions.
  std::optional<bool> behind(const Decisions& trail, std::optional<std::size_t> steps = std::nullopt) const {
    Checked system = anew();
    Checked::State state = system.initial();
    for (std::size_t i = 0; i < steps.value_or(trail.size()); ++i) system.apply(state, trail[i].move);
    return calls_can_return(setup_, state, 20'000);
  }

  std::optional<Decisions> until_stuck(const Decisions& trail) const {
    const auto stuck_behind = [&](std::size_t steps) { return behind(trail, steps) == false; };
    if (!stuck_behind(trail.size())) return std::nullopt;
    std::size_t least = 0, most = trail.size();
    while (least < most) {
      const std::size_t middle = least + (most - least) / 2;
      if (stuck_behind(middle)) most = middle;
      else least = middle + 1;
    }
    return Decisions(trail.begin(), trail.begin() + static_cast<std::ptrdiff_t>(most));
  }

  Checked anew() const {
    Checked system(setup_, {.watched = given_.options().watched, .watch_instants = false});
    system.begin_at(given_.initial());
    return system;
  }

  /// What follows is asked, so a search must not end where the run does.
  bool asks_of_graphs() const {
    return property_ == Property::calls_return || property_ == Property::no_zeno;
  }

  static constexpr std::uint64_t tries_when_stuck = 200;  // each looks at all that may follow

  /// The first of the shortest runs with no more faults, if it is shorter; in place of a single fault also
  /// with one of another kind. One behind which no program can end is played on.
  std::optional<Decisions> searched(const Decisions& trail) const {
    model::FaultBudget used;
    for (const auto& decision : trail)
      if (decision.move.is_fault()) {
        const model::FaultId fault = decision.move.verb.fault;
        used.set(fault, static_cast<std::uint16_t>(used[fault] + 1));
      }
    std::optional<Decisions> shorter = searched_with(used, trail);
    if (sim::cost_of(trail).faults != 1 || asks_of_graphs()) return shorter;
    for (std::size_t f = 0; f < setup_.faults.counts.size() && !stopped(); ++f) {
      const auto other = sim::make_id<model::FaultId>(f);
      if (setup_.faults[other] == 0 || used[other] > 0) continue;
      model::FaultBudget one;
      one.set(other, 1);
      if (auto found = searched_with(one, shorter ? *shorter : trail)) shorter = std::move(found);
    }
    return shorter;
  }

  std::optional<Decisions> searched_with(const model::FaultBudget& faults, const Decisions& trail) const {
    const std::uint64_t depth_max =
        asks_of_graphs() ? CheckOptions{}.depth_max : trail.size() - 1;
    CheckOptions options{.strategy = Strategy::search,
                         .states_max = how_.states_max,
                         .depth_max = depth_max,
                         .reductions = setup_.reductions,
                         .shrink = false,
                         .watched = bit(property_)};
    options.outside.time_is_up = how_.stop;
    const CheckReport report = check_behind(narrowed(setup_, faults), options, {});
    for (const PropertyResult& result : report.results) {
      if (result.property != property_ || !result.trail) continue;
      if (!asks_of_graphs() && result.trail->lines.size() >= trail.size()) continue;
      return as_run_of(setup_, given_.options().watched, *result.trail);
    }
    return std::nullopt;
  }

  const Checked& given_;
  const Setup& setup_;
  Property property_;
  const HowSmall& how_;
};

}  // namespace

sim::Result<SmallRun> small_run(const Checked& system, const Decisions& trail, Property property,
                                const HowSmall& how) {
  return Small(system, property, how).of(trail);
}

}  // namespace lockstep::properties
