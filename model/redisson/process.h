// process.h: one JVM that runs Redisson: its threads, and what they share.
//
// Everything that happens to a process is one of the steps below. Each is a pure function of the process, the
// input and the setup; what it causes outside is left in Out. `begin…`/`run` are the steps of caller threads,
// `receive…` those of the event loop (reply handlers, messages), `fire` and `give_up` those of the timer;
// that they are separate, and may be interleaved with everything else, is where the interesting schedules
// are.
//
// A paused process takes no step, but its countdowns go on. A dead one has forgotten everything.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "model/redisson/lock_pub_sub.h"
#include "model/redisson/thread.h"
#include "model/redisson/watchdog.h"
#include "model/wire.h"

namespace lockstep::redisson {

using model::ConnectionId;
using model::NodeId;
using model::Reply;

/// A request without an answer yet. The reply of an earlier copy of it, sent on another connection, is not
/// its answer.
struct Pending {
  ConnectionId connection;
  NodeId node;
  Request request;
  Duration left{};             // of the response time-out
  std::uint16_t attempts = 0;  // how many times it was sent again
  bool caller_gone = false;    // the thread was interrupted: the handler still runs, nobody reads the answer

  bool operator==(const Pending&) const = default;
  static auto fields(auto& p) {
    return std::tie(p.connection, p.node, p.request, p.left, p.attempts, p.caller_gone);
  }
};

struct Process {
  enum class Life : std::uint8_t { running, paused, dead };

  Life life = Life::running;
  std::uint16_t incarnation = 0;  // how often the process was started again; each has a client id of its own
  Duration pause_left{};          // of a pause: it ends at the latest then
  std::vector<NodeId> masters;    // by group: the node that this process takes for the master
  std::vector<Thread> threads;    // in the order of the setup
  std::vector<Pending> pending;   // in the order of sending
  LockPubSub pub_sub;
  Watchdog watchdog;
  /// internalLockLeaseTime of each RLock object where it differs from the watchdog time-out. Fresh objects
  /// belong to one thread, the others (thread number 0xffff) to all.
  std::map<std::pair<std::uint16_t, std::uint16_t>, Duration> leases;

  bool operator==(const Process&) const = default;
  static auto fields(auto& p) {
    return std::tie(p.life, p.incarnation, p.pause_left, p.masters, p.threads, p.pending, p.pub_sub,
                    p.watchdog, p.leases);
  }
};
static_assert(sim::State<Pending> && sim::State<Process>);

/// The process as it starts: every thread at the first step of its program.
Process initial_process(const Setup& setup, ProcessId self);

/// May the thread take a step now? `signals` is what has been raised so far.
bool runnable(const Process& process, const Setup& setup, ThreadId thread, const std::vector<bool>& signals);
/// The caller thread goes on until it waits for something or has returned from a call.
void run(Process& process, ThreadId thread, const std::vector<bool>& signals, Context& context);

/// The reply of a request has arrived on its connection; a reply that nobody waits for is dropped.
void receive_reply(Process& process, NodeId from, ConnectionId connection, const Reply& reply,
                   Context& context);
/// A message on the pub/sub connection: a confirmation or an unlock message.
void receive_push(Process& process, const Reply& message, Context& context);

/// A renewal timer is due.
void fire(Process& process, std::size_t timer, Context& context);
/// The response time-out of a request is over: it is sent again, or fails.
void give_up(Process& process, NodeId node, ConnectionId connection, Context& context);
/// The server does not know the script (NOSCRIPT): the request goes out again with the text.
void send_full_text(Process& process, NodeId node, ConnectionId connection, Context& context);
/// The process learns who is master of its group (or reconnects to it): its channels are subscribed there.
void learn_master(Process& process, NodeId master, Context& context);
/// Thread.interrupt() of a thread that waits inside a call; others do not notice.
bool interruptible(const Process& process, const Setup& setup, ThreadId thread);
void interrupt(Process& process, ThreadId thread, Context& context);
/// The JVM dies.
void crash(Process& process);

void advance(Process& process, Duration passed);
/// The shortest countdown that is still above zero, or `never`.
Duration next_deadline(const Process& process);
/// The process or one of its threads is inside an interval lo..hi: it may go on now or later.
bool flexible(const Process& process);

/// Whether the thread is inside a call that wants the lock, and which.
const Call* waiting_call(const Thread& thread);

}  // namespace lockstep::redisson
