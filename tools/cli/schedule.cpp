#include "tools/cli/schedule.h"

#include "properties/check/check.h"
#include "properties/check/prefix.h"
#include "sim/run/intervals.h"
#include "sim/run/plan.h"
#include "sim/run/uniform.h"

namespace lockstep::tools {

namespace {

using ScheduledSystem = properties::Checked;

/// Another policy until `until`; there the run is cut.
class Until final : public sim::Policy<ScheduledSystem> {
 public:
  Until(sim::Policy<ScheduledSystem>& inner, std::optional<sim::Duration> until)
      : inner_(inner), until_(until) {}

  std::optional<std::size_t> pick(const ScheduledSystem& system, const ScheduledSystem::State& state,
                                  std::span<const ScheduledSystem::Move> moves) override {
    if (until_ && state.world.now.since_start >= *until_) return std::nullopt;
    return inner_.pick(system, state, moves);
  }
  ScheduledSystem::Move taken(const ScheduledSystem::Move& listed) override { return inner_.taken(listed); }

 private:
  sim::Policy<ScheduledSystem>& inner_;
  std::optional<sim::Duration> until_;
};

}  // namespace

sim::Trail schedule(const model::Setup& setup, const ScheduleOptions& options) {
  ScheduledSystem system(setup);
  sim::DefaultSchedule<ScheduledSystem> by_default;
  sim::Random random{options.seed.value_or(0)};
  sim::Uniform<ScheduledSystem> uniform(random.split());
  sim::InIntervals<ScheduledSystem> drawn(random.split(), uniform);
  sim::Policy<ScheduledSystem>* chosen = &by_default;
  if (options.seed) chosen = &drawn;
  Until policy(*chosen, options.until);
  ScheduledSystem::State start = system.initial();
  auto decisions = options.prefix.empty() ? properties::prefix_of(setup).moves : options.prefix;
  for (const auto& decision : decisions) system.apply(start, decision.move);
  const bool broken = system.violated(start) != 0;
  const auto run =
      sim::run(system, std::move(start), static_cast<sim::Policy<ScheduledSystem>&>(policy), {.stop_at = 0});
  decisions.insert(decisions.end(), run.trail.begin(), run.trail.end());
  sim::Trail trail = properties::trail_header(setup, "", broken || run.violated != 0 ? "violated" : "passed");
  sim::record_all<ScheduledSystem>(system, decisions, trail);
  return trail;
}

}  // namespace lockstep::tools
