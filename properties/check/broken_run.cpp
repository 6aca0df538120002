#include "properties/check/broken_run.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "properties/check/small_run.h"
#include "properties/monitors/all_properties.h"
#include "sim/base/verify.h"
#include "sim/run/replay.h"

namespace lockstep::properties {

Decisions played_on(Checked& system, Decisions trail) {
  Checked::State state = system.initial();
  for (const auto& decision : trail) system.apply(state, decision.move);
  sim::DefaultSchedule<Checked> policy;
  const auto on = sim::run(system, std::move(state), policy, {.stop_at = 0, .unwatched = 0});
  trail.insert(trail.end(), on.trail.begin(), on.trail.end());
  return trail;
}

namespace {

/// Writes a run down in a system that lists its moves otherwise.
class InParts {
 public:
  explicit InParts(const Setup& setup)
      : system_(setup, {.watch_instants = false}), state_(system_.initial()) {}

  void make(const model::Move& move) {
    if (move.passes_time()) {
      left_ += Duration{move.by};
      return;
    }
    pass();
    take([&](const model::Move& listed) { return listed == move; }, move);
  }

  Decisions end() && {
    pass();
    return std::move(run_);
  }

 private:
  void pass() {
    const auto passes = [](const model::Move& listed) { return listed.passes_time(); };
    while (left_ > Duration::zero()) {
      const Duration span{take(passes, std::nullopt).by};
      left_ -= span;
    }
  }

  template <class Wanted>
  model::Move take(Wanted wanted, std::optional<model::Move> move) {
    system_.enabled(state_, moves_);
    const auto found = std::find_if(moves_.begin(), moves_.end(), wanted);
    VERIFY(found != moves_.end());
    if (!move) move = left_ < system_.span(*found) ? system_.shortened(*found, left_) : *found;
    run_.push_back({*move, static_cast<std::uint32_t>(found - moves_.begin()),
                    static_cast<std::uint32_t>(moves_.size())});
    system_.apply(state_, *move);
    return *move;
  }

  Checked system_;
  Checked::State state_;
  std::vector<model::Move> moves_;
  Duration left_{};
  Decisions run_;
};

}  // namespace

Decisions in_parts(const Setup& setup, const Decisions& decisions) {
  InParts run(setup);
  for (const auto& decision : decisions) run.make(decision.move);
  return std::move(run).end();
}

Decisions shrunk(const Checked& system, const CheckOptions& options, Property property,
                 const Decisions& trail, bool is_shortest) {
  const auto says_yes = [](const std::function<bool()>& asked) { return asked && asked(); };
  const HowSmall how{.runs_max = options.shrink_runs,
                     .stop = [&] {
                       return says_yes(options.outside.interrupted) || says_yes(options.outside.time_is_up);
                     },
                     .states_max = options.shrink_states,
                     .is_shortest = is_shortest};
  auto small = small_run(system, trail, property, how);
  return small ? std::move(small->trail) : trail;
}

RecordedRun recorded(const Checked& system, const Setup& setup, const MadeMoves& made, Property property,
                     const Decisions& decisions) {
  RecordedRun run;
  run.trail = trail_header(setup, std::string(name_of(property, setup)), "violated");
  run.deviations = run.trail;
  Decisions whole = made;
  whole.insert(whole.end(), decisions.begin(), decisions.end());
  if (setup.exact) whole = in_parts(setup, whole);
  sim::record_all<Checked>(system, whole, run.trail);
  sim::record_deviations<Checked>(system, whole, run.deviations);
  return run;
}

std::string name_of_sent(const model::LockKind& kind, const lua::Script& script) {
  return kind.scheme == nullptr ? script.role : fmt::format("{}:{}", kind.name, script.role);
}

std::set<std::string> roles_sent(const Checked& system, const Setup& setup) {
  std::set<std::string> roles;
  for (std::size_t kind = 0; kind < setup.kinds.size(); ++kind)
    for (std::size_t role = 0; role < setup.kinds[kind]->roles.size(); ++role) {
      if ((system.sent()[kind] >> role & 1) == 0) continue;
      for (const lua::ScriptSet* set : setup.script_sets())
        if (const lua::Script* script = model::script_for(setup.kinds[kind]->roles[role], *set))
          roles.insert(name_of_sent(*setup.kinds[kind], *script));
    }
  return roles;
}

}  // namespace lockstep::properties
