// checked.h: a scenario as the System that explorers search: the world together with what watches it.
//
// The monitors are part of the state, so that two situations which look alike but have different pasts are
// different states where that matters. `now` is left out of the identity unless a transition was seen to read
// it: then `needs_now()` is true, what was found so far does not count, and the search begins again with
// `with_now` (check.cpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lua/engine/engine.h"
#include "model/world/footprint.h"
#include "model/world/intervals.h"
#include "model/world/move.h"
#include "model/world/tracer.h"
#include "model/world/world.h"
#include "properties/check/instants_watch.h"
#include "properties/check/lattice.h"
#include "properties/check/names_watch.h"
#include "properties/check/words_watch.h"
#include "properties/monitors/monitors.h"
#include "properties/monitors/predicates.h"
#include "sim/base/cow.h"
#include "sim/search/dead_end.h"
#include "sim/search/symmetry.h"
#include "sim/system.h"

namespace lockstep::properties {

class Checked {
 public:
  struct State {
    model::World world;
    sim::Cow<Monitors> monitors;
    friend bool operator==(const State&, const State&) = default;
  };
  using Move = model::Move;

  struct Options {
    sim::PropertyMask watched = all_usual;
    bool with_now = false;
    bool watch_names = false;  // see looks_into_names
    bool reduce = false;  // searches leave out orders that come to the same (reduced.h)
    std::size_t alike_max = ~std::size_t{0};  // of actors that are exchanged with each other
    std::size_t workers = 1;  // so many work side by side, each with a Checked of its own
    bool watch_instants = true;  // see needs_now; false: states are not compared
    bool rounds = false;  // an ending for each thread: it has ended, or works (coming_round.h)
    lua::Overseer* overseer = nullptr;  // of its scripts; outlives the system
  };

  static constexpr std::size_t rounds_threads_max = 32;

  /// The setup must outlive the system. Scripts that do not compile are reported by `problem`.
  explicit Checked(const Setup& setup) : Checked(setup, Options{}) {}
  Checked(const Setup& setup, Options options);

  /// Runs begin here from now on.
  void begin_at(State start) { start_ = std::move(start); }
  State initial() const;
  void enabled(const State& state, std::vector<Move>& moves) const;
  sim::WitnessMask apply(State& state, const Move& move);
  /// The places of moves that are enough (reduced.h), of those that the state has.
  void enough_of(const State& state, const std::vector<Move>& moves, std::vector<std::size_t>& places);
  /// The part of `apply` that the monitors are then told of.
  std::vector<model::Observation> step(State& state, const Move& move);
  /// The same for all that is of no process, where time passes.
  std::vector<model::Observation> pass_of_others(State& state, const Move& pass, bool at_deadline);
  /// Fixes the digests of what was written, and lets copies of the state share it.
  static void freeze(State& state);
  sim::Digest digest(const State& state) const;
  void encode_state(const State& state, sim::Encoder& out) const;
  /// What decides the future of a state (model/world/identity.h).
  State normal(const State& state) const;
  sim::PropertyMask violated(const State& state) const { return state.monitors->broken; }
  /// Every program has ended, or died with its process.
  bool finished(const State& state) const { return model::Facts{state.world, setup_}.all_threads_ended(); }
  // Endings (sim/search/dead_end.h), a bit for each.
  sim::EndingMask endings_asked() const;
  sim::EndingMask ended(const State& state) const;
  /// Of one process: with `rounds` those of its threads, else whether all of them have ended.
  sim::EndingMask ended_of(const State& state, std::size_t process) const;
  std::string show(const Move& move) const { return model::show(move, setup_); }
  sim::Result<Move> parse(std::string_view text) const { return model::parse_move(text, setup_); }

  // Moves in intervals (sim/run/intervals.h).
  std::optional<sim::Duration> slack(const State& state, const Move& move) const {
    return model::slack(state.world, setup_, move);
  }
  sim::Duration span(const Move& move) const {
    return move.passes_time() ? sim::Duration(move.by) : sim::Duration::zero();
  }
  Move shortened(const Move& move, sim::Duration to) const {
    return {move.verb, move.on, to.count(), move.by};
  }

  /// Two moves may not change places (sim/run/pos.h).
  bool races(const Move& one, const Move& other) const {
    return !model::independent(model::footprint(one, setup_), model::footprint(other, setup_));
  }

  // Interchangeable processes and nodes (sim/search/symmetry.h, renaming.h).
  sim::ActorClasses classes() const;
  sim::Digest signature(const State& state, std::size_t actor) const;
  sim::Digest inner_signature(const State& state, std::size_t thread) const;
  sim::Digest digest_permuted(const State& state, sim::Permutation permutation) const;
  void encode_permuted(const State& state, sim::Permutation permutation, sim::Encoder& out) const;

