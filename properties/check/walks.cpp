#include "properties/check/walks.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/amount.h"
#include "sim/run/pct.h"

namespace lockstep::properties {

std::string_view name_of(Walk walk) {
  switch (walk) {
    case Walk::swarm: return "swarm";
    case Walk::pct: return "pct";
    case Walk::pos: return "pos";
    case Walk::surw: return "surw";
    case Walk::uniform: return "uniform";
    case Walk::guided: return "guided";
  }
  return "";
}

std::optional<Strategy> find_strategy(std::string_view name) {
  if (name == "random") return Strategy::random;
  for (const Strategy one : {Strategy::uniform, Strategy::swarm, Strategy::pct, Strategy::pos, Strategy::surw,
                             Strategy::guided})
    if (name_of(walk_of(one, 0)) == name) return one;
  return std::nullopt;
}

Walk walk_of(Strategy strategy, std::uint64_t run) {
  constexpr Walk in_turn[walks_in_turn] = {Walk::swarm, Walk::pct,  Walk::pos,
                                           Walk::swarm, Walk::surw, Walk::uniform};
  switch (strategy) {
    case Strategy::uniform: return Walk::uniform;
    case Strategy::swarm: return Walk::swarm;
    case Strategy::pct: return Walk::pct;
    case Strategy::pos: return Walk::pos;
    case Strategy::surw: return Walk::surw;
    case Strategy::guided: return Walk::guided;
    default: return in_turn[run % walks_in_turn];
  }
}

Expectancy expectancy_of(Checked& system) {
  constexpr std::uint64_t least = 20, most = 2'000;
  sim::DefaultSchedule<Checked> policy;
  const auto run =
      sim::run(system, system.initial(), policy, {.steps_max = most, .stop_at = 0, .unwatched = most});
  return {std::max<std::uint64_t>(least, run.trail.size() * 3 / 2), sim::counts_of(run.trail)};
}

namespace {

bool has_intervals(const Setup& setup) {
  const auto is_drawn = [](const model::Step& step) {
    const bool takes_time = step.kind == model::StepKind::start || step.kind == model::StepKind::think ||
                            step.kind == model::StepKind::work;
    return takes_time && !step.span.fixed();
  };
  return setup.network.kind != model::NetworkKind::no_delay ||
         std::any_of(setup.threads.begin(), setup.threads.end(), [&](const model::ThreadSetup& thread) {
           return std::any_of(thread.program.begin(), thread.program.end(), is_drawn);
         });
}

const SampledBy* drawn_by_pct(const CheckReport& report) {
  const auto found = report.sampled_by.find(std::string(name_of(Walk::pct)));
  return found == report.sampled_by.end() || found->second.runs == 0 ? nullptr : &found->second;
}

}  // namespace

std::string why_no_certificate(const Setup& setup, const CheckReport& report) {
  const SampledBy* by = drawn_by_pct(report);
  if (by == nullptr) return "it drew no run";
  if (std::any_of(report.results.begin(), report.results.end(),
                  [](const PropertyResult& one) { return one.verdict == Verdict::violated; }))
    return "there is a bug";
  if (!setup.faults.none() || !setup.fixed.empty()) return "faults are not among the orders that it counts";
  if (has_intervals(setup)) return "instants of intervals are not among the orders that it counts";
  if (!by->one_move_each) return "somebody could do several things, or something at several times";
  if (by->cut > 0) return fmt::format("{} of its {} came to no end", by->cut, sim::amount(by->runs, "run"));
  if (by->settled > 0)
    return fmt::format("{} of its {} {} not drawn to the end", by->settled, sim::amount(by->runs, "run"),
                       by->settled == 1 ? "was" : "were");
  if (by->longest > report.thought_steps)
    return fmt::format("a run took {}, and {} were thought to be enough", sim::amount(by->longest, "move"),
                       report.thought_steps);
  return "";
}

std::optional<Certificate> certificate_of(const Setup& setup, const CheckReport& report) {
  if (!why_no_certificate(setup, report).empty()) return std::nullopt;
  const SampledBy& by = *drawn_by_pct(report);
  return Certificate{.depth = sim::PctOptions{}.depth,
                     .steps = report.thought_steps,
                     .chains = std::max<std::uint64_t>(1, by.chains),
                     .runs = by.runs};
}

}  // namespace lockstep::properties
