// two_phase.h: two-phase commit, after Gray and Lamport, "Consensus on Transaction Commit" (2006).
//
// Each resource manager prepares, which it tells, or aborts by itself. The transaction manager commits when
// it has heard of all, or aborts whenever it likes; its decision reaches everybody any number of times.
// Messages stay under way for ever. Property 0: no manager aborts while another commits. TLC and Stateright
// publish 288 states for three resource managers and 8,832 for five.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/system.h"
#include "sim/toys/toy.h"

namespace lockstep::sim::toys {

enum class Deal : std::uint8_t { open, prepared, committed, aborted };

struct TwoPhaseState {
  std::vector<Deal> managers;
  std::vector<bool> told, heard;  // that it is prepared: by the manager, by the transaction manager
  Deal decision = Deal::open;
  bool operator==(const TwoPhaseState&) const = default;
  static auto fields(auto& s) { return std::tie(s.managers, s.told, s.heard, s.decision); }
};

enum class DealVerb { hear, decide_commit, decide_abort, prepare, abort, obey_commit, obey_abort };
inline constexpr Verb deal_verbs[] = {{"hear"},  {"decide-commit"}, {"decide-abort"}, {"prepare"},
                                      {"abort"}, {"obey-commit"},   {"obey-abort"}};

struct TwoPhase : SymmetricToy<TwoPhase, TwoPhaseState, deal_verbs> {
  std::size_t managers = 3;

  explicit TwoPhase(std::size_t count) : managers(count) {}

  State initial() const {
    return {std::vector<Deal>(managers), std::vector<bool>(managers), std::vector<bool>(managers),
            Deal::open};
  }

  void enabled(const State& s, std::vector<Move>& moves) const {
    moves.clear();
    const auto offer = [&](bool may, std::size_t who, DealVerb verb) {
      if (may) moves.push_back(move(who, verb));
    };
    const bool all_heard = std::find(s.heard.begin(), s.heard.end(), false) == s.heard.end();
    for (std::size_t i = 0; i < managers; ++i) {
      offer(s.decision == Deal::open && s.told[i], i, DealVerb::hear);
      offer(s.managers[i] == Deal::open, i, DealVerb::prepare);
      offer(s.managers[i] == Deal::open, i, DealVerb::abort);
      offer(s.decision == Deal::committed, i, DealVerb::obey_commit);
      offer(s.decision == Deal::aborted, i, DealVerb::obey_abort);
    }
    offer(s.decision == Deal::open && all_heard, managers, DealVerb::decide_commit);
    offer(s.decision == Deal::open, managers, DealVerb::decide_abort);
  }

  WitnessMask apply(State& s, const Move& m) const {
    switch (static_cast<DealVerb>(m.verb)) {
      case DealVerb::hear: s.heard[m.who] = true; break;
      case DealVerb::decide_commit: s.decision = Deal::committed; break;
      case DealVerb::decide_abort: s.decision = Deal::aborted; break;
      case DealVerb::prepare: s.managers[m.who] = Deal::prepared, s.told[m.who] = true; break;
      case DealVerb::abort:
      case DealVerb::obey_abort: s.managers[m.who] = Deal::aborted; break;
      case DealVerb::obey_commit: s.managers[m.who] = Deal::committed; break;
    }
    return 0;
  }

  PropertyMask violated(const State& s) const {
    const auto any = [&](Deal deal) {
      return std::find(s.managers.begin(), s.managers.end(), deal) != s.managers.end();
    };
    return any(Deal::committed) && any(Deal::aborted) ? 1 : 0;
  }

  ActorClasses classes() const { return {{class_of(managers)}, {}}; }
  /// Coarse on purpose: what was told and heard is left to the ties.
  Digest signature(const State& s, std::size_t manager) const { return digest_of(s.managers[manager]); }
  static State permuted(const State& s, Permutation p) {
    State renamed = s;
    for (std::size_t i = 0; i < s.managers.size(); ++i) {
      renamed.managers[p.outer[i]] = s.managers[i];
      renamed.told[p.outer[i]] = s.told[i];
      renamed.heard[p.outer[i]] = s.heard[i];
    }
    return renamed;
  }
};
static_assert(System<TwoPhase> && SymmetricSystem<TwoPhase>);

}  // namespace lockstep::sim::toys
