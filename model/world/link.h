// link.h: what is under way between one process and one node, in both directions.
//
// Each request of a process travels on a command connection of its own, taken from a pool, so requests
// overtake each other; its reply comes back on the same one. The connection's number is the smallest that is
// free: nothing is under way on it, and no request that was sent on it still waits for its answer, not even
// one that was lost. SUBSCRIBE, UNSUBSCRIBE, their confirmations and the messages share one pub/sub
// connection and keep their order in each direction.
//
// A message may be delivered when `earliest` has counted down to zero; time cannot pass the zero of `latest`
// while it can be delivered. A held one waits until the adversary lets it go. Nothing passes a link that is
// cut; when it stays cut for too long its connections time out: what is under way is lost, and nothing more
// is sent until it is whole again.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "model/client/machine.h"
#include "model/server/effect.h"
#include "model/setup/setup.h"
#include "model/wire.h"

namespace lockstep::model {

/// When a message may and must arrive; both count down.
struct Transit {
  Duration earliest{}, latest{};
  bool held = false;

  bool deliverable() const { return !held && earliest <= Duration::zero(); }
  bool overdue() const { return deliverable() && latest <= Duration::zero(); }
  bool operator==(const Transit&) const = default;
  static auto fields(auto& t) { return std::tie(t.earliest, t.latest, t.held); }
};

/// The connection is blocked by WAIT (acknowledging.h): the script before it was answered, the reply is kept.
struct Blocked {
  Reply reply;
  std::uint16_t replicas = 0;  // that must have acknowledged
  sim::Timer left;             // then it is answered in any case
  std::map<NodeId, std::uint16_t> behind;  // how many acknowledgements of each replica are to come; 0: it has

  bool operator==(const Blocked&) const = default;
  static auto fields(auto& b) { return std::tie(b.reply, b.replicas, b.left, b.behind); }
};

/// A request under way, or, once it was answered, its reply; or what is kept of it meanwhile.
struct Flight {
  ConnectionId connection;
  Transit transit;
  std::optional<Request> request;
  sim::Countdown lease_left;   // of the lease that the request asks for, since it was sent
  std::optional<Reply> reply;  // exactly one of request, reply and blocked is there
  std::optional<Blocked> blocked{};
  std::int64_t acks = 0;  // beside a reply: what WAIT was answered; below zero an error

  bool travels() const { return !blocked; }
  bool operator==(const Flight&) const = default;
  static auto fields(auto& f) {
    return std::tie(f.connection, f.transit, f.request, f.lease_left, f.reply, f.blocked, f.acks);
  }
};

struct ChannelFlight {
  ChannelRequest request;
  Transit transit;
  bool operator==(const ChannelFlight&) const = default;
  static auto fields(auto& f) { return std::tie(f.request, f.transit); }
};

struct PushFlight {
  Reply message;  // nil: the server has closed the connection
  Transit transit;
  bool operator==(const PushFlight&) const = default;
  static auto fields(auto& f) { return std::tie(f.message, f.transit); }
};

struct Link {
  bool cut = false;
  Duration cut_left{};          // of a cut: it heals at the latest then
  Duration time_out_left{};     // of a cut: its connections time out then
  bool timed_out = false;       // and they have
  bool listening = false;       // the process has a standing connection here: pub/sub, or its session
  bool broken = false;          // it had one, and it broke: the process connects again when it can
  std::vector<Flight> flights;  // oldest first
  std::vector<ChannelFlight> up;
  std::vector<PushFlight> down;

  bool operator==(const Link&) const = default;
  static auto fields(auto& l) {
    return std::tie(l.cut, l.cut_left, l.time_out_left, l.timed_out, l.listening, l.broken, l.flights, l.up,
                    l.down);
  }
  bool empty() const { return flights.empty() && up.empty() && down.empty(); }
  bool is_timing_out() const { return cut && !timed_out && time_out_left <= Duration::zero(); }
};
static_assert(sim::State<Transit> && sim::State<Flight> && sim::State<Link>);

/// The transit of a message that is sent now.
Transit depart(const Network& network);

/// The smallest connection number that no flight of this link uses and that is not among the `awaited`, on
/// which a request without an answer was sent: else the next request's reply would be taken for the answer to
/// a lost one.
ConnectionId free_connection(const Link& link, const std::vector<ConnectionId>& awaited);

/// The connections of this link break: what is under way is lost.
void break_connections(Link& link);

void advance(Link& link, Duration passed);
/// The shortest countdown that is still above zero, or `never`.
Duration next_deadline(const Link& link);

/// What is under way from a master to one replica, in order: each element is one command, script or
/// transaction.
struct Stream {
  struct Batch {
    Effects effects;
    Transit transit;
    bool asks = false;  // the replica acknowledges it at once: REPLCONF GETACK goes behind it
    bool operator==(const Batch&) const = default;
    static auto fields(auto& b) { return std::tie(b.effects, b.transit, b.asks); }
  };

  std::optional<NodeId> master;  // absent: not attached
  bool lagging = false;          // the adversary holds the stream
  Duration lag_left{};
  bool cut =
      false;  // the adversary broke it: nothing is sent, and the replica synchronises anew when it heals
  Duration cut_left{};
  bool missed_writes = false;  // the master crashed, and had writes that the replica will not see
  std::vector<Batch> batches;
  std::vector<Transit> acks;  // acknowledgements on their way to the master

  bool operator==(const Stream&) const = default;
  static auto fields(auto& s) {
    return std::tie(s.master, s.lagging, s.lag_left, s.cut, s.cut_left, s.missed_writes, s.batches, s.acks);
  }
};
static_assert(sim::State<Stream::Batch> && sim::State<Stream>);

/// `by_master` is how far the master's wall clock moved in that time: deadlines under way are its deadlines.
void advance(Stream& stream, Duration passed, Duration by_master);
/// The master's wall clock alone moved.
void shift_deadlines(Stream& stream, Duration by);
Duration next_deadline(const Stream& stream);

}  // namespace lockstep::model
