// surw.h: selectively uniform random walks (Zhao, Wolff, Mathur, Roychoudhury: "Selectively uniform
// concurrency testing", ASPLOS 2025).
//
// If it is known how many moves each actor will make, all orders of them are equally likely when the next
// actor is drawn with what it has left as its weight. A whole run has far too many orders; so each run
// selects one kind of move that several actors make, at times all kinds, and is uniform over their orders.
// Moves of other kinds are drawn in between as they come: they never decide which actor's selected move is
// next. How many there will be is taken from a run that was made before; if it is wrong, so is the weight,
// and nothing else.
//
// Faults strike at steps drawn beforehand (fault_points.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/random.h"
#include "sim/run/fault_points.h"
#include "sim/run/run.h"
#include "sim/run/weighted.h"

namespace lockstep::sim {

/// By kind of move: how many each actor made.
using MoveCounts = std::map<std::uint16_t, std::map<Actor, std::uint64_t>>;

template <MoveLike M>
MoveCounts counts_of(const std::vector<Decision<M>>& trail) {
  MoveCounts counts;
  for (const Decision<M>& one : trail)
    if (!one.move.is_fault()) ++counts[kind_of(one.move)][one.move.actor()];
  return counts;
}

struct SurwOptions {
  unsigned faults_max = 3;
  std::uint64_t steps = 200;  // how long a run is thought to be
};

template <System S>
class Surw final : public Policy<S> {
 public:
  using Move = typename S::Move;

  Surw(Random random, const MoveCounts& counts, SurwOptions options = {})
      : random_(random), faults_(random_.split(), options.faults_max, options.steps) {
    select(counts);
  }

  std::optional<std::size_t> pick(const S&, const typename S::State&, std::span<const Move> moves) override {
    if (const auto fault = faults_.strike(moves)) return fault;
    if (!next_) next_ = drawn(left_);
    find_candidates(moves);
    if (candidates_.empty()) {
      // The one whose turn it is cannot go on before another does.
      next_ = drawn(able(moves));
      if (!next_) return std::nullopt;  // only faults are left
      find_candidates(moves);
    }
    const std::size_t index = candidates_[random_.below(candidates_.size())];
    if (is_selected(moves[index])) {
      std::uint64_t& left = of(left_, moves[index].actor());
      left -= left > 0 ? 1 : 0;
      next_.reset();
    }
    return index;
  }

 private:
  using Weights = std::vector<std::pair<Actor, std::uint64_t>>;  // few, by actor

  static typename Weights::iterator place_of(Weights& weights, Actor actor) {
    return std::find_if(weights.begin(), weights.end(),
                        [&](const auto& one) { return !(one.first < actor); });
  }
  /// Of one that has none it is zero.
  static std::uint64_t& of(Weights& weights, Actor actor) {
    const auto place = place_of(weights, actor);
    if (place != weights.end() && place->first == actor) return place->second;
    return weights.insert(place, {actor, 0})->second;
  }

  /// Kinds of which there is one order only are not worth it.
  void select(const MoveCounts& counts) {
    std::vector<std::uint16_t> contested;
    Weights all;
    for (const auto& [kind, actors] : counts) {
      if (actors.size() > 1) contested.push_back(kind);
      for (const auto& [actor, count] : actors) of(all, actor) += count;
    }
    const std::uint64_t drawn = random_.below(contested.size() + 1);
    if (drawn < contested.size()) selected_ = contested[drawn];
    left_ = all;
    if (selected_) left_.assign(counts.at(*selected_).begin(), counts.at(*selected_).end());
  }

  bool is_selected(const Move& move) const { return !selected_ || kind_of(move) == *selected_; }

  void find_candidates(std::span<const Move> moves) {
    candidates_.clear();
    for (std::size_t i = 0; i < moves.size(); ++i)
      if (faults_.leaves(moves[i]) && (!is_selected(moves[i]) || moves[i].actor() == next_))
        candidates_.push_back(i);
  }

  const Weights& able(std::span<const Move> moves) {
    able_.clear();
    for (const Move& move : moves) {
      if (!faults_.leaves(move)) continue;
      const Actor actor = move.actor();
      std::uint64_t& weight = of(able_, actor);
      if (weight != 0) continue;
      const auto left = place_of(left_, actor);
      weight = left == left_.end() || left->first != actor ? 1 : std::max<std::uint64_t>(1, left->second);
    }
    return able_;
  }

  std::optional<Actor> drawn(const Weights& weights) {
    std::uint64_t sum = 0;
    for (const auto& [actor, weight] : weights) sum += weight;
    if (sum == 0) return std::nullopt;
    std::uint64_t at = random_.below(sum);
    for (const auto& [actor, weight] : weights) {
      if (at < weight) return actor;
      at -= weight;
    }
    return std::nullopt;
  }

  Random random_;
  FaultPoints faults_;
  std::optional<std::uint16_t> selected_;  // absent: all kinds
  Weights left_;                           // selected moves that each actor is thought to make yet
  std::optional<Actor> next_;              // whose selected move comes next
  Weights able_;                           // kept for its memory only
  std::vector<std::size_t> candidates_;
};

}  // namespace lockstep::sim
