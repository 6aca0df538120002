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
// nothing can be left out, or where that would become too much (fusing.h); every state that is stored has all
// its moves, and therefore no move is put off for ever (the cycle proviso).
//
// States stand in their normal forms, here and behind this: so what is listed follows from what a search
// tells states apart by. Paths are those from there; `unfused` finds the moves that do the same to what a run
// has.
//
// A fused state may be an end of some run (dead_end.h): where a move would lead out of an ending, the state
// is stored. Reduced is a System like the one behind it, so that everything that searches does goes over it:
// workers, symmetry, ranks, limits. `unfused` says all decisions of its trails.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/verify.h"
#include "sim/run/run.h"
#include "sim/search/dead_end.h"
#include "sim/search/fusing.h"
#include "sim/search/outcome.h"
#include "sim/search/symmetry.h"
#include "sim/search/taking.h"
#include "sim/system.h"

namespace lockstep::sim {

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

  /// What a search asks of a path.
  struct Listed {
    typename Fusing<S>::End end;
    bool timely = false;
    WitnessMask shown = 0;
    bool is_fault() const { return end.faulty; }
    bool passes_time() const { return timely; }
  };

  /// `system` must outlive it.
  explicit Reduced(S& system) : system_(system), fusing_(system) {}

  State initial() const {
    State first = system_.initial();
    normalise(system_, first);
    return first;
  }

  void enabled(const State& state, std::vector<Move>& paths) const {
    find_paths(state);
    paths.clear();
    for (std::size_t i = 0; i < firsts_.size(); ++i) {
      path_.assign(1, moves_[i]);
      passed_.clear();
      spell(End{firsts_[i]}.behind(moves_[i]), paths);
    }
    VERIFY(paths.size() == listed_.size());
  }
  /// The same list, of what a search asks of paths; not which moves they have.
  const std::vector<Listed>& listed(const State& state) const {
    find_paths(state);
    spelt_.clear();
    return listed_;
  }
  /// The path in this place of those that were listed last, from `state`.
  const Move& move_listed(std::size_t place) const {
    if (spelt_.empty()) enabled(from_, spelt_);
    return spelt_[place];
  }

  WitnessMask apply(State& state, const Move& path) {
    WitnessMask shown = 0;
    for (const auto& move : path.moves) {
      shown |= system_.apply(state, move);
      normalise(system_, state);
    }
    return shown;
  }
  /// The path in this place of those that were listed last.
  WitnessMask apply_listed(State& state, std::size_t place) {
    state = fusing_.state(listed_[place].end.number);
    return listed_[place].shown;
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
  void ask_meanwhile(std::function<bool()> stop) { fusing_.ask_meanwhile(std::move(stop)); }
  bool was_cut() const { return was_cut_; }
  bool must_stop() const
    requires requires(const S& rules) { rules.must_stop(); }
  {
    return system_.must_stop();
  }
  std::uint64_t bytes() const
    requires requires(const S& rules) { rules.bytes(); }
  {
    return system_.bytes() + fusing_.bytes();
  }

 private:
  using End = typename Fusing<S>::End;

  void find_paths(const State& state) const {
    fusing_.forget_some();
    from_ = state;
    listed_.clear();
    firsts_.clear();
    was_cut_ = false;
    system_.enabled(state, moves_);
    for (const auto& move : moves_) {
      State next = state;
      WitnessMask shown = system_.apply(next, move);
      normalise(system_, next);
      const auto looked = fusing_.look(next);
      if (!looked) return give_up();
      const std::uint32_t first = firsts_.emplace_back(*looked);
      shown |= fusing_.shown(first);
      fusing_.for_each_end(first, [&](const End& end) {
        listed_.push_back({end.behind(move), move.passes_time(), shown});
        shown = 0;  // by any of these paths
      });
    }
  }

  void give_up() const {
    was_cut_ = true;
    listed_.clear();
    firsts_.clear();
  }

  /// Adds the paths that go on from a state, in the order of their ends.
  void spell(const End& at, std::vector<Move>& paths) const {
    if (fusing_.is_among(passed_, at)) return;
    passed_.push_back(at);
    if (!fusing_.is_fused(at.number)) return paths.push_back({path_});
    std::vector<typename S::Move> moves;
    std::vector<std::uint32_t> numbers;
    fusing_.next_of(at.number, moves, numbers);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      path_.push_back(moves[i]);
      spell(End{numbers[i], at.faulty}.behind(moves[i]), paths);
      path_.pop_back();
    }
  }

  S& system_;
  mutable Fusing<S> fusing_;
  // What was listed last: from where; its first moves, and what they lead to; and the paths.
  mutable State from_{};
  mutable std::vector<typename S::Move> moves_;
  mutable std::vector<std::uint32_t> firsts_;
  mutable std::vector<Listed> listed_;
  mutable bool was_cut_ = false;  // there is no list: it had to stop
  mutable std::vector<Move> spelt_;  // if they were asked for
  // Of the path that is being spelt: its moves; and the states that paths with its first move have passed.
  mutable std::vector<typename S::Move> path_;
  mutable std::vector<End> passed_;
};

/// The place of the move that leads from `at` to a state with this normal form: if it can be, the one that
/// is called like this one, and else one of the same kind. A run may know for a while what its normal form
/// has forgotten; then it is the one that is called so.
template <ReducibleSystem S>
std::size_t place_of_move_to(S& system, const typename S::State& at, const typename S::State& normal,
                             const typename S::Move& like, const std::vector<typename S::Move>& moves) {
  const auto leads_there = [&](const typename S::Move& move) {
    typename S::State next = at;
    system.apply(next, move);
    normalise(system, next);
    return system.digest(next) == system.digest(normal);
  };
  const auto same = std::find(moves.begin(), moves.end(), like);
  if (same != moves.end() && leads_there(*same)) return static_cast<std::size_t>(same - moves.begin());
  const auto other = std::find_if(moves.begin(), moves.end(), [&](const typename S::Move& move) {
    return move.is_fault() == like.is_fault() && move.passes_time() == like.passes_time() &&
           leads_there(move);
  });
  const auto found = other != moves.end() ? other : same;
  VERIFY(found != moves.end());
  return static_cast<std::size_t>(found - moves.begin());
}

/// All decisions of a trail of Reduced<S>, as S itself has them; `at` is where it begins, and then where it
/// ends.
template <ReducibleSystem S>
Decisions<S> unfused(S& system, typename S::State& at, const Decisions<Reduced<S>>& trail) {
  Decisions<S> all;
  std::vector<typename S::Move> moves;
  typename S::State normal = at;
  normalise(system, normal);
  for (const auto& decision : trail)
    for (const auto& move : decision.move.moves) {
      system.apply(normal, move);
      normalise(system, normal);
      system.enabled(at, moves);
      const std::size_t place = place_of_move_to(system, at, normal, move, moves);
      all.push_back(detail::decision(moves, place));
      system.apply(at, moves[place]);
      freeze_written(system, at);
    }
  return all;
}

}  // namespace lockstep::sim
