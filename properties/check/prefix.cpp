#include "properties/check/prefix.h"

#include <fmt/format.h>

#include "sim/run/replay.h"

namespace lockstep::properties {

namespace {

constexpr std::size_t told_max = 6;  // of what may happen instead

std::string instead(const sim::Divergence& divergence) {
  if (divergence.enabled.empty()) return "nothing is left to happen there";
  std::string text = "there may happen ";
  for (std::size_t i = 0; i < std::min(divergence.enabled.size(), told_max); ++i)
    text += fmt::format("{}`{}`", i == 0 ? "" : ", ", divergence.enabled[i]);
  if (divergence.enabled.size() > told_max)
    text += fmt::format(" and {} more", divergence.enabled.size() - told_max);
  return text;
}

}  // namespace

Prefix prefix_of(const Setup& setup) {
  if (setup.prefix.empty()) return {};
  Checked system(setup, {.watch_instants = false});
  sim::Plan<model::Move> plan;
  for (std::size_t i = 0; i < setup.prefix.size(); ++i) {
    const auto line = sim::parse_decision(setup.prefix[i], plan.moves.empty() ? 0 : plan.moves.back().step);
    if (!line) return {{}, Misfit{i, line.problem().text}};
    const auto move = system.parse(line->move);
    if (!move) return {{}, Misfit{i, move.problem().text}};
    plan.moves.push_back({line->step, line->choice, *move});
  }
  auto replayed = sim::replay(system, plan);
  Prefix prefix{std::move(replayed.run.trail), {}};
  if (!replayed.divergence) return prefix;
  const std::size_t step = replayed.divergence->step;
  const auto at = std::find_if(plan.moves.begin(), plan.moves.end(),
                               [&](const auto& planned) { return planned.step == step; });
  prefix.misfit =
      Misfit{static_cast<std::size_t>(at - plan.moves.begin()),
             fmt::format("no run takes this decision at step {}: {}", step, instead(*replayed.divergence))};
  return prefix;
}

std::optional<std::string> why_misfit(const Setup& setup, const Prefix& prefix) {
  if (!prefix.misfit) return std::nullopt;
  return fmt::format("its prefix does not fit: `{}`: {}", setup.prefix[prefix.misfit->line],
                     prefix.misfit->why);
}

}  // namespace lockstep::properties