  const Setup& setup() const { return setup_; }
  const Options& options() const { return options_; }
  /// Whether `now` may decide what a step does. If not, and one reads it all the same, needs_now says so.
  bool may_read_now() const { return may_read_now_; }
  bool rebases() const { return rebases_; }
  /// How many steps of servers were looked at (names_watch.h); so many were taken once more.
  std::uint64_t looked() const { return names_ ? names_->steps() : 0; }
  void looks_again(std::uint64_t steps) {
    if (names_) names_->repeat(steps);
  }
  bool needs_now() const {
    return !options_.with_now && (read_now_ || (instants_ && instants_->culprit()));
  }
  /// A sentence if something was met that no verdict can be given on: a reply that its role does not know, a
  /// lock that its script stores otherwise than its shape says, or a predicate without a value.
  std::optional<std::string> refusal() const;
  /// The roles whose scripts were sent so far, by the number of their kind in the setup.
  const std::vector<std::uint64_t>& sent() const { return sent_; }
  /// Who treats interchangeable names differently, so that symmetry must not be used (names_watch.h).
  std::optional<std::string> looks_into_names() const {
    return names_ ? names_->culprit() : std::nullopt;
  }
  /// Whose steps have more images than there is time for.
  std::optional<std::string> has_too_many_names() const {
    return names_ ? names_->too_many() : std::nullopt;
  }
  /// An instant at which the lattice of the setup does not stop, though it ought to (lattice.h).
  std::optional<sim::Duration> missed_instant() const { return lattice_ ? lattice_->missed() : std::nullopt; }
  /// The lock whose instants run away from the clock (drift.h).
  std::optional<Drift::Found> drift() const {
    return instants_ ? instants_->drift().found() : std::nullopt;
  }
  bool must_begin_again() const {
    return needs_now() || looks_into_names() || has_too_many_names() || missed_instant();
  }
  /// A search need not go on: it begins again, or no verdict can be given.
  bool must_stop() const { return must_begin_again() || refusal(); }
  /// What was met besides states, in the form in which another search goes on with it.
  struct Met {
    std::vector<std::uint64_t> sent;
    bool horizon = false;
    std::uint64_t steps = 0, images = 0;  // of the watch over names
    bool operator==(const Met&) const = default;
  };
  Met met() const;
  void go_on(const Met& met);
  /// Another worked beside it on the same scenario: what was met there was met.
  void learn_from(const Checked& other);
  /// What must stop it is what made the other stop.
  void stop_as(const Checked& other) { stop_as(other.reasons_to_stop()); }
  struct ReasonsToStop {
    bool read_now = false;
    std::optional<std::string> refusal, looks_into_names, has_too_many_names, looks_at_instants;
    std::optional<sim::Duration> missed_instant;
  };
  ReasonsToStop reasons_to_stop() const;
  void stop_as(const ReasonsToStop& reasons);
  /// The horizon ended a run in which something was left to happen.
  bool met_horizon() const { return met_horizon_; }

  /// From now on the tracer is told what happens, and `reasons` collects a sentence for each property that
  /// breaks.
  void tell(model::Tracer* tracer) { tracer_ = tracer; }
  const std::vector<std::pair<Property, std::string>>& reasons() const { return reasons_; }

 private:
  /// On a lattice the place on it does.
  bool counts_now() const { return options_.with_now || setup_.lattice; }
  void ask_predicates(const model::World& world, Monitors& monitors, Findings& findings) const;
  void look_for_refusal(const model::Observation& observation, const model::Facts& facts);
  void look_for_strangers(const model::Evaluated& seen, const model::Truth& before,
                          const model::Truth& after, const std::string& lock, const model::Facts& facts);

  const Setup& setup_;
  Options options_;
  lua::Engine engine_;
  std::optional<NamesWatch> names_;
  std::optional<WordsWatch> words_;  // where some thread draws numbers
  std::optional<InstantsWatch> instants_;
  std::optional<LatticeWatch> lattice_;
  std::unique_ptr<Predicates> predicates_;  // where the scenario has some
  std::vector<std::uint16_t> kinds_of_nodes_;
  bool rebases_ = false;  // instants are told from now on (model/world/rebasing.h)
  bool may_read_now_ = false, read_now_ = false, met_horizon_ = false;
  std::optional<State> start_;
  std::optional<std::string> refusal_;
  std::vector<std::uint64_t> sent_;
  model::Tracer* tracer_ = nullptr;
  std::vector<std::pair<Property, std::string>> reasons_;
};

static_assert(sim::System<Checked>);
static_assert(sim::SymmetricSystem<Checked>);
static_assert(sim::NormalisingSystem<Checked>);
static_assert(sim::EndingSystem<Checked>);

}  // namespace lockstep::properties
