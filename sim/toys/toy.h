// toy.h: what all toys have in common, so that each file holds only the thing itself.
#pragma once

#include "sim/base/digest.h"
#include "sim/base/fields.h"
#include "sim/search/symmetry.h"
#include "sim/toys/move.h"

namespace lockstep::sim::toys {

/// A toy derives from this and adds initial, enabled, apply and violated. `verbs` is its table of moves.
template <sim::State StateOfToy, const auto& verbs>
struct Toy {
  using State = StateOfToy;
  using Move = toys::Move;

  Digest digest(const State& state) const { return digest_of(state); }
  void encode_state(const State& state, Encoder& out) const { encode(out, state); }
  std::string show(const Move& move) const { return show_move(verbs, move); }
  Result<Move> parse(std::string_view text) const { return parse_move(verbs, text); }

  template <class Who, class What>
  static Move move(Who who, What verb) { return make_move(verbs, who, verb); }
};

/// A toy with equal actors adds classes, signature, and `permuted(state, permutation)`: the same state with
/// every actor called by its new name.
template <class ThisToy, sim::State StateOfToy, const auto& verbs>
struct SymmetricToy : Toy<StateOfToy, verbs> {
  Digest digest_permuted(const StateOfToy& s, Permutation p) const {
    return digest_of(ThisToy::permuted(s, p));
  }
  void encode_permuted(const StateOfToy& s, Permutation p, Encoder& out) const {
    encode(out, ThisToy::permuted(s, p));
  }
};

/// The actors from 0 on, all equal.
inline ActorClass class_of(std::size_t actors, std::uint16_t first = 0) {
  ActorClass all(actors);
  std::iota(all.begin(), all.end(), first);
  return all;
}

}  // namespace lockstep::sim::toys
