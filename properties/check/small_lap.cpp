#include "properties/check/small_lap.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "properties/check/going_round.h"
#include "properties/check/narrowed.h"
#include "properties/check/plainest.h"
#include "properties/monitors/all_properties.h"
#include "sim/run/lenient.h"

namespace lockstep::properties {

namespace {

using Moves = std::vector<model::Move>;

/// A run that goes round once at its end.
struct Lasso {
  Decisions run;
  std::size_t way = 0;  // so many of its moves lead to the lap
};

class SmallLap {
 public:
  SmallLap(const Setup& setup, Property property, const HowSmall& how)
      : setup_(setup), property_(property), how_(how) {}

  sim::Result<SmallRun> of(const Decisions& trail) {
    length_max_ = trail.size();
    auto found = lasso_of(moves_of(trail));
    if (!found) return sim::Problem{"there is nothing to shrink: the run does not go round so that it shows"};
    best_ = *std::move(found);
    if (setup_.exact) return SmallRun{best_.run, 0, false};
    if (how_.states_max > 0 && !how_.is_shortest) search();
    cut_loops();
    plainest_way();
    bool minimal = true;
    for (bool better = true; better;) {
      const sim::RunCost before = cost_of(best_.run);
      drop_faults();
      drop_moves();
      drop_deviations();
      plainest_way();
      minimal = !stopped();
      better = minimal && cost_of(best_.run) < before;
    }
    return SmallRun{best_.run, runs_, minimal};
  }

 private:
  static constexpr std::uint64_t steps_max = 60'000;  // of all that is tried: they are dear here

  bool stopped() const {
    return steps_ >= steps_max || runs_ >= how_.runs_max || (how_.stop && how_.stop());
  }

  static Moves moves_of(const Decisions& trail) {
    Moves moves;
    for (const auto& decision : trail) moves.push_back(decision.move);
    return moves;
  }

  sim::RunCost cost_of(const Decisions& run) const {
    sim::RunCost cost = sim::cost_of(run);
    cost.wished = how_.measure ? how_.measure(run) : (std::uint64_t{cost.faults} << 32) + run.size();
    return cost;
  }

  /// The run that a policy makes, up to where it has gone round; nothing if that comes too late.
  std::optional<Lasso> lasso_by(sim::Policy<Checked>& policy) {
    ++runs_;
    LapWatch watch(setup_, property_);
    Lasso lasso;
    Moves moves;
    while (lasso.run.size() < length_max_) {
      watch.system().enabled(watch.state(), moves);
      if (moves.empty()) return std::nullopt;
      const auto picked = policy.pick(watch.system(), watch.state(), moves);
      if (!picked) return std::nullopt;
      auto decision = sim::detail::decision(moves, *picked);
      decision.move = policy.taken(decision.move);
      watch.take(decision.move);
      ++steps_;
      lasso.run.push_back(decision);
      if (const auto begins = watch.lap_begins()) {
        lasso.way = *begins;
        return lasso;
      }
    }
    return std::nullopt;
  }

  std::optional<Lasso> lasso_of(Moves moves) {
    sim::Lenient<Checked> policy(std::move(moves));
    return lasso_by(policy);
  }

  bool keeps(std::optional<Lasso> other) {
    if (!other || !(cost_of(other->run) < cost_of(best_.run))) return false;
    best_ = *std::move(other);
    const bool may_be_longer = how_.measure || sim::cost_of(best_.run).faults > 0;
    length_max_ = may_be_longer ? 2 * best_.run.size() + 100 : best_.run.size();
    return true;
  }
  bool improves(Moves moves) { return !stopped() && keeps(lasso_of(std::move(moves))); }

  /// What a search finds that goes no further than it may, with no more faults of each kind.
  void search() {
    model::FaultBudget used;
    for (const auto& decision : best_.run)
      if (decision.move.is_fault()) {
        const model::FaultId fault = decision.move.verb.fault;
        used.set(fault, static_cast<std::uint16_t>(used[fault] + 1));
      }
    const Setup inner = narrowed(setup_, used);
    const sim::SearchLimits limits{.states_max = how_.states_max, .stop = how_.stop};
    const GoingRound round(inner, bit(property_), false, {}, limits);
    if (const auto found = round.broken_so_far(property_)) keeps(lasso_of(moves_of(*found)));
  }

  /// Where it comes back to a state, on the way and around, what lies in between may lead nowhere.
  void cut_loops() {
    std::vector<sim::Digest> visited = states_of(best_.run);
    for (std::size_t at = 0; at < best_.run.size() && !stopped(); ++at) {
      const std::size_t end = at < best_.way ? best_.way : best_.run.size() - 1;
      for (std::size_t back = end; back > at; --back) {
        if (visited[back] != visited[at] || !drops(at, back - at)) continue;
        visited = states_of(best_.run);
        break;
      }
    }
  }

  /// Before each of its moves, and behind the last.
  std::vector<sim::Digest> states_of(const Decisions& run) const {
    Checked system(setup_, {.watched = bit(property_), .watch_instants = false});
    Checked::State state = system.initial();
    std::vector<sim::Digest> visited{system.digest(system.normal(state))};
    for (const auto& decision : run) {
      system.apply(state, decision.move);
      visited.push_back(system.digest(system.normal(state)));
    }
    return visited;
  }

  /// As short a way to where the lap begins, with the fewest deviations.
  void plainest_way() {
    if (how_.measure || stopped()) return;
    const auto middle = best_.run.begin() + static_cast<std::ptrdiff_t>(best_.way);
    const Decisions way = plainest(setup_, {best_.run.begin(), middle}, property_,
                                   {.end = SameEnd::state, .states_max = how_.states_max, .stop = how_.stop});
    Moves moves = moves_of(way);
    for (auto one = middle; one != best_.run.end(); ++one) moves.push_back(one->move);
    improves(std::move(moves));
  }

  void drop_faults() {
    for (std::size_t i = 0; i < best_.run.size();)
      if (!best_.run[i].move.is_fault() || !drops(i, 1)) ++i;
  }

  void drop_moves() {
    for (std::size_t chunk = best_.run.size() / 2; chunk >= 1; chunk /= 2)
      for (std::size_t i = 0; i < best_.run.size() && !stopped();)
        if (!drops(i, chunk)) i += chunk;
  }

  bool drops(std::size_t first, std::size_t count) {
    Moves moves = moves_of(best_.run);
    const auto begin = moves.begin() + static_cast<std::ptrdiff_t>(first);
    moves.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(count, moves.size() - first)));
    return improves(std::move(moves));
  }

  /// Takes the default there, the other deviations at their steps.
  void drop_deviations() {
    const auto deviations = [&] { return sim::deviations_of<model::Move>(best_.run).moves; };
    for (std::size_t chunk = deviations().size(); chunk >= 1; chunk /= 2)
      for (std::size_t i = 0; i < deviations().size() && !stopped();) {
        auto fewer = deviations();
        const auto begin = fewer.begin() + static_cast<std::ptrdiff_t>(i);
        fewer.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(chunk, fewer.size() - i)));
        sim::Anchored<Checked> policy(std::move(fewer));
        if (!keeps(lasso_by(policy))) i += chunk;
      }
  }

  const Setup& setup_;
  Property property_;
  const HowSmall& how_;
  Lasso best_;
  std::size_t length_max_ = 0;  // of what is tried
  std::size_t runs_ = 0, steps_ = 0;
};

}  // namespace

sim::Result<SmallRun> small_lap(const Setup& setup, const Decisions& trail, Property property,
                                const HowSmall& how) {
  return SmallLap(setup, property, how).of(trail);
}

}  // namespace lockstep::properties
