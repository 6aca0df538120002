// reduction.h: partial-order reduction of a search: moves that may change places with all others are not
// taken in every order.
//
// A system says which of the moves of a state are enough (ReducibleSystem): a persistent set. Whatever the
// others may do before one of these, they leave them as they are and lead to the same states in both orders,
// so all that can be reached otherwise can be reached behind them, too. What monitors remember is part of the
// state, and what is violated stays violated, so what one order shows in between the other shows at its end.
//
// A state in which some moves are enough, or in which there is only one, is not stored: each of those moves
// is fused with the moves that led there. So a move of the reduced system is a path. It ends in a state where
// nothing can be left out; every state that is stored has all its moves, and therefore no move is put off
// for ever (the cycle proviso). Where paths come round, or become too long or too many, they are not begun.
//
// A fused state may be an end of some run (dead_end.h): where a move would lead out of an ending, the state
// is stored. Reduced is a System like the one behind it, so that everything that searches does goes over it:
// workers, symmetry, ranks, limits. `unfused` says all decisions of its trails.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/verify.h"
#include "sim/run/run.h"
#include "sim/search/dead_end.h"
#include "sim/search/outcome.h"
#include "sim/search/symmetry.h"
#include "sim/search/taking.h"
#include "sim/system.h"

namespace lockstep::sim {

/// `enough_of` fills `places` with the ascending places of moves that are enough among all that `state` has;
/// with nothing if none can be left out. They pass no time, and one of them at least is not the adversary's.
template <class S>
concept ReducibleSystem =
    System<S> && requires(S& system, const typename S::State& state,
                          const std::vector<typename S::Move>& moves, std::vector<std::size_t>& places) {
      { system.enough_of(state, moves, places) } -> std::same_as<void>;
    };

/// Moves that are taken one after the other; at least one. Only the first may pass time.
template <MoveLike M>
struct Path {
  std::vector<M> moves;

  Actor actor() const { return moves.front().actor(); }
  bool is_fault() const {
    return std::any_of(moves.begin(), moves.end(), [](const M& move) { return move.is_fault(); });
  }
  bool passes_time() const { return moves.front().passes_time(); }
  friend auto operator<=>(const Path&, const Path&) = default;
};

template <ReducibleSystem S>
class Reduced {
 public:
  using State = typename S::State;
  using Move = Path<typename S::Move>;

  /// `system` must outlive it.
  explicit Reduced(S& system) : system_(system) {}

  State initial() const { return system_.initial(); }

  void enabled(const State& state, std::vector<Move>& paths) const {
    find_paths(state);
    paths = paths_;
  }
  const std::vector<Move>& listed(const State& state) const {
    find_paths(state);
    return paths_;
  }

  WitnessMask apply(State& state, const Move& path) {
    WitnessMask shown = 0;
    for (const auto& move : path.moves) shown |= step(state, move);
    return shown;
  }
  /// The path in this place of those that were listed last, for the first time.
  WitnessMask apply_listed(State& state, std::size_t place) {
    state = std::move(ends_[place].state);
    return ends_[place].shown;
  }

  // What does not depend on which moves are left out.
  Digest digest(const State& state) const { return system_.digest(state); }
  void encode_state(const State& state, Encoder& out) const { system_.encode_state(state, out); }
  PropertyMask violated(const State& state) const { return system_.violated(state); }
  std::string show(const Move& path) const { return system_.show(path.moves.front()); }
  Result<Move> parse(std::string_view text) const {
    auto first = system_.parse(text);
    if (!first) return first.problem();
    return Move{{*std::move(first)}};
  }
  State normal(const State& state) const
    requires NormalisingSystem<S>
  {
    return system_.normal(state);
  }
  bool finished(const State& state) const
    requires EndingSystem<S>
  {
    return system_.finished(state);
  }
  EndingMask endings_asked() const
    requires EndingSystem<S>
  {
    return lockstep::sim::endings_asked(system_);
  }
  EndingMask ended(const State& state) const
    requires EndingSystem<S>
  {
    return endings_of(system_, state);
  }
  ActorClasses classes() const
    requires SymmetricSystem<S>
  {
    return system_.classes();
  }
  Digest signature(const State& state, std::size_t actor) const
    requires SymmetricSystem<S>
  {
    return system_.signature(state, actor);
  }
  Digest inner_signature(const State& state, std::size_t actor) const
    requires requires(const S& rules) { rules.inner_signature(state, actor); }
  {
    return system_.inner_signature(state, actor);
  }
  Digest digest_permuted(const State& state, Permutation permutation) const
    requires SymmetricSystem<S>
  {
    return system_.digest_permuted(state, permutation);
  }
  void encode_permuted(const State& state, Permutation permutation, Encoder& out) const
    requires SymmetricSystem<S>
  {
    system_.encode_permuted(state, permutation, out);
  }
  auto known_orders(const State& state, Ranking& ranking) const
    requires requires(const S& rules) { rules.known_orders(state, ranking); }
  {
    return system_.known_orders(state, ranking);
  }
  Digest digest_called(const State& state, std::uint32_t order) const
    requires requires(const S& rules) { rules.digest_called(state, order); }
  {
    return system_.digest_called(state, order);
  }
  State adopt(Reduced& other, const State& state)
    requires requires(S& rules) { rules.adopt(rules, state); }
  {
    return system_.adopt(other.system_, state);
  }
  void freeze(State& state)
    requires requires(S& rules) { rules.freeze(state); }
  {
    system_.freeze(state);
  }
  bool must_stop() const
    requires requires(const S& rules) { rules.must_stop(); }
  {
    return system_.must_stop();
  }
  std::uint64_t bytes() const
    requires requires(const S& rules) { rules.bytes(); }
  {
    return system_.bytes();
  }

