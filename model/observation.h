// observation.h: what an outsider can see of a step.
//
// Monitors judge a run by these and by the facts of the world after the step (facts.h); they never look into
// a server or a client. The order of observations within one step is the order in which they happened.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/request.h"
#include "model/setup/setup.h"
#include "model/wire.h"

namespace lockstep::model {

/// The fields of a lock's hash on one node; what makes `count` zero is the absence of the field.
struct LockHash {
  std::vector<std::pair<std::string, std::int64_t>> holders;
  bool has_ttl = false;
  std::int64_t count_of(const std::string& holder) const {
    for (const auto& [name, count] : holders)
      if (name == holder) return count;
    return 0;
  }
  bool operator==(const LockHash&) const = default;
};

/// A thread begins a call: lock, trylock, unlock, force-unlock.
struct Invoked {
  ThreadId thread;
  StepKind call;
  std::string lock;
  bool waits = false;  // the call may wait for the lock
};

/// The call is over. For lock and trylock, `yes` means that the thread now believes to hold the lock once
/// more.
struct Returned {
  ThreadId thread;
  StepKind call;
  std::string lock;
  Answer answer;
};

/// A lock script ran on a node.
struct Evaluated {
  NodeId node;
  Purpose purpose;
  Reply reply;
  LockHash before, after;
  bool on_master = false;  // the node is the current master
};

/// The reply handler of a process has taken a renewal's answer.
struct RenewalAnswered {
  ProcessId process;
  ThreadId thread;
  std::string lock;
  bool renewed;
};
struct Refused {
  ThreadId thread;
  std::string lock;
};  // the acquire script answered with a TTL
struct ParkedThread {
  ThreadId thread;
  std::string lock;
};
struct Woken {
  ThreadId thread;
  std::string lock;
  bool by_message;
};
struct Expectation {
  ThreadId thread;
  bool met;
  Answer expected;
  std::optional<Answer> answer;
};
struct ProcessCrashed {
  ProcessId process;
};
struct ProcessPaused {
  ProcessId process;
};
struct ProcessResumed {
  ProcessId process;
};
struct NodeCrashed {
  NodeId node;
};
struct NodeRestarted {
  NodeId node;
};
struct FailedOver {
  NodeId promoted;
  bool lost_writes;
};  // the old master had writes that the new one has not seen
struct Demoted {
  NodeId node;
};
struct KeyExpired {
  NodeId node;
  std::string key;
};
struct KeyEvicted {
  NodeId node;
  std::string key;
};
struct MessageLost {
  ProcessId process;
};
struct RequestTimedOut {
  ProcessId process;
  bool resent;
};
struct Interrupted {
  ThreadId thread;
};
struct ThreadEnded {
  ThreadId thread;
  bool by_exception;
};
struct TimePassed {
  Duration passed;
};

using Observation = std::variant<Invoked, Returned, Evaluated, RenewalAnswered, Refused, ParkedThread, Woken,
                                 Expectation, ProcessCrashed, ProcessPaused, ProcessResumed, NodeCrashed,
                                 NodeRestarted, FailedOver, Demoted, KeyExpired, KeyEvicted, MessageLost,
                                 RequestTimedOut, Interrupted, ThreadEnded, TimePassed>;

}  // namespace lockstep::model
