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

#include "model/client/request.h"
#include "model/meaning.h"
#include "model/setup/setup.h"
#include "model/truth.h"
#include "model/wire.h"

namespace lockstep::model {

/// A thread begins a call: lock, trylock, unlock, force-unlock.
struct Invoked {
  ThreadId thread;
  StepKind call;
  std::string lock;
  bool waits = false;  // the call may wait for the lock
  std::uint32_t number = 0;  // of a write: tells those of the thread apart
  bool operator==(const Invoked&) const = default;
};

/// The call is over.
struct Returned {
  ThreadId thread;
  StepKind call;
  std::string lock;
  Answer answer;
  Mode mode = Mode::exclusive;  // in which the lock of this call is held
  bool operator==(const Returned&) const = default;
};

/// A call gave the lock to its caller, who holds it from now on, once more if it did before.
struct Gained {
  ThreadId thread;
  std::string lock;
  std::optional<std::int64_t> token;
  Mode mode = Mode::exclusive;
  bool operator==(const Gained&) const = default;
};

/// The caller gives it back, once or for good: from here on it does not rely on it, whatever the answer.
struct Yielded {
  ThreadId thread;
  std::string lock;
  bool wholly = false;
  Mode mode = Mode::exclusive;
  bool operator==(const Yielded&) const = default;
};

/// What a request did to a lock that was stored before it.
struct LockChange {
  std::string lock;
  Truth before, after;
  bool operator==(const LockChange&) const = default;
};

/// A server has answered a request of a lock client.
struct Evaluated {
  NodeId node;
  Purpose purpose;
  std::string lock;       // as observations call it (resource_name)
  Items items;            // what the reply means
  std::string error;      // the text of an error reply
  Duration lease_left{};  // of the lease that it asks for, counted from when it was sent
  /// Who held the lock in truth; absent where nobody was in charge.
  std::optional<Truth> before, after;
  bool on_master = false;  // the node is the current master of its group
  std::vector<LockChange> others;  // locks under other keys that it changed
  std::uint16_t told = 0;  // how many messages it sends one listener on one channel (publishing.h)
  bool operator==(const Evaluated&) const = default;
};

/// A server has carried out the command of an operator.
struct Commanded {
  NodeId node;
  ThreadId thread;
  std::uint16_t incarnation = 0;
  std::string command;
  std::vector<LockChange> changes;  // of locks that were stored before it
  bool operator==(const Commanded&) const = default;
};

/// A write has reached a resource outside of Redis, which took it, or refused it for its token.
struct Written {
  ThreadId thread;
  std::string resource;
  std::uint32_t number = 0;
  bool taken = true;
  bool operator==(const Written&) const = default;
};

/// The reply handler of a process has taken a renewal's answer.
struct RenewalAnswered {
  ProcessId process;
  ThreadId thread;
  std::string lock;
  bool renewed;
  bool operator==(const RenewalAnswered&) const = default;
};
struct Refused {
  ThreadId thread;
  std::string lock;
  bool operator==(const Refused&) const = default;
};  // the acquire script answered with a TTL
struct ParkedThread {
  ThreadId thread;
  std::string lock;
  bool operator==(const ParkedThread&) const = default;
};
struct Woken {
  ThreadId thread;
  std::string lock;
  bool by_message;
  bool operator==(const Woken&) const = default;
};
struct Expectation {
  ThreadId thread;
  bool met;
  Answer expected;
  std::optional<Answer> answer;
  bool operator==(const Expectation&) const = default;
};
struct ProcessCrashed {
  ProcessId process;
  bool operator==(const ProcessCrashed&) const = default;
};
struct ProcessPaused {
  ProcessId process;
  bool operator==(const ProcessPaused&) const = default;
};
struct ProcessResumed {
  ProcessId process;
  bool operator==(const ProcessResumed&) const = default;
};
struct NodeCrashed {
  NodeId node;
  bool operator==(const NodeCrashed&) const = default;
};
struct NodeRestarted {
  NodeId node;
  bool operator==(const NodeRestarted&) const = default;
};
struct FailedOver {
  NodeId promoted;
  bool lost_writes;
  bool operator==(const FailedOver&) const = default;
};  // the old master had writes that the new one has not seen
struct Demoted {
  NodeId node;
  bool operator==(const Demoted&) const = default;
};
struct KeyExpired {
  NodeId node;
  std::string key;
  bool operator==(const KeyExpired&) const = default;
};
struct KeyEvicted {
  NodeId node;
  std::string key;
  bool operator==(const KeyEvicted&) const = default;
};
struct MessageLost {
  ProcessId process;
  bool operator==(const MessageLost&) const = default;
};
struct RequestTimedOut {
  ProcessId process;
  bool resent;
  bool operator==(const RequestTimedOut&) const = default;
};
struct Interrupted {
  ThreadId thread;
  bool operator==(const Interrupted&) const = default;
};
struct ThreadEnded {
  ThreadId thread;
  std::optional<std::uint32_t> thrown_by;  // the step that threw, if it ended by an exception
  bool operator==(const ThreadEnded&) const = default;
};
/// A fault began, paid for or fixed.
struct FaultBegan {
  FaultId fault;
  bool operator==(const FaultBegan&) const = default;
};
/// A server did what it does by itself at an instant (ServerKind::has_due).
struct DueDone {
  NodeId node;
  bool operator==(const DueDone&) const = default;
};
/// A fault that the scenario fixes, by its number there, found what it was to befall.
struct FixedFaultCame {
  std::size_t number = 0;
  bool operator==(const FixedFaultCame&) const = default;
};
struct TimePassed {
  Duration passed;
  bool operator==(const TimePassed&) const = default;
};

using Observation =
    std::variant<Invoked, Returned, Gained, Yielded, Evaluated, Commanded, Written, RenewalAnswered, Refused,
                 ParkedThread, Woken, Expectation, ProcessCrashed, ProcessPaused, ProcessResumed,
                 NodeCrashed, NodeRestarted,
                 FailedOver, Demoted, KeyExpired, KeyEvicted, MessageLost, RequestTimedOut, Interrupted,
                 ThreadEnded, FaultBegan, DueDone, FixedFaultCame, TimePassed>;

}  // namespace lockstep::model
