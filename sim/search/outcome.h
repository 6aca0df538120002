// outcome.h: what a search is asked, and what it answers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sim/run/run.h"
#include "sim/search/learned.h"
#include "sim/search/seen_states.h"
#include "sim/system.h"

namespace lockstep::sim {

enum class SearchEnd {
  complete,  // every reachable state was met
  states,    // limits: there are more states (a level is finished first),
  depth,     //   there is something beyond this depth,
  memory,    //   the search grew too large,
  stopped,   //   or the caller's `stop` said so (wall time, an interrupt)
  decided,   // the caller's `enough` said so
};

struct SearchLimits {
  std::uint64_t states_max = 0xffff'fffe;  // state numbers have 32 bits
  std::uint64_t depth_max = ~std::uint64_t{0};
  std::uint64_t memory_bytes_max = ~std::uint64_t{0};
  std::function<bool()> stop;  // asked every few dozen states
  /// How much memory the whole program holds, for memory_bytes_max; absent: what the search itself reckons.
  std::function<std::uint64_t()> memory_held;
};

/// What a search tells while it is at work.
struct SearchProgress {
  std::uint64_t states = 0, transitions = 0, depth = 0;
  std::uint64_t waiting = 0;  // states met and not yet expanded
  PropertyMask violated = 0;
};

/// One transition, for drawing the state graph. `state` is the one it leads to.
template <System S>
struct Edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  bool fresh = false;  // `to` was met for the first time
  const typename S::Move& move;
  const typename S::State& state;
};

/// Breadth first finds shortest counterexamples. Depth first expands the state that was met last, by one
/// worker: it is at the bottom of a large graph at once, and its counterexamples are long.
enum class SearchOrder : std::uint8_t { breadth_first, depth_first };

template <System S>
struct SearchOptions {
  SearchLimits limits;
  SearchOrder order = SearchOrder::breadth_first;
  StateKey key = StateKey::digest;
  bool symmetry = true;  // has an effect only if the system models it
  bool zeno = true;      // look for cycles in which no time passes
  bool endings = true;   // look for states from which no end can be reached, if the system knows ends
  std::uint64_t state_bytes = sizeof(typename S::State);  // what a state of a level is reckoned to take
  std::function<bool(PropertyMask, WitnessMask)>
      enough;  // ends the search early, given all that was shown so far
  std::function<void(const Edge<S>&)> on_edge;
  std::function<void(const SearchProgress&)> on_progress;  // called as often as `stop`
  bool keep = false;         // what a search that did not end has learned is Outcome::learned
  Learned* begin = nullptr;  // what another one learned, which is moved from: the search goes on there
  std::function<void()> on_level;  // called whenever the search could go on from there (learned.h)
};

template <System S>
using Decisions = std::vector<Decision<typename S::Move>>;

template <System S>
struct Counterexample {
  unsigned property = 0;
  Decisions<S> trail;  // a shortest one
};

/// After `stem`, `cycle` leads back to the same state, and none of its moves lets time pass.
template <System S>
struct ZenoCycle {
  Decisions<S> stem;
  Decisions<S> cycle;
};

template <System S>
struct Outcome {
  std::uint64_t states = 0;  // under symmetry: orbits
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;    // of the deepest state that was met; the initial state has 0
  std::uint64_t at_rest = 0;  // states without moves
  SearchEnd ended = SearchEnd::complete;
  bool symmetry = false;  // was used
  PropertyMask violated = 0;
  WitnessMask witnesses = 0;
  std::vector<Counterexample<S>>
      violations;  // one for each violated property, in the order in which they were met
  std::optional<ZenoCycle<S>> zeno;
  std::optional<Decisions<S>> dead_end;  // a shortest way to a state from which no end can be reached
  std::uint64_t bytes = 0;  // what the search held at its end
  std::shared_ptr<Learned> learned;  // with `keep`, of a search that a limit or `stop` ended
  bool misfit = false;             // what it was to begin with belongs to another system
  std::optional<std::size_t> stopper;  // of several workers: the one whose system had to stop first

  bool complete() const { return ended == SearchEnd::complete; }
};

}  // namespace lockstep::sim
