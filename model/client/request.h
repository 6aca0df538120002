// request.h: what a client asks a server on a command connection, and why.
//
// A request under way keeps its meaning instead of its bytes: which role of which lock kind it plays, and the
// words that fill it. The words on the wire (EVAL with the full text, EVALSHA, or a plain command) are made
// when the server reads it. `purpose` says whose business it is, for the reply handler and for observers.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "sim/base/fields.h"
#include "sim/base/id.h"
#include "sim/base/mentions.h"
#include "sim/base/time.h"

namespace lockstep::model {

struct Setup;
using sim::Duration;
using sim::NodeId;
using sim::ThreadId;

/// One lock more that a request renews.
struct AlsoRenewed {
  std::string lock;
  std::uint16_t object = 0;
  ThreadId thread;
  bool operator==(const AlsoRenewed&) const = default;
  static auto fields(auto& a) { return std::tie(a.lock, a.object, a.thread); }
};

struct Purpose {
  std::uint16_t kind = 0;         // of the lock: a row of Setup::kinds
  std::uint16_t role = 0;         // a row of that kind's roles
  ThreadId thread;                // on whose behalf: the caller, or the thread whose hold is renewed
  std::uint16_t incarnation = 0;  // of its process
  std::uint16_t client = 0;       // which client of its process sends it
  std::string lock;               // the lock's key
  std::uint16_t object = 0;       // which lock object sends it
  Duration lease{};               // of acquires and renewals: the lease it asks for
  bool watched = false;           // acquires only: without a lease of the caller's own, so it will be renewed
  Duration wait{};                // of kinds with a queue: how long the caller waits; zero: it does not say
  std::optional<ThreadId> owner;  // renewals only: the thread whose registration set the timer
  /// Tells apart writes of a thread (number_of_write), and calls whose scripts are sent a word of their own.
  sim::WordNumber number;
  std::vector<AlsoRenewed> also{};  // of renewals of several locks: those behind the first
  std::uint16_t task = 0;  // which future of the thread's it belongs to (Thread::futures); 0: none

  bool operator==(const Purpose&) const = default;
  static auto fields(auto& p) {
    return std::tie(p.kind, p.role, p.thread, p.incarnation, p.client, p.lock, p.object, p.lease, p.watched,
                    p.wait, p.owner, p.number, p.also, p.task);
  }
};

/// The same for each lock that a request is about, in the order of their names in it.
std::vector<Purpose> parts_of(const Purpose& purpose);

/// What goes along with a script whose client waits for replicas (synced.h).
struct Synced {
  enum class Sends : std::uint8_t { script, count };  // count: INFO, to learn how many replicas there are

  Sends sends = Sends::script;
  std::uint16_t replicas = 0;     // that the WAIT behind the script names; 0: none is sent
  Duration wait{};                // its time-out
  std::uint16_t repeats = 0;      // how often the call was begun anew because no replica had it
  bool anew = false;              // it is about to be: its words are not made yet
  std::optional<Purpose> undoes;  // of an unlock that takes back an acquire: that one

  bool operator==(const Synced&) const = default;
  static auto fields(auto& s) {
    return std::tie(s.sends, s.replicas, s.wait, s.repeats, s.anew, s.undoes);
  }
};

/// The connection that a transaction has to itself (scheme.h): to which node, and which of its thread's.
struct Held {
  NodeId node;
  std::uint8_t number = 0;

  bool operator==(const Held&) const = default;
  static auto fields(auto& h) { return std::tie(h.node, h.number); }
};

struct Request {
  /// The last three are sent where a node of a cluster has sent the client (ASK), behind an ASKING.
  enum class Form : std::uint8_t { command, eval, evalsha, asking_command, asking_eval, asking_evalsha };

  Purpose purpose;
  Form form = Form::eval;
  std::vector<std::string> keys;  // of a script
  std::vector<std::string> args;  // of a script; all words of a command
  std::optional<Synced> synced{};
  std::int64_t asked_ms = 0;  // the sender's clock, where the reply is compared with it (scheme.h)
  std::optional<Held> held{};  // of a transaction

  bool asks_count() const { return synced && synced->sends == Synced::Sends::count; }
  bool waits() const { return synced && !asks_count() && synced->replicas > 0; }
  bool operator==(const Request&) const = default;
  static auto fields(auto& r) {
    return std::tie(r.purpose, r.form, r.keys, r.args, r.synced, r.asked_ms, r.held);
  }
};
static_assert(sim::State<Request>);

inline bool is_asking(const Request& request) { return request.form >= Request::Form::asking_command; }
/// The form without the ASKING, and with it.
inline Request::Form plain(Request::Form form) {
  const bool is_plain = form < Request::Form::asking_command;
  return is_plain ? form : static_cast<Request::Form>(static_cast<std::uint8_t>(form) - 3);
}
inline Request::Form asking(Request::Form form) {
  return static_cast<Request::Form>(static_cast<std::uint8_t>(plain(form)) + 3);
}

/// The name of the role that a request plays: "lock", "unlock", "renew", "force-unlock".
std::string_view role_name(const Purpose& purpose, const Setup& setup);

/// Fills a request for this purpose as its role wants it. `now_ms` is the wall clock of the sender.
void fill_words(Request& request, const Setup& setup, std::int64_t now_ms);

/// Which of its arguments are instants of the sender's clock.
std::vector<std::size_t> instants_of(const Request& request, const Setup& setup);

/// The words on the wire.
std::vector<std::string> words_of(const Request& request, const Setup& setup);

}  // namespace lockstep::model
