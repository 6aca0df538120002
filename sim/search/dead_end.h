// dead_end.h: states from which no end can be reached, whatever happens by itself.
//
// A state without moves that is no end is one; so is each state of a cycle that cannot be left. The adversary
// need not act, so a way to an end that needs one of its moves does not count.
//
// A system may ask for several endings, each of which must stay possible from every state: endings_asked()
// has a bit for each, and ended(state) those that a state is. Without these there is one, `finished`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "sim/search/edges.h"
#include "sim/search/seen_states.h"
#include "sim/system.h"

namespace lockstep::sim {

using EndingMask = std::uint64_t;

template <System S>
EndingMask endings_asked(const S& system) {
  if constexpr (!EndingSystem<S>) return 0;
  else if constexpr (requires { system.endings_asked(); }) return system.endings_asked();
  else return 1;
}

template <System S>
EndingMask endings_of(const S& system, const typename S::State& state) {
  if constexpr (!EndingSystem<S>) return 0;
  else if constexpr (requires { system.ended(state); }) return system.ended(state);
  else return system.finished(state) ? 1 : 0;
}

/// The first such state of a finished search; `finished` says by state whether it is an end.
std::optional<std::uint32_t> first_dead_end(const Edges& edges, const std::vector<bool>& finished);

/// Looks for a way to each ending that is asked for.
///
/// By turns it goes down one way, taking the first move that leads somewhere new, and on from the oldest
/// state that was left: most ways lead to an end and one is enough, and where that one goes on for ever, the
/// short ones are tried beside it.
template <EndingSystem S>
class WayOut {
 public:
  using State = typename S::State;

  WayOut(S& system, std::size_t states_max) : system_(system), states_max_(states_max) {}

  /// Nothing if more than `states_max` states would have to be met.
  std::optional<bool> from(State state) {
    seen_.insert(state);
    std::optional<State> down = std::move(state);
    for (;;) {
      if (!down) {
        if (left_.empty()) return false;
        down = oldest();
      }
      down = gone_on_from(*std::exchange(down, std::nullopt), Others::left);
      if (asked_ == 0) return true;
      if (!left_.empty()) gone_on_from(oldest(), Others::all);
      if (asked_ == 0) return true;
      if (met_ > states_max_) return std::nullopt;
    }
  }

 private:
  enum class Others : std::uint8_t { left, all };

  State oldest() {
    State state = std::move(left_.front());
    left_.pop_front();
    return state;
  }

  /// The first new state that follows, unless it is left like the others.
  std::optional<State> gone_on_from(const State& state, Others others) {
    asked_ &= ~endings_of(system_, state);
    std::optional<State> first;
    system_.enabled(state, moves_);
    for (const auto& move : moves_) {
      if (move.is_fault()) continue;
      State child = state;
      system_.apply(child, move);
      if (!seen_.insert(child).fresh) continue;
      ++met_;
      if (others == Others::left && !first) first = std::move(child);
      else left_.push_back(std::move(child));
    }
    return first;
  }

  S& system_;
  std::size_t states_max_, met_ = 1;
  SeenStates<S> seen_{system_, StateKey::digest, false};
  std::deque<State> left_;
  std::vector<typename S::Move> moves_;
  EndingMask asked_ = endings_asked(system_);
};

/// Whether each ending that is asked for can be reached from here; nothing if that needs more than
/// `states_max` states.
template <EndingSystem S>
std::optional<bool> can_end(S& system, typename S::State from, std::size_t states_max) {
  return WayOut<S>(system, states_max).from(std::move(from));
}

}  // namespace lockstep::sim
