// library.h: what the threads of one Redisson client share: subscriptions, the watchdog, leases of objects.
//
// The handlers of the event loop stand in library.cpp; the calls of the locks (locks/) use what is here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/client/machine.h"
#include "model/redisson/lock_pub_sub.h"
#include "model/redisson/settings.h"
#include "model/redisson/watchdog.h"

namespace lockstep::redisson {

using model::Answer;
using model::Caller;
using model::ClientStep;
using model::Items;
using model::Meaning;
using model::Request;
using model::Setup;
using sim::Duration;

/// A future that sleeps before it asks again (spinning_futures.h): until `lo` is over at least, and `hi` at
/// the latest.
struct Asleep {
  std::string lock;
  ThreadId thread;
  std::uint16_t task = 0;
  sim::Timer lo, hi;
  Duration longest{};  // what `hi` was at first

  bool operator==(const Asleep&) const = default;
  static auto fields(auto& a) { return std::tie(a.lock, a.thread, a.task, a.lo, a.hi, a.longest); }
};

struct Redisson {
  static constexpr std::string_view kind = "redisson";

  LockPubSub pub_sub;
  Watchdog watchdog;
  /// internalLockLeaseTime of each lock object where it differs from the watchdog time-out. Fresh objects
  /// belong to one thread, the others to all.
  std::map<std::pair<std::uint16_t, std::optional<ThreadId>>, Duration> leases;
  std::vector<Asleep> asleep;

  bool operator==(const Redisson&) const = default;
  static auto fields(auto& r) { return std::tie(r.pub_sub, r.watchdog, r.leases, r.asleep); }
};
static_assert(sim::State<Redisson>);

extern const model::Library library;

Redisson& of(model::Client& client);
const Redisson& of(const model::Client& client);

/// How the clients of the process are set that takes a step.
const Settings& settings_of(const model::Context& context);

/// Whether its channels lie where their slots do.
bool is_sharded(const Setup& setup, sim::ProcessId process);

/// internalLockLeaseTime of an object, as the thread sees it.
Duration lease_of(const Redisson& redisson, const model::Context& context, std::uint16_t object,
                  ThreadId thread);
void set_lease(Redisson& redisson, const model::Context& context, std::uint16_t object, ThreadId thread,
               Duration lease);
void forget_lease(Redisson& redisson, const Setup& setup, std::uint16_t object, ThreadId thread);

/// What acquires have in common. `by_default` is asked for if the caller gave no lease. If asking sets the
/// lease field of the object, a refused attempt changes it, too (RedissonLock.tryLockInnerAsync, up to
/// 3.15.1).
enum class LeaseField : std::uint8_t { set_by_asking, set_by_grant };
/// The waits of members of other locks are in ms, whatever their length: for those Purpose::wait is negative.
void ask_for_lock(Caller caller, Duration by_default, LeaseField field, Duration wait_of_member = {});
void send_in_wait(Caller caller, model::Intent intent, Duration lease, Duration wait_of_member);
/// The reply handler of an acquire: what is granted without a lease of the caller's own is renewed from now
/// on.
void watch_if_granted(Caller caller, const Request& request, const Items& items);

/// What observations call the lock that a request is about.
std::string lock_of(const model::Purpose& purpose, const Setup& setup);
inline std::string lock_of(const Request& request, const Setup& setup) {
  return lock_of(request.purpose, setup);
}

/// The answer to an unlock has come: DEL of its latch is sent, if its script has one.
void delete_latch(ClientStep step, const model::Purpose& unlock);
/// unlock and force-unlock: the request is sent.
void ask_for_release(Caller caller);
/// Their reply handler: renewal stops as far as its generation says (renewal.h), the latch that the script
/// has left is deleted, and this is what the call answers.
Answer release_answered(Caller caller, const Request& request, const Items& answer);

}  // namespace lockstep::redisson