 private:
  static constexpr std::size_t path_max = 64, passed_max = 128;

  struct End {
    State state;
    WitnessMask shown = 0;
  };

  /// A state that was fused, and whether the adversary moved on the way to it.
  struct Passed {
    State state;
    bool faulty = false;
    bool on_path = false;
  };

  WitnessMask step(State& state, const typename S::Move& move) const {
    const WitnessMask shown = system_.apply(state, move);
    freeze_written(system_, state);
    return shown;
  }

  void find_paths(const State& state) const {
    paths_.clear();
    ends_.clear();
    std::vector<typename S::Move> moves;
    system_.enabled(state, moves);
    for (const auto& move : moves) {
      State child = state;
      shown_ = step(child, move);
      const std::size_t first = paths_.size();
      path_.assign(1, move);
      passed_.clear();
      if (!follow(child, move.is_fault())) {
        paths_.resize(first);
        ends_.resize(first);
        paths_.push_back({{move}});
        ends_.push_back({std::move(child), 0});
      }
      if (first < ends_.size()) ends_[first].shown = shown_;  // by any of these paths
    }
  }

  /// Takes what is enough until nothing can be left out; of two paths to one state only the first. False:
  /// that is too much, or comes round.
  bool follow(const State& state, bool faulty) const {
    const auto is_this = [&](const Passed& one) { return one.faulty == faulty && one.state == state; };
    const auto before = std::find_if(passed_.begin(), passed_.end(), is_this);
    if (before != passed_.end()) return !before->on_path;
    if (path_.size() > path_max || passed_.size() == passed_max) return false;
    const std::size_t here = passed_.size();
    passed_.push_back({state, faulty, true});
    std::vector<typename S::Move> moves;
    std::vector<std::size_t> places;
    system_.enabled(state, moves);
    find_enough(state, moves, places);
    std::vector<State> next;
    WitnessMask shown = 0;
    for (const std::size_t place : places) {
      next.push_back(state);
      shown |= step(next.back(), moves[place]);
      if ((endings_of(system_, state) & ~endings_of(system_, next.back())) != 0) places.clear();
      if (places.empty()) break;
    }
    if (places.empty()) {
      paths_.push_back({path_});
      ends_.push_back({state, 0});
      passed_[here].on_path = false;
      return true;
    }
    shown_ |= shown;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto& move = moves[places[i]];
      path_.push_back(move);
      const bool ended = follow(next[i], faulty || move.is_fault());
      path_.pop_back();
      if (!ended) return false;
    }
    passed_[here].on_path = false;
    return true;
  }

  void find_enough(const State& state, const std::vector<typename S::Move>& moves,
                   std::vector<std::size_t>& places) const {
    if (moves.size() == 1) {
      if (!moves.front().is_fault() && !moves.front().passes_time()) places.assign(1, 0);
      return;
    }
    system_.enough_of(state, moves, places);
    for (const std::size_t place : places) VERIFY(!moves[place].passes_time());
  }

  S& system_;
  // What was listed last.
  mutable std::vector<Move> paths_;
  mutable std::vector<End> ends_;
  mutable std::vector<typename S::Move> path_;
  mutable std::vector<Passed> passed_;  // since the first move of the path
  mutable WitnessMask shown_ = 0;       // likewise
};

/// All decisions of a trail of Reduced<S>, as S itself has them; `at` is where it begins, and then where it
/// ends.
template <ReducibleSystem S>
Decisions<S> unfused(S& system, typename S::State& at, const Decisions<Reduced<S>>& trail) {
  Decisions<S> all;
  std::vector<typename S::Move> moves;
  for (const auto& decision : trail)
    for (const auto& move : decision.move.moves) {
      system.enabled(at, moves);
      const auto found = std::find(moves.begin(), moves.end(), move);
      VERIFY(found != moves.end());
      all.push_back(detail::decision(moves, static_cast<std::size_t>(found - moves.begin())));
      system.apply(at, move);
      freeze_written(system, at);
    }
  return all;
}

}  // namespace lockstep::sim
