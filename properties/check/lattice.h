// lattice.h: which instants a search has to look at if a scenario asks for every millisecond
// (`grain = "exact"`), and whether it turned out that they were enough.
//
// 1. The run chooses some instants freely: when an interval ends, when a fault begins and ends. There are at
//    most n of them. Every other instant is a chosen one, or the beginning, and a sum of lengths of time of
//    the scenario and its clients. All of these are multiples of g but one: who waits for a key to die asks
//    again a millisecond after its time, at most w times in a row.
// 2. What happens in which order is decided by comparing two such instants, which gives x ≥ y + c for two
//    chosen ones: c is a multiple of g, up to w less or w more, and one more where it must be later.
// 3. If any choice leads to these moves, so does the earliest: each x is the beginning and at most n such
//    steps. So it lies from n·w before to n·(w + 1) behind a multiple of g, and a search that stops there
//    stops where it must. Nothing but comparisons may look at time for that, and none may add two chosen
//    instants up.
// 4. Where n has no bound, lengths are not known, or the windows fill everything, the lattice is every
//    millisecond, which needs no argument: messages that take their time, nodes that judge each other, locks
//    made of others, servers other than Redis, clocks that run fast; and clients that a fault may hold back
//    between being told a TTL and waiting for it, where more than that fault is chosen.
//
// The search holds its lattice against what happens. A deadline that lies elsewhere has a length that nobody
// told; a reply that says how long (a TTL) and is late while the instants that it lies between were chosen
// apart is a sum of three. Then the lattice is wrong, nothing that was found so far counts, and the search
// begins again with a finer one.
#pragma once

#include <optional>
#include <span>

#include "model/setup/setup.h"
#include "model/world/move.h"
#include "model/world/world.h"
#include "sim/run/run.h"

namespace lockstep::properties {

using model::Setup;

/// Nothing: every millisecond.
std::optional<model::Lattice> lattice_of(const Setup& setup);

/// What is searched for a scenario that asks for every millisecond; others are as they are. Moves that were
/// made already are made at any instant.
Setup on_lattice(Setup setup, std::span<const sim::Decision<model::Move>> made = {});
/// The same on a finer one, which has the deadline that the other did not; `never`: on every millisecond.
Setup on_finer_lattice(Setup setup, sim::Duration deadline);

class LatticeWatch {
 public:
  /// The setup must outlive it, and has a lattice.
  explicit LatticeWatch(const Setup& setup) : setup_(setup) {}

  /// Looks at the passing of time.
  void before(const model::World& world, const model::Move& move);

  /// An instant that the lattice does not admit, or `never`: no lattice will do. Nothing: none was seen.
  const std::optional<sim::Duration>& missed() const { return missed_; }
  /// Says what another one found.
  void say(std::optional<sim::Duration> missed) { missed_ = missed; }

 private:
  bool is_told_late(const model::World& world) const;

  const Setup& setup_;
  std::optional<sim::Duration> missed_;
};

}  // namespace lockstep::properties
