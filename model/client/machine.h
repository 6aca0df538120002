// machine.h: the surfaces of what lives in a process: machines for calls, libraries for clients.
//
// A *machine* is the half of a call that its thread lives through: what it sends first, what it does with
// answers, when it waits and what wakes it. A *library* is what a client does by itself: messages on its
// channels, renewal timers, subscriptions after a reconnect. Both are tables of functions without state; the
// state is a boxed value in the process (a call's in Cursor's place, a library's in its Client). A step sends
// nothing itself: the world carries out what Out holds, so a step is a pure function of what it is given.
//
// `invoke`, `resume` and `interrupt` are steps of the caller's thread; `answered` and everything of a library
// are steps of the process's event loop, and may be interleaved with all else.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/process.h"
#include "model/meaning.h"
#include "model/observation.h"

namespace lockstep::model {

/// A request to send through one of the process's clients; `attempts` says how many times it was sent before.
struct Outgoing {
  Request request;
  std::uint16_t attempts = 0;
  bool caller_gone = false;  // see Pending
  bool dressed = false;      // it is known what goes along with it (synced.h)
  std::optional<NodeId> node{};  // to which it goes, if that is known; else to the master
};

/// A command on the pub/sub connection of a client: SUBSCRIBE or UNSUBSCRIBE of one channel, or of a sharded
/// one, which lies where its slot does.
struct ChannelRequest {
  bool subscribe = true;
  std::string channel;
  bool sharded = false;
  bool operator==(const ChannelRequest&) const = default;
  static auto fields(auto& r) { return std::tie(r.subscribe, r.channel, r.sharded); }
};
/// Its words.
Command words_of(const ChannelRequest& request);

struct Out {
  std::vector<Outgoing> requests;  // each to the master that its client knows
  std::vector<std::pair<std::uint16_t, ChannelRequest>> channels;  // by client
  std::vector<std::uint16_t> signals;                              // raised
  std::vector<Observation> seen;
  bool read_now = false;  // a word says what time it is, and is no instant that moves (rebasing.h)
  bool crash = false;  // the program says that the process dies here
  bool shut_down = false;  // its clients are: their connections close
};

/// What every step may read besides the process.
struct Context {
  const Setup& setup;
  ProcessId self;
  Out& out;
  sim::Instant now{};  // for words that say the time
  /// Of a thread that draws its numbers (new_words.h): one that is free.
  std::function<sim::WordNumber(ThreadId, const Out&)> draw{};
};

/// A step of a client's library.
struct ClientStep {
  Process& process;
  std::uint16_t client;
  Context& context;

  Client& own() const { return process.clients[client]; }
};

/// A step of a caller thread, or of the event loop on behalf of its call.
struct Caller {
  Process& process;
  ThreadId id;
  Context& context;
  std::uint16_t task = 0;  // of which future of the thread's; 0: of the call that it is in

  const Setup& setup() const { return context.setup; }
  sim::PlaceId place() const { return context.setup.threads[id.index()].place; }
  Thread& thread() const { return process.threads[place()]; }
  Cursor& cursor() const { return thread().cursor; }
  Call& call() const { return task == 0 ? *thread().call : thread().futures.at(task).call; }
  /// The step of the program that made the call.
  const Step& step() const {
    if (task == 0) return context.setup.threads[id.index()].program[cursor().step];
    const Future& future = thread().futures.at(task);
    const auto& siblings = context.setup.processes[context.self.index()].threads;
    const ThreadId maker = future.maker ? siblings[future.maker->index()] : id;
    return context.setup.threads[maker.index()].program[future.step];
  }
  const LockKind& kind() const { return kind_of(context.setup, call().object); }
  Client& client() const { return process.clients[client_of(context.setup, call().object)]; }
  ClientStep library() const {
    return {process, client_of(context.setup, call().object), context};
  }
  template <class State>
  State& in() const { return call().state.template write<State>(); }
};

struct Machine {
  std::string_view name;
  void (*invoke)(Caller caller, const Step& step) = nullptr;  // sets the call's state and sends
  /// Absent, with `resume`: its calls give futures, no thread lives through them.
  bool (*may_resume)(const Process& process, const Setup& setup, ThreadId thread) = nullptr;
  /// What is left of the interval in which it may go on; absent: it goes on as soon as it may.
  std::optional<sim::Timer> (*at_latest)(const Call& call) = nullptr;
  void (*resume)(Caller caller) = nullptr;
  /// The reply handler of one of the call's requests; `gone`: an interrupt has ended the call before.
  void (*answered)(Caller caller, const Request& request, const Items& items, bool gone) = nullptr;
  /// The call has been told of a grant and will return with the lock. Absent: that cannot be said.
  bool (*granted)(const Call& call) = nullptr;
  /// Absent, with `interrupt`: no call of it notices an interrupt.
  bool (*interruptible)(const Call& call) = nullptr;
  void (*interrupt)(Caller caller) = nullptr;
  /// Of locks that are made of others: a call that this one made (call_member) is over. Answers of requests
  /// that it sends about members by itself come to `answered`.
  void (*member_returned)(Caller caller, Answer answer, bool interrupted) = nullptr;
  /// What its states are called, in their order, and in which of them a call is: for pictures.
  std::span<const std::string_view> states{};
  std::size_t (*state)(const Call& call) = nullptr;
};

/// That of a machine whose state has its alternatives, or an enum of them, in `at`.
template <class State>
std::size_t number_of_state(const Call& call) {
  const auto& at = call.state.template get<State>().at;
  if constexpr (requires { at.index(); }) return at.index();
  else return static_cast<std::size_t>(at);
}

/// For how long a client waits for the answer to a request, and how often it sends it again.
struct RequestLimits {
  Duration response_timeout{3'000};
  std::uint16_t retry_attempts = 3;
  Interval retry_interval{};  // from a response time-out until it is sent again
  bool resend = true;         // absent: only what never left the client is sent again
  bool refusals = false;      // what a server refuses for now (refusals.h) is sent again as well
  std::uint16_t connections = 0;  // that may be in use at one node; 0: any number
  Duration connection_wait{};     // for a free one
};

/// Whether a client waits until replicas have what a script wrote, and what becomes of one that none has.
struct Syncing {
  enum class Count : std::uint8_t { none, fixed, asked, cached };
  enum class Needs : std::uint8_t { nothing, one, all };

