// process.h: one JVM (or whatever runs lock clients): its threads, and the clients that they share.
//
// Everything that happens to a process is one of the steps below. Each is a pure function of the process, the
// input and the setup; what it causes outside is left in Out (machine.h). `run` and `interrupt` are steps of
// caller threads, `receive_…` those of the event loop, `fire`, `time_out` and `resend` those of its timers.
// That they are separate, and may be interleaved with everything else, is where the interesting schedules
// are.
//
// A process has one client for each replication group, each with requests, subscriptions and a view of who is
// master of its own. A paused process takes no step, but its countdowns go on. A dead one has forgotten
// everything.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/client/lock_kind.h"
#include "model/program/cursor.h"
#include "model/wire.h"
#include "sim/base/boxed.h"
#include "sim/base/table.h"
#include "sim/base/timer.h"

namespace lockstep::model {

struct Context;

struct CallTag;
struct OuterTag;
struct LibraryTag;

/// The call a thread is making.
struct Call {
  StepKind verb = StepKind::lock;
  std::uint16_t object = 0;
  std::string lock;                         // the key
  bool waits = false;                       // it may wait for the lock
  std::optional<sim::Countdown> time_left;  // of trylock wait=…: counts down all the time
  std::optional<Duration> lease;            // as the caller gave it; absent: renewed by a watchdog
  sim::Boxed<CallTag> state;                // the machine's
  sim::Boxed<OuterTag> outer;               // the call that makes this one, if it is no step's own

  bool operator==(const Call&) const = default;
  static auto fields(auto& c) {
    return std::tie(c.verb, c.object, c.lock, c.waits, c.time_left, c.lease, c.state, c.outer);
  }
};

/// A call of a lock that is made of others, while it makes one of a member.
struct Outer {
  static constexpr std::string_view kind = "outer";

  Call call;
  bool interrupted = false;  // the call of the member ends by an interrupt

  bool operator==(const Outer&) const = default;
  static auto fields(auto& o) { return std::tie(o.call, o.interrupted); }
};

/// What lockAsync() and its relatives return. The event loop lives through the call, whatever its thread
/// does meanwhile.
struct Future {
  enum class Fate : std::uint8_t { open, let_go, cancelled };

  Call call;
  std::uint32_t step = 0;               // of the program: the one that made it
  sim::WordNumber number;               // which call of the program it is (number_of_call)
  Fate fate = Fate::open;               // one that nobody will read is over when its call is
  std::optional<Answer> answer;         // of a call that is over
  std::optional<std::int64_t> token;    // that came with it
  std::optional<sim::PlaceId> maker{};  // whose program made the call for this thread; absent: its own

  bool operator==(const Future&) const = default;
  static auto fields(auto& f) {
    return std::tie(f.call, f.step, f.number, f.fate, f.answer, f.token, f.maker);
  }
};

struct Thread {
  Cursor cursor;
  std::optional<Call> call;           // while it is InCall: the innermost; absent while it waits for a future
  std::optional<std::int64_t> token;  // the last that a fenced lock gave it; none if it never writes
  std::map<std::uint16_t, Future> futures;  // from 1 on
  std::uint16_t open = 0;                   // the one that it may still ask for its answer
  std::optional<sim::PlaceId> open_of{};    // among whose; absent: its own

  bool operator==(const Thread&) const = default;
  static auto fields(auto& t) { return std::tie(t.cursor, t.call, t.token, t.futures, t.open, t.open_of); }
};

/// A request without an answer yet. The reply of an earlier copy of it, sent on another connection, is not
/// its answer.
struct Pending {
  ConnectionId connection;
  NodeId node;
  Request request;
  sim::Timer left;             // of the response time-out; of the wait for the next attempt
  bool between = false;        // it timed out and waits to be sent again: no copy of it is listened to
  std::uint16_t attempts = 0;  // how many times it was sent again
  bool caller_gone = false;    // the thread was interrupted: the handler still runs, nobody reads the answer
  sim::Timer at_latest;        // between: `left` is over from then on, and it must be sent at the latest now
  bool stuck = false;          // it has not left the client, of one that would not be sent again if it had
  bool unaimed = false;        // it has not left, for its node is not chosen yet (model/world/asking.h)

  bool operator==(const Pending&) const = default;
  static auto fields(auto& p) {
    return std::tie(p.connection, p.node, p.request, p.left, p.between, p.attempts, p.caller_gone,
                    p.at_latest, p.stuck, p.unaimed);
  }
};

/// A request that waits until a connection of the pool is free.
struct Queued {
  Request request;
  std::uint16_t attempts = 0;
  bool caller_gone = false;
  bool dressed = false;        // see Outgoing
  std::optional<NodeId> node;  // the same
  sim::Timer left;             // until it fails

  bool operator==(const Queued&) const = default;
  static auto fields(auto& q) {
    return std::tie(q.request, q.attempts, q.caller_gone, q.dressed, q.node, q.left);
  }
};

struct Client {
  NodeId master;                 // the node that it takes for the master of its group
  std::vector<Pending> pending;  // in the order of sending
  std::vector<Queued> queue;     // first come, first served
  sim::Boxed<LibraryTag> library;
  std::optional<std::uint16_t> replicas;  // how many it believes that its master has (synced.h)

  bool operator==(const Client&) const = default;
  static auto fields(auto& c) { return std::tie(c.master, c.pending, c.queue, c.library, c.replicas); }
};

/// Calls visit(one) for each request of a client without an answer, sent or waiting for a connection.
template <class OfClient, class Visit>
void for_each_unanswered(OfClient& client, Visit visit) {
  for (auto& pending : client.pending) visit(pending);
  for (auto& queued : client.queue) visit(queued);
}

struct Process {
  enum class Life : std::uint8_t { running, paused, dead };

