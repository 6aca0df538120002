// system.h: everything an explorer may know about the thing it explores.
//
// A System is the immutable setup of a simulation together with its rules: it makes the initial state, lists
// what may happen next, and carries one of those moves out. A State is a regular value without pointers to
// other states; all uncertainty is in the choice of the move, so `apply` is a pure function of state and move
// (a System may keep caches, such as compiled scripts, that do not show in results).
//
// `enabled` lists moves in a canonical order, the default first: index 0 all the way down is the *default
// schedule*, and a counterexample is its few deviations from it. A state without moves is at rest.
//
// Masks: bit p of `violated` says that property p has been broken on the way to this state; once set it stays
// set, and it is part of the state: states that differ in it are two. `apply` returns the witnesses that the
// step showed (bit w: the premise of a property, or a `sometimes`, occurred).
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sim/base/digest.h"
#include "sim/base/result.h"

namespace lockstep::sim {

using PropertyMask = std::uint64_t;
using WitnessMask = std::uint64_t;

/// Who takes a step: one of the kinds that the system numbers in an enumeration of its own, and which of
/// them.
struct Actor {
  std::uint16_t kind{};
  std::uint16_t index{};

  template <class Kind>
    requires std::is_enum_v<Kind>
  static constexpr Actor of(Kind kind, std::size_t index = 0) {
    return {static_cast<std::uint16_t>(kind), static_cast<std::uint16_t>(index)};
  }
  friend constexpr auto operator<=>(Actor, Actor) = default;
};

/// The chain that a move belongs to: of an actor that does several things at a time each is one, if its moves
/// say so.
template <class M>
auto chain_of(const M& move) {
  if constexpr (requires { move.chain(); }) return move.chain();
  else return move.actor();
}

template <class M>
concept MoveLike = std::totally_ordered<M> && std::copyable<M> && requires(const M& m) {
  { m.actor() } -> std::same_as<Actor>;                 // whose step it is
  { m.is_fault() } -> std::convertible_to<bool>;        // whether the adversary pays for it
  { m.passes_time() } -> std::convertible_to<bool>;     // a cycle without such a move is a zeno cycle
};

template <class S>
concept System = MoveLike<typename S::Move> && std::regular<typename S::State> &&
    requires(S& system, const S& rules, const typename S::State& state, typename S::State& next,
             const typename S::Move& move, std::vector<typename S::Move>& moves, Encoder& out,
             std::string_view text) {
      { rules.initial() } -> std::same_as<typename S::State>;
      { rules.enabled(state, moves) } -> std::same_as<void>;  // replaces the content of `moves`
      { system.apply(next, move) } -> std::same_as<WitnessMask>;
      { rules.digest(state) } -> std::same_as<Digest>;          // 128-bit identity
      { rules.encode_state(state, out) } -> std::same_as<void>;  // exact identity
      { rules.violated(state) } -> std::same_as<PropertyMask>;
      { rules.show(move) } -> std::same_as<std::string>;  // the text of a trail line; no newline
      { rules.parse(text) } -> std::same_as<Result<typename S::Move>>;
    };

/// A system whose states hold more than decides their future: states with one normal form have the same
/// moves, up to what these are called, and those lead to states with one normal form again. digest,
/// encode_state and the members for symmetry are then given normal forms.
template <class S>
concept NormalisingSystem = System<S> && requires(const S& rules, const typename S::State& state) {
  { rules.normal(state) } -> std::same_as<typename S::State>;
};

// A system may have a member must_stop(): after a step that shows a search to rest on what is not so, it says
// true, and the search ends (SearchEnd::stopped).

/// A system that says which states are ends: nobody in them wants anything any more.
template <class S>
concept EndingSystem = System<S> && requires(const S& rules, const typename S::State& state) {
  { rules.finished(state) } -> std::same_as<bool>;
};

}  // namespace lockstep::sim
