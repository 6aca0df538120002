// lock_pub_sub.h: the subscriptions to locks' release channels, shared by the threads of one process.
//
// As Redisson's LockPubSub, PublishSubscribe and PublishSubscribeService do it:
//   1. Subscriptions are opened and closed under a mutex. There are 50 of them, and a channel's is a number
//      taken from its name (stripe_of), so different channels may share one. Who finds it taken waits in
//      line behind all others that want it.
//   2. The first thread that waits for a lock makes an entry with one reference and sends SUBSCRIBE. The
//      confirmation completes the subscription and frees the mutex; later threads add a reference.
//   3. Every unlock message stores one permit, for the life of the entry; permits are never drained. A parked
//      thread takes one and goes on; one that is about to park takes a stored one instead of parking. The
//      message of a write lock stores as many as there are threads parked at that instant, and none for one
//      that is about to park. A message also runs the listener of one future (listening.h), that of a write
//      lock all of them.
//   4. A thread that is done drops its reference. With the last one the entry goes and UNSUBSCRIBE is sent;
//      the mutex is free when that is confirmed.
//   5. What is not confirmed within `confirmation-timeout`: a SUBSCRIBE fails for all who wait for it, and is
//      undone; one that was sent again on a new connection is sent once more; an UNSUBSCRIBE is taken for
//      confirmed.
//
// The latch is a java.util.concurrent.Semaphore: non-fair towards threads that come by, first come first
// served among those parked. Who joins a subscription of its own lock that is being opened, or follows one
// that is being closed, stands in the entry as long as nobody else is in line for that mutex.
// Sources: PublishSubscribe.subscribe, unsubscribe; PublishSubscribeService.getSemaphore;
// ChannelName.hashCode; PubSubConnectionEntry.subscribe, unsubscribe.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/machine.h"

namespace lockstep::redisson {

using model::ChannelRequest;
using model::Out;
using sim::Duration;
using sim::ThreadId;

/// "redisson_lock__channel:{orders}"; a name that has a brace already is not braced again
/// (RedissonObject.prefixName).
std::string channel_of(const std::string& lock, const std::string& prefix = "redisson_lock__channel");

/// Which mutex a channel has, from 1 on: Math.abs(new ChannelName(name).hashCode() % stripes) + 1. The hash
/// is that of Java's Arrays, of the bytes.
std::uint16_t stripe_of(std::string_view channel, std::uint16_t stripes);

/// Where subscriptions are sent: the pub/sub connection of one client; and how long that waits for answers.
struct Channels {
  Channels(Out& to, std::uint16_t of = 0, Duration patience = sim::never)  // NOLINT: an Out is one
      : out(to), client(of), confirmed_within(patience) {}
  void push_back(ChannelRequest request) {
    request.sharded = sharded;
    out.channels.emplace_back(client, std::move(request));
  }
  Out& out;
  std::uint16_t client;
  Duration confirmed_within;
  bool sharded = false;
};

/// The channel of an entry. Without a stripe its mutex is its own.
struct Channel {
  std::string name;
  std::uint16_t stripe = 0;

  bool operator==(const Channel&) const = default;
  static auto fields(auto& c) { return std::tie(c.name, c.stripe); }
};

/// Who waits: a thread, or a future of it, for so long.
struct Waiter {
  ThreadId thread;
  std::uint16_t task = 0;
  sim::Timer left{sim::never};

  auto operator<=>(const Waiter&) const = default;
  static auto fields(auto& w) { return std::tie(w.thread, w.task, w.left); }
  bool is(ThreadId one, std::uint16_t of_its) const { return thread == one && task == of_its; }
};

struct Subscription {
  enum class Phase : std::uint8_t { subscribing, subscribed, unsubscribing };

  Phase phase = Phase::subscribing;
  Channel channel;
  std::uint16_t references = 0;
  std::uint32_t permits = 0;
  std::vector<Waiter> waiting;      // for the confirmation, in order of arrival
  std::vector<Waiter> abandoned;    // gave up before the confirmation came; it drops their references
  std::vector<ThreadId> parked;     // on the latch, longest first
  std::vector<Waiter> listeners;    // of futures, longest first
  std::vector<Waiter> undecided;    // about to listen (listening.h, 4.): their time is up at once
  std::vector<Waiter> behind;       // asked for a subscription while the old one is being undone
  sim::Timer unconfirmed{sim::never};  // what was sent, for so long still

  bool operator==(const Subscription&) const = default;
  static auto fields(auto& s) {
    return std::tie(s.phase, s.channel, s.references, s.permits, s.waiting, s.abandoned, s.parked,
                    s.listeners, s.undecided, s.behind, s.unconfirmed);
  }
};

/// Who stands in line for a mutex: to subscribe, or to drop a reference.
struct InLine {
  std::string lock;
  Channel channel;
  std::optional<Waiter> subscriber;  // absent: a reference goes

  bool operator==(const InLine&) const = default;
  static auto fields(auto& l) { return std::tie(l.lock, l.channel, l.subscriber); }
};
static_assert(sim::State<Waiter> && sim::State<Subscription> && sim::State<InLine>);

struct LockPubSub {
  std::map<std::string, Subscription> entries;  // by lock
  std::vector<InLine> line;                     // for all mutexes, in order of arrival

  bool operator==(const LockPubSub&) const = default;
  static auto fields(auto& p) { return std::tie(p.entries, p.line); }

  /// The locks with an entry whose channel this is.
  std::vector<std::string> locks_on(const std::string& channel) const;
  /// 1., 2. True if the subscription stands already, so that nobody need wait for a confirmation.
  bool subscribe(const std::string& lock, const Channel& channel, Waiter waiter, Channels out);
  /// Returns those whose wait is over, as do the others that may free a mutex.
  std::vector<Waiter> confirmed(const std::string& lock, Channels out);
  /// 3.
  void message(const std::string& lock, bool remembered);
  void message_to_all(const std::string& lock);
  bool take_permit(const std::string& lock);
  void park(const std::string& lock, ThreadId thread);
  void unpark(const std::string& lock, ThreadId thread);
  bool may_wake(const std::string& lock, ThreadId thread) const;
  void listen(const std::string& lock, Waiter waiter);
  void forget_listener(const std::string& lock, ThreadId thread, std::uint16_t task);
  /// The one that has listened longest, which does so no more; all of them.
  std::vector<Waiter> listeners_of(const std::string& lock, bool all);
  /// 4.
  void unsubscribe(const std::string& lock, Channels out);
  std::vector<Waiter> unsubscription_confirmed(const std::string& lock, Channels out);
  /// It stops waiting for the confirmation.
  void abandon(const std::string& lock, ThreadId thread, std::uint16_t task = 0);
  /// 5. A SUBSCRIBE that fails: those who have waited for it are told so. Returns whose wait is over.
  struct Failed {
    std::vector<Waiter> failed, over;
  };
  Failed unanswered(const std::string& lock, Channels out);
  /// The connection is new (a reconnect or another master): what was subscribed is asked for again; an
  /// unsubscription under way is over. Returns those whose wait is over.
  std::vector<Waiter> resubscribe_all(Channels out);

 private:
  bool is_taken(const Channel& channel) const;
  bool is_in_line(const Channel& channel) const;
  bool joins(const std::string& lock, const Channel& channel) const;
  void open(const std::string& lock, const Channel& channel, Waiter waiter, Channels out);
  void drop_reference(const std::string& lock, Channels out);
  void close(Subscription& entry, Channels out);
  std::vector<Waiter> next_in_line(Channels out);
};
static_assert(sim::State<LockPubSub>);

}  // namespace lockstep::redisson
