// coverage.h: watches what sampled runs see (seen.h).
//
// Faults are those of the run that came before; none is one of them. What has not been seen is news, and
// tells a guided run that it is worth being followed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "properties/check/begun.h"
#include "properties/check/check.h"
#include "properties/check/seen.h"

namespace lockstep::properties {

class Coverage {
 public:
  struct Situation {
    std::uint16_t kind = 0, role = 0;
    std::uint8_t lock = 0;
    friend auto operator<=>(const Situation&, const Situation&) = default;
  };
  /// What a move meets whatever came before it: the situation in which a request is served, and the ways that
  /// its script goes.
  struct Met {
    std::optional<Situation> situation;
    std::vector<std::uint32_t> ways;
    friend auto operator<=>(const Met&, const Met&) = default;
  };

  /// The setup and `ways`, which may be absent, must outlive it. Runs begin behind `made`.
  Coverage(const Setup& setup, WaysWatch* ways, const MadeMoves& made);

  void begin_run();
  /// To be told of each move, with the state before it and behind it.
  void before(const model::World& world, const model::Move& move);
  void after(const model::Move& move);
  /// Or of what it met.
  void meet(const Met& met, const model::Move& move);
  std::optional<Situation> situation(const model::World& world, const model::Move& move) const;

  /// Whether anything was seen for the first time in this run.
  bool is_news() const { return !news_.empty(); }
  /// As if this run had not been.
  void take_back();
  Seen seen() const;

 private:
  struct News {
    Situation in;
    std::uint32_t way = 0;
    FaultMask before = 0;
  };

  FaultMask fault_of(const model::Move& move) const;
  void see(const Situation& in, std::uint32_t way, FaultMask behind);

  const Setup& setup_;
  WaysWatch* ways_;
  std::vector<FaultMask> faults_;                         // by number
  std::vector<std::vector<std::vector<SeenBehind>>> seen_;  // by kind, role and way
  std::vector<News> news_;                                // of this run
  FaultMask struck_at_start_ = 0, struck_ = 0;            // faults that came
  std::optional<Situation> now_;                          // the request of this move
};

}  // namespace lockstep::properties