  Life life = Life::running;
  std::uint16_t incarnation = 0;  // how often the process was started again; each has a client id of its own
  sim::Timer pause_left;          // of a pause: it ends at the latest then
  std::map<sim::PlaceId, sim::Timer> stalled;  // threads that take no step, at the latest until then
  sim::Table<sim::PlaceId, Thread> threads;
  std::vector<Client> clients;  // by group
  bool shut_down = false;       // its clients are

  bool operator==(const Process&) const = default;
  static auto fields(auto& p) {
    return std::tie(p.life, p.incarnation, p.pause_left, p.stalled, p.threads, p.clients, p.shut_down);
  }
};
static_assert(sim::State<Call> && sim::State<Future> && sim::State<Thread> && sim::State<Pending>);
static_assert(sim::State<Client>);
static_assert(sim::State<Process>);

/// The process as it starts: every thread at the first step of its program.
Process initial_process(const Setup& setup, ProcessId self);

/// What tells the writes of a thread apart that may be under way at once.
std::uint32_t number_of_write(const Process& process, const Cursor& cursor);

/// What observations call the lock that a call is about.
std::string resource_of(const Call& call, const Setup& setup);
/// Of one that takes several locks at once: each of them.
std::vector<std::string> resources_of(const Call& call, const Setup& setup);

/// The client that serves a lock object.
std::uint16_t client_of(const Setup& setup, std::uint16_t object);
/// How the threads of this process are called by the locks of this object: "uuid:1".
std::string holder_name(const Setup& setup, ThreadId thread, std::uint16_t incarnation, std::uint16_t client);
/// How the truth of its lock calls who a request is for, through whichever client it is sent.
std::string holder_of(const Purpose& purpose, const Setup& setup);

/// It is descheduled: it takes no step, while its process goes on.
bool is_stalled(const Process& process, const Setup& setup, ThreadId thread);
/// May the thread take a step now? `signals` is what has been raised so far.
bool runnable(const Process& process, const Setup& setup, ThreadId thread, const std::vector<bool>& signals);
/// It could, were it not stalled.
bool has_step(const Process& process, const Setup& setup, ThreadId thread, const std::vector<bool>& signals);
/// Must it, before time may pass? One that is busy for lo..hi need not until hi is over.
bool must_run(const Process& process, const Setup& setup, ThreadId thread, const std::vector<bool>& signals);
/// When a thread inside an interval lo..hi must go on; nothing if it is in none.
std::optional<sim::Timer> latest(const Process& process, const Setup& setup, ThreadId thread);
/// The thread goes on until it waits for something or has returned from a call.
void run(Process& process, ThreadId thread, const std::vector<bool>& signals, Context& context);

/// The reply of a request has arrived on its connection; a reply that nobody waits for is dropped. `acks` is
/// what the WAIT behind it was answered: so many replicas have acknowledged, or below zero an error.
void receive_reply(Process& process, NodeId from, ConnectionId connection, const Reply& reply,
                   Context& context, std::int64_t acks = 0);
/// A message on the pub/sub connection of a client.
void receive_push(Process& process, std::uint16_t client, const Reply& message, Context& context);
/// A server has closed the connection of a client.
void receive_close(Process& process, std::uint16_t client, Context& context);

/// Timers of a client's library.
struct LibraryTimer {
  std::uint16_t client = 0;
  std::size_t number = 0;
};
std::vector<LibraryTimer> due_timers(const Process& process, const Setup& setup);
/// When one that is due must fire; nothing if that is now.
std::optional<sim::Timer> latest(const Process& process, const Setup& setup, LibraryTimer timer);
/// One of them must fire before time may pass.
bool must_fire(const Process& process, const Setup& setup);
std::string lock_of_timer(const Process& process, const Setup& setup, LibraryTimer timer);
/// Nothing: it renews that lock.
std::string_view timer_says(const Process& process, const Setup& setup, LibraryTimer timer);
void fire(Process& process, LibraryTimer timer, Context& context);

/// The time of a request is over: it is sent again after retry-interval, or fails.
void time_out(Process& process, NodeId node, ConnectionId connection, Context& context);
/// The process learns who is master of a client's group (or reconnects to it).
void learn_master(Process& process, std::uint16_t client, NodeId master, Context& context);
/// Thread.interrupt() of a thread that waits inside a call; others do not notice.
bool interruptible(const Process& process, const Setup& setup, ThreadId thread);
void interrupt(Process& process, ThreadId thread, Context& context);
/// The JVM dies.
void crash(Process& process);

/// A thread has something left to do, or a client has.
bool has_work(const Process& process, const Setup& setup);
bool all_ended(const Process& process);
/// One of its threads or timers is inside an interval lo..hi: it may go on now or later.
bool flexible(const Process& process, const Setup& setup);

/// Calls visit(call, lived_through) for each call of a thread that may wait for a lock: the one that it is
/// inside, and those whose futures are still open or were let go. Who reads a future does not matter.
template <class Visit>
void for_each_waiting_call(const Thread& thread, Visit visit) {
  if (thread.call && thread.call->waits) visit(*thread.call, true);
  for (const auto& [task, future] : thread.futures)
    if (future.call.waits && !future.answer && future.fate != Future::Fate::cancelled)
      visit(future.call, false);
}
bool waits(const Thread& thread);
/// The future that a thread may still ask for its answer, of whichever thread it is; null: none.
const Future* open_future(const Process& process, const Thread& thread);
/// The thread of a process with this number.
ThreadId thread_called(const Setup& setup, ProcessId process, std::int64_t number);

}  // namespace lockstep::model
