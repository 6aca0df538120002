// lazy.h: when learning who is master, and faults, need to be offered, and when time must not be skipped.
//
// The adversary may act at every instant, but between two events it makes no difference when: a fault that
// touches nothing which can move now is the same fault right before the next event. So it is offered there
// only. Each function below says what its move touches; the reason stands in lazy.cpp.
//
// What may shift by that is the clock of granted-in-time, by at most one gap in which nothing happens. Pauses
// and cuts that begin later may also end later, never the other way round, so no behaviour is lost.
#pragma once

#include "model/world/move.h"
#include "model/world/world.h"

namespace lockstep::model {

struct FaultRow;

class Lazy {
 public:
  Lazy(const World& world, const Setup& setup) : world_(world), setup_(setup) {}

  /// The window is open; to learn now makes a difference.
  bool should_learn(ProcessId p, GroupId group) const;
  bool should_pause(std::size_t p) const;
  bool should_resume(std::size_t p) const;
  bool should_crash(std::size_t p) const;
  bool should_cut(LinkId id) const;
  bool should_heal(LinkId id) const;
  bool should_break(LinkId id) const;
  bool should_stall(ThreadId thread) const;
  bool should_unstall(ThreadId thread) const;
  bool should_pause_node(std::size_t n) const;
  bool should_resume_node(std::size_t n) const;
  /// Crashes of nodes and failovers.
  bool should_lose_nodes() const;

  /// Something may begin or settle in a gap in which nothing else happens, and when makes a difference: time
  /// goes no further than the grain. (What may end there is what is listed: VerbRow.)
  bool may_act_in_a_gap() const;

 private:
  bool is_ready(std::size_t p) const;
  bool counts_as_done(std::size_t p) const;
  bool has_traffic(std::size_t p) const;
  bool waits_for_ever(std::size_t p) const;
  bool is_request_under_way() const;
  bool is_quiet() const;
  bool is_settling() const;
  bool fixed_fault_is_due() const;
  std::uint16_t left(const FaultRow& fault) const;
  bool another_failover_may_come() const;
  bool is_reconnecting(std::size_t p) const;
  bool holds_something_back(LinkId id) const;
  bool is_resubscribing(ProcessId p) const;
  bool nodes_are_lazy() const;
  bool servers_may_change() const;
  bool is_in_session(std::size_t p) const;
  bool may_begin_in_a_gap() const;
  bool may_settle_in_a_gap() const;

  const World& world_;
  const Setup& setup_;
};

}  // namespace lockstep::model
