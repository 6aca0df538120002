#include "properties/check/small_run.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "properties/check/check_behind.h"
#include "properties/check/narrowed.h"
#include "properties/check/walked_graph.h"
#include "properties/monitors/all_properties.h"

namespace lockstep::properties {

namespace {

class Small {
 public:
  Small(const Checked& system, Property property, const HowSmall& how)
      : given_(system), setup_(system.setup()), property_(property), how_(how) {}

  sim::Result<SmallRun> of(const Decisions& trail) {
    auto small = shrunk(trail, how_.measure);
    if (!small || how_.states_max == 0 || how_.measure || setup_.exact || stopped()) return small;
    if (how_.is_shortest && small->trail.size() <= trail.size()) return small;
    const auto shorter = searched(small->trail);
    if (!shorter) return small;
    // As short as that, and then with as few deviations as can be.
    auto again = shrunk(*shorter, [](const Decisions& run) { return std::uint64_t{run.size()}; });
    if (!again || sim::cost_of(again->trail).faults > sim::cost_of(small->trail).faults) return small;
    again->runs_used += small->runs_used;
    return again;
  }

 private:
  bool stopped() const { return how_.stop && how_.stop(); }

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

  /// The first of the shortest runs with no more faults, if it is shorter.
  std::optional<Decisions> searched(const Decisions& trail) const {
    model::FaultBudget faults;
    for (const auto& decision : trail)
      if (decision.move.is_fault()) {
        const model::FaultId fault = decision.move.verb.fault;
        faults.set(fault, static_cast<std::uint16_t>(faults[fault] + 1));
      }
    CheckOptions options{.strategy = Strategy::search,
                         .states_max = how_.states_max,
                         .depth_max = trail.size() - 1,
                         .reductions = setup_.reductions,
                         .shrink = false,
                         .watched = bit(property_)};
    options.outside.time_is_up = how_.stop;
    const CheckReport report = check_behind(narrowed(setup_, faults), options, {});
    for (const PropertyResult& result : report.results) {
      if (result.property != property_ || !result.trail) continue;
      if (result.trail->lines.size() >= trail.size()) continue;
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
