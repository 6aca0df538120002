// predicates.h: what a scenario's own Lua says of each state ([[property]]).
//
// A predicate is an expression, or a text with `return`, that is true or false. It runs in the sandbox in
// which lock scripts run, with the same order of pairs, and looks at the state through a few functions
// (state_view.h); there is nothing that it could change, and no time of day. What it looks at is part of a
// state's identity, so that states which are taken for one look the same to it; as it sees names, processes
// are not taken for each other where there is one.
//
// One evaluation may take predicate_steps_max instructions of Lua. One that fails, takes more, or is neither
// true nor false has no verdict: failure() says why, and what was found so far does not count.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lua/engine/engine.h"
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

inline constexpr std::int64_t predicate_steps_max = 200'000;

/// A predicate that has no value, by its place in the setup, and why, in a sentence without its name.
struct PredicateFailure {
  std::size_t predicate = 0;
  std::string why;
};

class Predicates {
 public:
  /// The setup must outlive it.
  explicit Predicates(const Setup& setup);

  /// Evaluates what is `watched` and not broken yet.
  void see(const model::World& world, Monitors& monitors, sim::PropertyMask watched, Findings& findings);

  const std::optional<PredicateFailure>& failure() const { return failure_; }

 private:
  std::optional<bool> value(std::size_t predicate, lua::Host& view);

  const Setup& setup_;
  lua::Engine engine_;
  std::vector<const lua::LoadedScript*> scripts_;
  std::optional<PredicateFailure> failure_;
};

/// Why the predicates of a setup cannot be: one that does not compile, or fails at the start of the run.
std::optional<PredicateFailure> unfit_predicate(const Setup& setup);

}  // namespace lockstep::properties
