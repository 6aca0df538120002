// determinism.h: is the run a function of its trail?
//
// Runs the same decisions in two systems (or twice in one) and compares, step by step, the list of moves, the
// digest, and what was violated and witnessed. Runs that were drawn alike are compared by their decisions.
// The first difference is described together with what usually causes it.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/base/digest.h"
#include "sim/run/run.h"

namespace lockstep::sim {

namespace detail {

inline constexpr const char* usual_causes =
    "Usual causes: a member that `fields` does not list or that is never initialised; iteration over an "
    "unordered\n"
    "container or in the order of addresses; a cache in the system that shows in results; a clock, a thread "
    "or a random\n"
    "number outside the policy; state shared between copies by a pointer.";

template <System S>
std::string list_of(const S& system, const std::vector<typename S::Move>& moves) {
  std::string out;
  for (std::size_t i = 0; i < moves.size(); ++i)
    out += fmt::format("    {}/{} {}\n", i, moves.size(), system.show(moves[i]));
  return out.empty() ? "    nothing\n" : out;
}

/// What differs between two states that should be equal, or nothing.
template <System S>
std::optional<std::string> difference(const S& first, const S& second, const typename S::State& a,
                                      const typename S::State& b) {
  std::vector<typename S::Move> moves, others;
  first.enabled(a, moves);
  second.enabled(b, others);
  if (moves != others) {
    return fmt::format("different moves are enabled\n  first run:\n{}  second run:\n{}",
                       list_of(first, moves), list_of(second, others));
  }
  const Digest digest = first.digest(a);
  const Digest other = second.digest(b);
  if (digest != other) return fmt::format("the digests are {} and {}\n", hex(digest), hex(other));
  if (first.violated(a) != second.violated(b)) return "different properties are violated\n";
  return std::nullopt;
}

}  // namespace detail

/// Nothing if both systems do the same at every step of `trail`; otherwise the first difference. Steps count
/// from 1, and step 0 is the initial state.
template <System S>
std::optional<Problem> check_determinism(S& first, S& second,
                                         const std::vector<Decision<typename S::Move>>& trail) {
  typename S::State a = first.initial();
  typename S::State b = second.initial();
  for (std::size_t step = 0;; ++step) {
    // A system may keep the digests of what is not written.
    if constexpr (requires { first.freeze(a); }) first.freeze(a), second.freeze(b);
    if (const auto what = detail::difference(first, second, a, b)) {
      const std::string after =
          step == 0 ? "in the initial state" : "after " + first.show(trail[step - 1].move);
      return Problem{fmt::format("two runs of one trail differ at step {}, {}: {}{}", step, after, *what,
                                 detail::usual_causes)};
    }
    if (step == trail.size()) return std::nullopt;
    if (first.apply(a, trail[step].move) != second.apply(b, trail[step].move))
      return Problem{fmt::format("two runs of one trail differ at step {}, after {}: different witnesses\n{}",
                                 step + 1, first.show(trail[step].move), detail::usual_causes)};
  }
}

/// Nothing if two runs, drawn alike, took the same decisions; otherwise the first in which they differ.
template <System S>
std::optional<Problem> check_alike(const S& system, const std::vector<Decision<typename S::Move>>& first,
                                   const std::vector<Decision<typename S::Move>>& second) {
  if (first == second) return std::nullopt;
  const std::size_t both = std::min(first.size(), second.size());
  std::size_t step = 0;
  while (step < both && first[step] == second[step]) ++step;
  const auto told = [&](const auto& trail) {
    if (step == trail.size()) return std::string("nothing");
    return fmt::format("{}/{} {}", trail[step].index, trail[step].arity, system.show(trail[step].move));
  };
  return Problem{fmt::format("two runs that were drawn alike differ at step {}\n  first run:\n    {}\n"
                             "  second run:\n    {}\n{}",
                             step + 1, told(first), told(second), detail::usual_causes)};
}

}  // namespace lockstep::sim
