// facts.h: what an omniscient outsider sees of a world between two steps.
//
// "Truth" is the current master of the lock's group: the node that was made master last, while it is up. A
// key that is dead by that node's clock is not there. Facts are computed when asked for and hold nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/observation.h"
#include "model/world/world.h"

namespace lockstep::model {

/// Who holds the lock of a request in truth, if the node that serves it is taken for the master of its group.
std::optional<Truth> truth_served_by(const World& world, const Setup& setup, NodeId node,
                                     const Purpose& purpose);

class Facts {
 public:
  Facts(const World& world, const Setup& setup) : world_(world), setup_(setup) {}

  const Setup& setup() const { return setup_; }
  /// Of a group; absent while it is down.
  std::optional<NodeId> master(GroupId group = {}) const;
  bool all_masters_up() const;
  /// Who holds the lock with this key of an object; absent while nobody is in charge.
  std::optional<Truth> truth(std::uint16_t object, const std::string& lock) const;
  bool held_by(std::uint16_t object, const std::string& lock, ThreadId thread) const;

  /// A lock that promises to expire and is stored without a time to live, on any node that is up: its key.
  std::optional<std::string> lock_without_ttl() const;

  struct Wait {
    ThreadId thread;
    std::uint16_t object = 0;
    std::string key;
    std::string lock;  // as observations call it
  };
  /// Threads of running processes that are inside a call which waits for a lock, and can reach the master.
  std::vector<Wait> live_waiters() const;

  bool process_dead(ProcessId process) const;
  /// The process that sent this request has died since, even if it was started again.
  bool sender_dead(const Purpose& purpose) const;
  bool process_paused(ProcessId process) const;
  /// The process would send to the current masters.
  bool knows_master(ProcessId process) const;
  /// A request of the thread (or a renewal on its behalf) is under way or unanswered.
  bool request_pending(ThreadId thread) const;
  bool all_threads_ended() const;
  /// No message is under way and no request unanswered.
  bool silent() const;
  /// Every program has ended, and nothing will happen by itself any more.
  bool at_rest() const;
  /// Nothing will happen by itself any more, not even that time passes, whatever threads may still wait for.
  bool stuck() const;

  /// Something that outlives its use, for "nothing left behind": a sentence, or nothing.
  std::optional<std::string> renewal_without_holder() const;
  std::optional<std::string> left_behind() const;

 private:
  const World& world_;
  const Setup& setup_;
};

}  // namespace lockstep::model
