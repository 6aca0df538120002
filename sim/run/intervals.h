// intervals.h: a policy for systems in which some moves may be made at any instant of an interval: it draws
// that instant uniformly, and lets another policy decide the rest.
//
// When such a move is first listed, its instant is drawn between now and the last one at which it may be
// made. Until then it is held back, and time passes no further than to the earliest instant drawn; then it
// comes before time passes on. So a run also stops at instants between those that a search visits.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "sim/base/random.h"
#include "sim/base/time.h"
#include "sim/run/policy.h"

namespace lockstep::sim {

/// `slack`: how much longer a listed move may wait, if it may wait for a time that is bounded. `span`: how
/// far a move lets time pass. `shortened`: the same move letting less time pass.
template <class S>
concept IntervalSystem =
    System<S> && requires(const S& system, const typename S::State& state, const typename S::Move& move) {
      { system.slack(state, move) } -> std::same_as<std::optional<Duration>>;
      { system.span(move) } -> std::same_as<Duration>;
      { system.shortened(move, Duration{}) } -> std::same_as<typename S::Move>;
    };

template <IntervalSystem S>
class InIntervals final : public Policy<S> {
 public:
  using Move = typename S::Move;

  InIntervals(Random random, Policy<S>& inner) : random_(random), inner_(inner) {}

  std::optional<std::size_t> pick(const S& system, const typename S::State& state,
                                  std::span<const Move> moves) override {
    system_ = &system;
    if constexpr (requires { system.may_wait(state); }) {
      // A system may know that no listed move may.
      if (!system.may_wait(state)) {
        instants_.clear();
        next_ = never;
        is_due_ = false;
        return inner_.pick(system, state, moves);
      }
    }
    draw(state, moves);
    listed_.clear();
    places_.clear();
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (is_held_back(moves[i])) continue;
      listed_.push_back(moves[i]);
      places_.push_back(i);
    }
    if (listed_.empty()) return inner_.pick(system, state, moves);
    const auto picked = inner_.pick(system, state, listed_);
    if (!picked) return std::nullopt;
    instants_.erase(listed_[*picked]);
    return places_[*picked];
  }

  Move taken(const Move& listed) override {
    const Duration span = system_->span(listed);
    const Duration passed = std::min(span, next_ - now_);
    now_ += passed;
    return passed == span ? listed : system_->shortened(listed, passed);
  }

 private:
  /// Moves that are no longer listed have been made, or cannot be.
  void draw(const typename S::State& state, std::span<const Move> moves) {
    std::map<Move, Duration> instants;
    next_ = never;
    is_due_ = false;
    for (const Move& move : moves) {
      if (move.is_fault() || move.passes_time()) continue;
      const auto slack = system_->slack(state, move);
      if (!slack) continue;
      const auto known = instants_.find(move);
      const Duration instant =
          known != instants_.end()
              ? known->second
              : now_ + Duration(random_.below(static_cast<std::uint64_t>(slack->count()) + 1));
      instants[move] = instant;
      if (instant > now_) next_ = std::min(next_, instant);
      else is_due_ = true;
    }
    instants_.swap(instants);
  }

  bool is_held_back(const Move& move) const {
    if (move.passes_time()) return is_due_;
    const auto found = instants_.find(move);
    return found != instants_.end() && found->second > now_;
  }

  Random random_;
  Policy<S>& inner_;
  const S* system_ = nullptr;
  Duration now_{};                     // the time that has passed in this run
  Duration next_ = never;              // the earliest instant drawn that is to come
  bool is_due_ = false;                // the instant of a listed move has come
  std::map<Move, Duration> instants_;  // of the listed moves that may wait
  std::vector<Move> listed_;
  std::vector<std::size_t> places_;
};

}  // namespace lockstep::sim
