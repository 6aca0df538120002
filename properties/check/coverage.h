// coverage.h: what sampled runs met: which scripts ran on a lock in which state, behind which faults, and
// which ways they went.
//
// A lock is free, its asker's own, or another's, when a script runs. Faults are those of the run that came
// before; none is one of them. What has not been met is news, and tells a guided run that it is worth being
// followed.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "properties/check/check.h"

namespace lockstep::properties {

class Coverage {
 public:
  enum class LockState : std::uint8_t { free, own, anothers };
  /// Kind and role; the lock; a fault's number and 1, or 0.
  using Situation = std::tuple<std::uint16_t, std::uint16_t, LockState, std::uint16_t>;
  /// What a move meets whatever came before it: the situation, but for the fault, in which a script runs, and
  /// the ways that it goes.
  struct Met {
    std::optional<Situation> situation;
    std::vector<std::uint32_t> ways;
    friend auto operator<=>(const Met&, const Met&) = default;
  };

  /// Both must outlive it; `ways` may be absent.
  Coverage(const Setup& setup, WaysWatch* ways) : setup_(setup), ways_(ways) {}

  void begin_run();
  /// To be told of each move, with the state before it and behind it.
  void before(const model::World& world, const model::Move& move);
  void after(const model::Move& move);
  /// Or of what it met.
  void meet(const Met& met, const model::Move& move);
  std::optional<Situation> situation(const model::World& world, const model::Move& move) const;

  /// Whether anything was met for the first time in this run.
  bool is_news() const { return news_; }
  const std::set<Situation>& met() const { return met_; }
  /// What runs met that somebody else watched, in the same scenario.
  void add(const std::set<Situation>& met) { met_.insert(met.begin(), met.end()); }
  std::vector<Covered> covered() const;

 private:
  std::string text(const Situation& one) const;

  const Setup& setup_;
  WaysWatch* ways_;
  std::set<Situation> met_;
  std::set<std::pair<Situation, std::uint32_t>> gone_;  // ways of scripts
  std::set<std::uint16_t> struck_;                      // faults of this run
  std::optional<Situation> now_;                        // the script of this move
  bool news_ = false;
};

}  // namespace lockstep::properties
