#include "properties/check/few_preemptions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "properties/check/begun.h"
#include "properties/check/other_system.h"
#include "properties/check/remembered.h"
#include "sim/base/amount.h"
#include "sim/base/overloaded.h"
#include "sim/base/verify.h"

namespace lockstep::properties {

namespace {

/// Over a system whose moves are those of a scenario.
template <sim::System S>
class FewPreemptions {
 public:
  struct State {
    typename S::State inner{};
    std::optional<model::ProcessId> turn;  // the process that moved last, if it could go on
    std::uint64_t left = 0;                // preemptions that may happen yet
    friend bool operator==(const State&, const State&) = default;
  };
  using Move = model::Move;

  FewPreemptions(S& inner, const Setup& setup, std::uint64_t preemptions_max)
      : inner_(inner), setup_(setup), max_(preemptions_max) {}

  State initial() const { return {.inner = inner_.initial(), .turn = std::nullopt, .left = max_}; }

  void enabled(const State& state, std::vector<Move>& moves) const {
    inner_.enabled(state.inner, moves);
    if (!state.turn || state.left > 0) return;
    std::erase_if(moves, [&](const Move& move) { return is_preemption(state, move); });
  }

  sim::WitnessMask apply(State& state, const Move& move) {
    const auto process = process_of(move, setup_);
    if (is_preemption(state, move)) {
      VERIFY(state.left > 0);
      --state.left;
    }
    if (process) state.turn = process;
    if (move.passes_time()) state.turn.reset();
    const sim::WitnessMask shown = inner_.apply(state.inner, move);
    if (state.turn && !can_go_on(state)) state.turn.reset();
    return shown;
  }

  /// Copies of whole states are cheap once they are frozen.
  static void freeze(State& state) {
    if constexpr (requires { S::freeze(state.inner); }) S::freeze(state.inner);
  }
  State normal(const State& state) const {
    return {.inner = inner_.normal(state.inner), .turn = state.turn, .left = state.left};
  }
  sim::Digest digest(const State& state) const {
    const sim::Digest inner = inner_.digest(state.inner);
    sim::Encoder out;
    for (const std::uint64_t part : {inner.high, inner.low, turn_number(state), state.left}) out.number(part);
    return sim::digest_bytes(out.bytes());
  }
  void encode_state(const State& state, sim::Encoder& out) const {
    inner_.encode_state(state.inner, out);
    out.number(turn_number(state));
    out.number(state.left);
  }
  sim::PropertyMask violated(const State& state) const { return inner_.violated(state.inner); }
  bool must_stop() const { return inner_.must_stop(); }
  std::string show(const Move& move) const { return inner_.show(move); }
  sim::Result<Move> parse(std::string_view text) const { return inner_.parse(text); }

 private:
  bool is_preemption(const State& state, const Move& move) const {
    const auto process = process_of(move, setup_);
    return state.turn && process && *process != *state.turn;
  }
  bool can_go_on(const State& state) {
    inner_.enabled(state.inner, moves_);
    return std::any_of(moves_.begin(), moves_.end(),
                       [&](const Move& move) { return process_of(move, setup_) == state.turn; });
  }
  static std::uint64_t turn_number(const State& state) {
    return state.turn ? std::uint64_t{state.turn->value} + 1 : 0;
  }

  S& inner_;
  const Setup& setup_;
  std::uint64_t max_;
  std::vector<Move> moves_;
};

/// Makes the moves of trails decisions of the system, in which more may happen.
class AsDecisions {
 public:
  explicit AsDecisions(const Checked& system)
      : system_(system),
        aside_(system.setup(), {.watched = system.options().watched, .watch_instants = false}) {}

  void begin() { state_ = system_.initial(); }

  MadeMoves of(const MadeMoves& trail) {
    MadeMoves decisions;
    for (const auto& one : trail) {
      aside_.enabled(state_, moves_);
      const auto at = std::find(moves_.begin(), moves_.end(), one.move);
      VERIFY(at != moves_.end());
      decisions.push_back(sim::detail::decision(moves_, static_cast<std::size_t>(at - moves_.begin())));
      aside_.apply(state_, one.move);
    }
    return decisions;
  }

 private:
  const Checked& system_;
  Checked aside_;
  Checked::State state_;
  std::vector<model::Move> moves_;
};

template <sim::System S>
sim::Outcome<Checked> searched(Checked& system, S& inner, sim::SearchOptions<Checked> options,
                               std::uint64_t preemptions_max) {
  using Few = FewPreemptions<S>;
  Few few(inner, system.setup(), preemptions_max);
  const sim::StateKey key = options.key;
  const std::uint64_t state_bytes = options.state_bytes;
  auto how = of_other<Few>(std::move(options));
  how.key = key;
  how.state_bytes = state_bytes;
  how.symmetry = false;
  how.endings = false;
  AsDecisions decisions(system);
  return outcome_of_other<Checked>(
      sim::explore(few, std::move(how)), [&] { decisions.begin(); },
      [&](const auto& trail) { return decisions.of(trail); });
}

}  // namespace

std::string preemptions_bound(std::uint64_t most) {
  return most == 0 ? "no preemption" : fmt::format("at most {}", sim::amount(most, "preemption"));
}

std::string preemptions_text(std::uint64_t most) { return ", " + preemptions_bound(most); }

std::optional<model::ProcessId> process_of(const model::Move& move, const Setup& setup) {
  using namespace model;
  if (move.is_fault() || move.ends_fault() || move.passes_time()) return std::nullopt;
  using Process = std::optional<ProcessId>;
  return std::visit(sim::overloaded{[&](ThreadId id) { return Process(setup.threads[id.index()].process); },
                                    [](ProcessId id) { return Process(id); },
                                    [](const LinkId& id) { return Process(id.process); },
                                    [](const Carried& id) { return Process(id.link.process); },
                                    [](const TimerId& id) { return Process(id.process); },
                                    [](const Follower& id) { return Process(id.process); },
                                    [](const auto&) { return Process(); }},
                    move.on);
}

sim::Outcome<Checked> search_with_few_preemptions(Checked& system, sim::SearchOptions<Checked> options,
                                                  std::uint64_t preemptions_max) {
  const Setup& setup = system.setup();
  const bool whole = !Remembered::fits(setup) || setup.exact || options.key == sim::StateKey::exact ||
                     !setup.predicates.empty();
  if (whole) return searched(system, system, std::move(options), preemptions_max);
  Remembered remembered(system, system.initial());
  return searched(system, remembered, std::move(options), preemptions_max);
}

}  // namespace lockstep::properties