  Count count = Count::none;       // where it knows from how many replicas there are
  std::uint16_t replicas = 0;      // fixed: so many
  Duration wait{};                 // for so long
  Needs needs = Needs::nothing;    // else the request has failed
  bool undone = false;             // an acquire that has is taken back,
  bool repeated = false;           // and the call is begun anew
  bool repeats_request = false;    // under the same request id
};

/// The nodes of a group that may be asked.
enum class Asked : std::uint8_t { master, replicas, all };

struct Library {
  std::string_view name;
  sim::Boxed<LibraryTag> (*initial)() = nullptr;
  /// Of a request that was sent again so many times.
  RequestLimits (*limits)(const Setup& setup, const Purpose& purpose, std::uint16_t attempts) = nullptr;
  /// Where a request may go that only asks; absent: to the master.
  Asked (*asked)(const Setup& setup, const Purpose& purpose) = nullptr;
  /// Absent: it never waits for replicas.
  Syncing (*syncing)(const Setup& setup, const Purpose& purpose) = nullptr;
  /// An unlock that undoes an acquire: for how long what is left is leased, and what follows its answer.
  Duration (*lease_of_undo)(ClientStep step, const Purpose& acquire) = nullptr;
  void (*undone)(ClientStep step, const Purpose& undo, const Items& items) = nullptr;
  /// Timers that are due, by number, and what firing one does.
  std::vector<std::size_t> (*due)(const Client& client) = nullptr;
  /// What is left of the interval in which one that is due may still fire; absent, or nothing: it must now.
  std::optional<sim::Timer> (*fires_at_latest)(const Client& client, std::size_t timer) = nullptr;
  void (*fire)(ClientStep step, std::size_t timer) = nullptr;
  std::string (*lock_of_timer)(const Client& client, std::size_t timer) = nullptr;
  /// What firing it is called in a trace; absent, or nothing: the renewal of that lock.
  std::string_view (*timer_says)(const Client& client, std::size_t timer) = nullptr;
  /// The answer to a renewal that the library sent on its own (Intent::renew).
  void (*answered)(ClientStep step, const Request& request, const Items& items) = nullptr;
  void (*pushed)(ClientStep step, const Reply& message) = nullptr;
  /// A new pub/sub connection, or one to another master.
  void (*connected)(ClientStep step) = nullptr;
  /// A server has closed the connection of this client by itself.
  void (*closed)(ClientStep step) = nullptr;
  /// The process shuts its clients down: no timer runs any more.
  void (*shut_down)(ClientStep step) = nullptr;
  /// Whether it will act again without being told to; whether it keeps a subscription, and for which lock.
  bool (*busy)(const Client& client) = nullptr;
  std::optional<std::string> (*subscribed)(const Client& client) = nullptr;
  /// A subscription of it opens or closes.
  bool (*settling)(const Client& client) = nullptr;
  /// For the identity of states (model/world/identity.h): blanks what nobody will read, and puts lists whose
  /// order nobody reads into the order of their contents. `done`: the process takes no step any more.
  void (*forget)(Client& client, const Setup& setup, bool done) = nullptr;
  void (*put_in_order)(Client& client) = nullptr;
  /// Holds that it would go on to renew.
  std::vector<std::pair<ThreadId, std::string>> (*renewing)(const Client& client) = nullptr;
};

/// Whose calls these are: questions have a machine of their own, whatever the lock (one_request.h), and calls
/// that return a future one that needs no thread.
const Machine& machine_of(const Setup& setup, std::uint16_t object, Intent intent);
const Machine& machine_of(const Setup& setup, const Call& call);
const Machine& machine_of(Caller caller);

/// Puts a request of the calling thread into Out, filled as its role wants it. `lease` is what it asks for.
void send(Caller caller, Intent intent, Duration lease);
/// The purpose of a request of the calling thread.
Purpose purpose_of(Caller caller, const Role& role, std::uint16_t client, Duration lease);
/// The same for any of the kind's roles, through any client of the process.
void send(Caller caller, const Role& role, std::uint16_t client, Duration lease);
/// The same about any lock object.
Purpose purpose_about(Caller caller, std::uint16_t object, const std::string& lock, const Role& role,
                      std::uint16_t client, Duration lease);
/// Fills a request and puts it into Out.
void send(Context& context, Purpose purpose);

/// Which call of its program it is: no other of the thread has the same, in whatever round of a loop, or none
/// that anything still tells of (new_words.h).
sim::WordNumber number_of_call(Caller caller);

/// The request fails without having been sent: its handler runs.
void fail(Process& process, const Request& request, bool caller_gone, Context& context);

/// The calling thread calls a member of its lock; the call that it is in goes on when that is over.
void call_member(Caller caller, const Step& step);

/// The call is over: the program, or the call that made it, goes on behind it; or its future is complete.
/// `token` is what a fenced lock gave with it.
void return_from_call(Caller caller, Answer answer, std::optional<std::int64_t> token = std::nullopt);

}  // namespace lockstep::model
