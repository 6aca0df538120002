#include "tools/step/stepper.h"

#include <fmt/format.h>

#include "properties/check/check.h"
#include "reports/text/text.h"
#include "reports/text/wording.h"
#include "sim/run/replay.h"
#include "tools/cli/lock_view.h"

namespace lockstep::tools {

Stepper::Stepper(const model::Setup& setup) : setup_(setup), system_(setup) {
  states_.push_back(system_.initial());
  list();
}

void Stepper::list() { system_.enabled(states_.back(), moves_); }

std::optional<sim::Problem> Stepper::follow(const sim::Trail& trail) {
  auto plan = sim::plan_of(system_, trail);
  if (!plan) return plan.problem();
  const auto replayed = sim::replay<System>(system_, *std::move(plan), {.stop_at = 0},
                                            [&](const sim::Step<System>& step) {
                                              decisions_.push_back(step.decision);
                                              states_.push_back(step.state);
                                            });
  list();
  if (!replayed.divergence) return std::nullopt;
  return sim::Problem{"the run left the trail\n" + sim::text_of(*replayed.divergence)};
}

void Stepper::choose(std::size_t index) {
  VERIFY(index < moves_.size());
  System::State next = states_.back();
  system_.apply(next, moves_[index]);
  decisions_.push_back(
      {moves_[index], static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(moves_.size())});
  states_.push_back(std::move(next));
  list();
}

void Stepper::take(const sim::Decision<model::Move>& decision) {
  System::State next = states_.back();
  system_.apply(next, decision.move);
  decisions_.push_back(decision);
  states_.push_back(std::move(next));
  list();
}

bool Stepper::undo() {
  if (decisions_.empty()) return false;
  decisions_.pop_back();
  states_.pop_back();
  list();
  return true;
}

std::optional<std::size_t> Stepper::by_default() const {
  if (moves_.empty()) return std::nullopt;
  return sim::default_pick(std::span<const model::Move>(moves_));
}

std::size_t Stepper::jump() {
  constexpr std::size_t steps_max = 10'000;  // a lock that is renewed for ever
  const std::string before = lock_view(states_.back(), setup_);
  std::size_t steps = 0;
  while (steps < steps_max) {
    const auto picked = by_default();
    if (!picked) break;
    choose(*picked);
    ++steps;
    if (lock_view(states_.back(), setup_) != before) break;
  }
  return steps;
}

std::string Stepper::shown() const {
  const auto& state = states_.back();
  const auto now = std::chrono::duration_cast<std::chrono::microseconds>(state.world.now.since_start);
  std::string text = fmt::format("step {} · {}\n", steps(), reports::time_text(now.count()));
  const std::string view = lock_view(state, setup_);
  for (std::size_t at = 0; at < view.size();) {
    const std::size_t end = std::min(view.find('\n', at), view.size());
    text += "  " + view.substr(at, end - at) + '\n';
    at = end + 1;
  }
  if (moves_.empty()) return text + "  nothing more can happen\n";
  for (std::size_t i = 0; i < moves_.size(); ++i)
    text += fmt::format("{:>4}  {}{}\n", i, reports::printable(system_.show(moves_[i])),
                        moves_[i].is_fault() ? "   (fault)" : i == 0 ? "   (default)" : "");
  return text;
}

std::string Stepper::told_since(std::size_t steps) const {
  const properties::Told told = properties::tell(setup_, trail());
  std::string text;
  std::size_t decision = 0;
  for (const sim::TraceEvent& event : told.trace.events) {
    if (event.choice) ++decision;
    if (decision <= steps) continue;
    const std::string changes = reports::changes_text(told.trace, event);
    text += fmt::format("  {:<5} {}{}{}\n", reports::printable(event.who),
                        reports::event_text(told.trace, event), changes.empty() ? "" : "   ", changes);
  }
  return text;
}

sim::Trail Stepper::trail() const {
  const bool violated = system_.violated(states_.back()) != 0;
  sim::Trail trail = properties::trail_header(setup_, "", violated ? "violated" : "passed");
  sim::record_all<System>(system_, decisions_, trail);
  return trail;
}

}  // namespace lockstep::tools
