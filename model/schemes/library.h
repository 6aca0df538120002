// library.h: what the threads of a client of schemes share: tokens of holds, renewals, subscriptions.
//
//   1. A grant is kept with its number, which makes its token another than every other; the release takes it.
//   2. What was asked for without a lease is renewed, if its scheme says so: so long after the grant a
//      request is sent, and again so long after its answer. Where nothing was renewed, or the thread begins
//      to release it, no more is sent. An error changes nothing.
//   3. A subscription stands as long as a thread waits on its channel. A message wakes all who wait there.
//
// It sends nothing twice: a request that nobody answers in time has failed.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "model/client/machine.h"

namespace lockstep::schemes {

using model::Caller;
using model::ClientStep;
using sim::Duration;
using sim::ThreadId;

struct Grant {
  sim::WordNumber number;
  std::uint16_t object = 0;
  std::uint16_t count = 1;  // of a scheme that is reentrant
  bool renewed = false;
  bool asked = false;  // a renewal is under way
  sim::Timer left;     // until the next one

  bool operator==(const Grant&) const = default;
  static auto fields(auto& g) { return std::tie(g.number, g.object, g.count, g.renewed, g.asked, g.left); }
};

struct Subscription {
  std::string lock;
  bool confirmed = false;
  std::set<ThreadId> users;
  std::set<ThreadId> told;  // whom a message has reached

  bool operator==(const Subscription&) const = default;
  static auto fields(auto& s) { return std::tie(s.lock, s.confirmed, s.users, s.told); }
};

struct Schemes {
  static constexpr std::string_view kind = "schemes";

  std::map<std::pair<std::string, ThreadId>, Grant> grants;  // by lock
  std::map<std::string, Subscription> channels;

  bool operator==(const Schemes&) const = default;
  static auto fields(auto& s) { return std::tie(s.grants, s.channels); }
};
static_assert(sim::State<Schemes>);

extern const model::Library library;

Schemes& of(model::Client& client);
const Schemes& of(const model::Client& client);

/// 1., 2.: of the call's lock, through the n-th client of its process.
void keep_grant(Caller caller, std::uint16_t client, sim::WordNumber number);
/// The number of what the call releases, which is renewed no longer if this is its last hold; 0: it has none.
sim::WordNumber take_grant(Caller caller, std::uint16_t client);

/// 3.
void subscribe(Caller caller, const std::string& channel);
void unsubscribe(Caller caller, const std::string& channel);

}  // namespace lockstep::schemes
