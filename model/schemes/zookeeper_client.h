// zookeeper_client.h: what the threads of a ZooKeeper client share: its session, holds, watches.
//
//   1. A session begins with the first request that names it. While a thread holds a lock or is inside a
//      call, a ping is sent when nothing was sent for a third of the session's time.
//   2. A request without an answer for another third, or with an error: the connection is lost. Threads that
//      asked wait. The client pings once a second, and at once when it has a new connection, or when the
//      server closed the old one; an answer ends that.
//   3. A new connection has no watches: whoever waits for one looks again.
//   4. The answer says that the session is over: only now does the client know. What its threads hold is
//      lost, and what they ask next is of a new session.
//   5. A session that nobody uses is not pinged, and ends by itself.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "model/client/machine.h"

namespace lockstep::schemes {

using model::Caller;
using model::ClientStep;
using sim::ThreadId;

struct HeldChild {
  std::uint32_t number = 0;
  std::uint16_t object = 0;
  bool operator==(const HeldChild&) const = default;
  static auto fields(auto& h) { return std::tie(h.number, h.object); }
};

/// A thread inside a call.
struct InsideCall {
  std::string lock;
  std::uint16_t object = 0;
  std::uint32_t watched = 0;  // the child that it waits for; 0: it waits for none
  bool told = false;          // that it is gone, or that it cannot be known
  bool operator==(const InsideCall&) const = default;
  static auto fields(auto& i) { return std::tie(i.lock, i.object, i.watched, i.told); }
};

struct ZookeeperClient {
  static constexpr std::string_view kind = "zookeeper client";

  std::uint16_t session = 1;  // of this start of the process
  bool suspended = false;     // 2.
  std::uint8_t pings = 0;     // under way
  sim::Timer ping{sim::never};
  std::map<std::pair<std::string, ThreadId>, HeldChild> holds;  // by lock
  std::map<ThreadId, InsideCall> inside;

  bool in_use() const { return !holds.empty() || !inside.empty(); }
  bool operator==(const ZookeeperClient&) const = default;
  static auto fields(auto& c) { return std::tie(c.session, c.suspended, c.pings, c.ping, c.holds, c.inside); }
};
static_assert(sim::State<ZookeeperClient>);

extern const model::Library zookeeper_library;

ZookeeperClient& zookeeper_of(model::Client& client);
const ZookeeperClient& zookeeper_of(const model::Client& client);

/// The session as requests name it: no other start of the process has the same.
std::uint16_t session_word(const model::Process& process, const ZookeeperClient& client);
/// 1.: something was sent; nothing is used any more.
void note_sent(Caller caller);
void note_idle(ZookeeperClient& client);
/// 2., 4.
void connection_lost(Caller caller);
void session_over(ClientStep step);

}  // namespace lockstep::schemes
