// drawing.h: who decides in one sampled run, over whole states or over a graph that is known.
//
// All is drawn from what is given, so that a run can be drawn again.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "properties/check/walks.h"
#include "sim/run/intervals.h"
#include "sim/run/mutated.h"
#include "sim/run/pct.h"
#include "sim/run/pos.h"
#include "sim/run/surw.h"
#include "sim/run/uniform.h"
#include "sim/run/weighted.h"

namespace lockstep::properties {

/// How many chains of moves a run had, and whether each could go on in one way at a time.
template <sim::System S>
class ChainCount final : public sim::Policy<S> {
 public:
  explicit ChainCount(sim::Policy<S>& inner) : inner_(inner) {}

  std::optional<std::size_t> pick(const S& system, const typename S::State& state,
                                  std::span<const model::Move> moves) override {
    const auto is_new = [](std::vector<model::Chain>& chains, const model::Chain& chain) {
      if (std::find(chains.begin(), chains.end(), chain) != chains.end()) return false;
      chains.push_back(chain);
      return true;
    };
    now_.clear();
    bool passes = false;
    for (const model::Move& move : moves) {
      if (move.is_fault()) continue;
      passes = passes || move.passes_time();
      const model::Chain chain = move.chain();
      one_move_each_ = is_new(now_, chain) && one_move_each_;
      is_new(met_, chain);
    }
    if (passes && now_.size() > 1) one_move_each_ = false;  // time is drawn
    return inner_.pick(system, state, moves);
  }
  model::Move taken(const model::Move& listed) override { return inner_.taken(listed); }

  std::uint64_t chains() const { return met_.size(); }
  bool one_move_each() const { return one_move_each_; }

 private:
  sim::Policy<S>& inner_;
  std::vector<model::Chain> now_, met_;  // few
  bool one_move_each_ = true;
};

/// For one run. `guided` draws as a swarm does where it follows nothing.
template <sim::System S>
std::unique_ptr<sim::Policy<S>> policy_of(Walk walk, sim::Random random, const Expectancy& expected) {
  switch (walk) {
    case Walk::pct: return std::make_unique<sim::Pct<S>>(random, sim::PctOptions{.steps = expected.steps});
    case Walk::pos: return std::make_unique<sim::Pos<S>>(random, sim::PosOptions{.steps = expected.steps});
    case Walk::surw:
      return std::make_unique<sim::Surw<S>>(random, expected.counts,
                                            sim::SurwOptions{.steps = expected.steps});
    case Walk::uniform: return std::make_unique<sim::Uniform<S>>(random);
    case Walk::swarm:
    case Walk::guided: break;
  }
  return std::make_unique<sim::Weighted<S>>(random);
}

/// Runs that were made before, as their moves.
using MoveLists = std::vector<std::vector<model::Move>>;

template <sim::System S>
class Drawing {
 public:
  /// `worth_following`: what a guided run may follow.
  Drawing(Walk walk, std::uint64_t number, sim::Random random, const Expectancy& expected,
          const MoveLists& worth_following)
      : own_(policy_of<S>(walk, random, expected)), counting_(*own_) {
    sim::Policy<S>& undisturbed = walk == Walk::pct ? counting_ : *own_;
    // Three runs of four draw instants from intervals; the others take their ends, the grain and ties.
    drawn_.emplace(random.split(), undisturbed);
    policy_ = number / walks_in_turn % 4 != 3 ? &*drawn_ : &undisturbed;
    // Every other guided run begins anew.
    if (walk != Walk::guided || worth_following.empty() || random.below(2) == 0) return;
    const auto& parent = worth_following[random.below(worth_following.size())];
    mutated_.emplace(random.split(), parent, *own_);
    policy_ = &*mutated_;
  }
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

  sim::Policy<S>& policy() { return *policy_; }
  const ChainCount<S>& counting() const { return counting_; }

 private:
  std::unique_ptr<sim::Policy<S>> own_;
  ChainCount<S> counting_;
  std::optional<sim::InIntervals<S>> drawn_;
  std::optional<sim::Mutated<S>> mutated_;
  sim::Policy<S>* policy_ = nullptr;
};

}  // namespace lockstep::properties
