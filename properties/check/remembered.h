// remembered.h: a checked scenario whose states are rows of numbers, and whose steps are remembered.
//
// It is the same System as the Checked behind it: the same moves in the same order, the same observations,
// verdicts and normal forms, so a search over it has the same counts and counterexamples; a test holds the
// two against each other (scenarios/reductions_prop.cpp). What a step does is asked of the Checked once for
// each content of the components that it reads, scripts included, and remembered (sim/search/recall.h).
//
// States are told apart by the digests of their components. A search that must not rest on digests
// (--exact), and one that looks at whole states, goes over the Checked itself.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "properties/check/checked.h"
#include "properties/check/known_moves.h"
#include "properties/check/memories.h"
#include "sim/search/recall.h"
#include "sim/search/symmetry.h"

namespace lockstep::properties {

class WaysWatch;

class Remembered {
 public:
  using State = sim::Row;
  using Move = model::Move;

  /// Whether the states of a scenario fit into rows.
  static bool fits(const Setup& setup);

  /// `system` must outlive it, and belongs to it alone meanwhile; runs begin at `start`.
  Remembered(Checked& system, const Checked::State& start, Memories memories = Memories::usual);
  Remembered(Remembered&&) noexcept;
  ~Remembered();

  State initial() const;
  void enabled(const State& state, std::vector<Move>& moves) const;
  /// The same list by numbers, which lasts until the next one is asked for; and a move of it by its place.
  /// Numbers of moves are those of others once more has been forgotten.
  const std::vector<KnownMove>& listed(const State& state) const;
  const Move& move_listed(std::size_t place) const;
  sim::WitnessMask apply(State& state, const Move& move);
  /// The move in this place of the list that `enabled` gave last.
  sim::WitnessMask apply_listed(State& state, std::size_t place);
  /// As Checked has it.
  void enough_of(const State& state, const std::vector<Move>& moves, std::vector<std::size_t>& places);
  /// The state as the Checked has it, until anything else is asked. What nobody may read of it, such as what
  /// time it is, it may not have.
  const Checked::State& whole(const State& row) const;
  /// Is told which ways scripts go; must outlive it. `last_ways`: those of the move that was taken last.
  void note_ways(WaysWatch* ways);
  const std::vector<std::uint32_t>& last_ways() const;
  /// Numbers mean something to one memory alone: the state here that equals one of another.
  State adopt(Remembered& other, const State& state);
  /// Something was met that the search must not go on with (Checked::must_stop).
  bool must_stop() const;
  sim::Digest digest(const State& state) const;
  void encode_state(const State& state, sim::Encoder& out) const;
  State normal(const State& state) const;
  /// The digest of that.
  sim::Digest normal_digest(const State& state) const;
  sim::PropertyMask violated(const State& state) const;
  bool finished(const State& state) const { return ended(state) == endings_asked(); }
  sim::EndingMask endings_asked() const;
  sim::EndingMask ended(const State& state) const;
  std::uint64_t bytes() const;
  /// How many contents of components are kept.
  std::size_t contents() const;
  /// How many different things steps showed.
  std::size_t shown() const;
  /// How often all that was remembered was forgotten.
  std::uint64_t times_forgotten() const;
  std::string show(const Move& move) const;
  sim::Result<Move> parse(std::string_view text) const;

  sim::ActorClasses classes() const;
  sim::Digest signature(const State& state, std::size_t actor) const;
  sim::Digest inner_signature(const State& state, std::size_t thread) const;
  sim::Digest digest_permuted(const State& state, sim::Permutation permutation) const;
  void encode_permuted(const State& state, sim::Permutation permutation, sim::Encoder& out) const;
  // By which names a state in its normal form may be called, remembered by signatures; absent if there are
  // too many. And the digest of one that is called so.
  const std::vector<std::uint32_t>* known_orders(const State& state, sim::Ranking& ranking) const;
  sim::Digest digest_called(const State& state, std::uint32_t order) const;

 private:
  class Memory;
  std::unique_ptr<Memory> memory_;  // what it keeps does not show
};

static_assert(sim::SymmetricSystem<Remembered>);
static_assert(sim::NormalisingSystem<Remembered>);
static_assert(sim::EndingSystem<Remembered>);

}  // namespace lockstep::properties
