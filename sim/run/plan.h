// plan.h: a trail whose moves have been read by their system, and the way back.
//
// A Plan is to a Trail what moves are to their text. `record_all` writes every decision of a run, which makes
// a strict trail; `record_deviations` writes those in which the run left the default schedule. Both replay
// to exactly the same run, the second because the default moves in between follow from the system.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/run/run.h"
#include "sim/trail/trail.h"

namespace lockstep::sim {

template <MoveLike M>
struct PlannedMove {
  std::size_t step = 0;
  std::optional<Choice> choice;  // absent: wherever the move stands
  M move{};
  bool operator==(const PlannedMove&) const = default;
};

template <MoveLike M>
struct Plan {
  std::vector<PlannedMove<M>> moves;  // steps ascend
  Then then;
};

/// Reads the moves of a trail; a move that this system does not know is a Problem that names its step.
template <System S>
Result<Plan<typename S::Move>> plan_of(const S& system, const Trail& trail) {
  Plan<typename S::Move> plan{.moves = {}, .then = trail.then};
  for (const TrailLine& line : trail.lines) {
    const auto move = system.parse(line.move);
    if (!move) return Problem{fmt::format("step {}: {}", line.step, move.problem().text)};
    plan.moves.push_back({line.step, line.choice, *move});
  }
  return plan;
}

/// Every decision of a run, to be followed exactly.
template <MoveLike M>
Plan<M> plan_of(std::span<const Decision<M>> decisions) {
  Plan<M> plan;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const Decision<M>& decision = decisions[i];
    plan.moves.push_back({i + 1, Choice{decision.index, decision.arity}, decision.move});
  }
  return plan;
}

/// The decisions in which a run left the default schedule, with the step at which each was made.
template <MoveLike M>
Plan<M> deviations_of(std::span<const Decision<M>> decisions) {
  Plan<M> plan = plan_of(decisions);
  std::erase_if(plan.moves, [&](const auto& planned) { return !decisions[planned.step - 1].is_deviation(); });
  plan.then = {.by_default = true, .until = decisions.size()};
  return plan;
}

template <System S>
std::vector<TrailLine> lines_of(const S& system, const Plan<typename S::Move>& plan) {
  std::vector<TrailLine> lines;
  for (const auto& planned : plan.moves)
    lines.push_back({planned.step, planned.choice, system.show(planned.move)});
  return lines;
}

/// Puts the decisions of a run into `trail`, all of them.
template <System S>
void record_all(const S& system, std::span<const Decision<typename S::Move>> decisions, Trail& trail) {
  const auto plan = plan_of(decisions);
  trail.lines = lines_of(system, plan);
  trail.then = plan.then;
}

/// Puts the deviations of a run into `trail`; what replays is the same run.
template <System S>
void record_deviations(const S& system, std::span<const Decision<typename S::Move>> decisions, Trail& trail) {
  const auto plan = deviations_of(decisions);
  trail.lines = lines_of(system, plan);
  trail.then = plan.then;
}

}  // namespace lockstep::sim
