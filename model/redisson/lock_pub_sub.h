// lock_pub_sub.h: the subscription to a lock's release channel, shared by the threads of one process.
//
// As Redisson's LockPubSub and PublishSubscribe do it:
//   1. The first thread that waits for a lock makes an entry with one reference and sends SUBSCRIBE. Later
//      threads add a reference and share what the first one started.
//   2. The confirmation completes the subscription for all of them.
//   3. Every unlock message stores one permit, for the life of the entry; permits are never drained. A parked
//      thread takes one and goes on; one that is about to park takes a stored one instead of parking. The
//      message of a write lock stores as many as there are threads parked at that instant, and none for one
//      that is about to park.
//   4. A thread that is done drops its reference. With the last one the entry goes and UNSUBSCRIBE is sent; a
//      subscribe that comes before that is confirmed waits behind it (the channel's mutex is held until
//      then).
//
// The latch is a java.util.concurrent.Semaphore: non-fair towards threads that come by, first come first
// served among those parked. Not modelled: different channels that share one of the 50 mutex stripes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/client/machine.h"

namespace lockstep::redisson {

using model::ChannelRequest;
using model::Out;
using sim::ThreadId;

/// "redisson_lock__channel:{orders}"; a name that has a brace already is not braced again
/// (RedissonObject.prefixName).
std::string channel_of(const std::string& lock, const std::string& prefix = "redisson_lock__channel");

/// Where subscriptions are sent: the pub/sub connection of one client.
struct Channels {
  Channels(Out& to, std::uint16_t of = 0) : out(to), client(of) {}  // NOLINT: an Out is one
  void push_back(ChannelRequest request) { out.channels.emplace_back(client, std::move(request)); }
  Out& out;
  std::uint16_t client;
};

struct Subscription {
  enum class Phase : std::uint8_t { subscribing, subscribed, unsubscribing };

  Phase phase = Phase::subscribing;
  std::string channel;
  std::uint16_t references = 0;
  std::uint32_t permits = 0;
  std::vector<ThreadId> waiting;    // for the confirmation, in order of arrival
  std::vector<ThreadId> abandoned;  // gave up before the confirmation came; it drops their references
  std::vector<ThreadId> parked;     // on the latch, longest first
  std::vector<ThreadId> behind;     // asked for a subscription while the old one is being undone

  bool operator==(const Subscription&) const = default;
  static auto fields(auto& s) {
    return std::tie(s.phase, s.channel, s.references, s.permits, s.waiting, s.abandoned, s.parked,
                    s.behind);
  }
};
static_assert(sim::State<Subscription>);

struct LockPubSub {
  std::map<std::string, Subscription> entries;  // by lock

  bool operator==(const LockPubSub&) const = default;
  static auto fields(auto& p) { return std::tie(p.entries); }

  /// The locks with an entry whose channel this is.
  std::vector<std::string> locks_on(const std::string& channel) const;
  /// 1. True if the subscription stands already, so that the thread need not wait for a confirmation.
  bool subscribe(const std::string& lock, const std::string& channel, ThreadId thread, Channels out);
  /// 2. Returns the threads whose wait is over.
  std::vector<ThreadId> confirmed(const std::string& lock, Channels out);
  /// 3.
  void message(const std::string& lock, bool remembered);
  void message_to_all(const std::string& lock);
  bool take_permit(const std::string& lock);
  void park(const std::string& lock, ThreadId thread);
  void unpark(const std::string& lock, ThreadId thread);
  bool may_wake(const std::string& lock, ThreadId thread) const;
  /// 4.
  void unsubscribe(const std::string& lock, Channels out);
  void unsubscription_confirmed(const std::string& lock, Channels out);
  /// The thread stops waiting for the confirmation.
  void abandon(const std::string& lock, ThreadId thread);
  /// The connection is new (a reconnect or another master): what was subscribed is asked for again; an
  /// unsubscription under way is over.
  void resubscribe_all(Channels out);
};
static_assert(sim::State<LockPubSub>);

}  // namespace lockstep::redisson
