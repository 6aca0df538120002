// renewal.h: the generations of Redisson's watchdog as rows of functions, one file each.
//
//   1. per_thread (3.0.0 to 3.10.4, renewal_per_thread.cpp): a timer for the thread that came first.
//   2. per_lock (3.10.5 to 3.43.0, renewal_per_lock.cpp): a timer for each lock, and holds are counted.
//   3. per_client (3.44.0 and later, renewal_per_client.cpp): a task for all locks of a client.
//
// Each is a step of the client's event loop: the reply handler of an acquire, of an unlock, of a renewal, or
// a timer.
#pragma once

#include "model/redisson/library.h"

namespace lockstep::redisson {

struct Generation {
  /// What a granted acquire without a lease asked for is renewed from now on.
  void (*add)(ClientStep step, const model::Purpose& granted);
  /// A timer is due.
  void (*fire)(ClientStep step, std::size_t timer);
  void (*answered)(ClientStep step, const Request& renewal, const Items& items);
  /// An unlock was answered.
  void (*unlocked)(ClientStep step, const model::Purpose& unlock, const Items& items);
  /// All holds of a lock are forgotten, by an object of it.
  void (*forget)(ClientStep step, const std::string& lock, std::uint16_t object);
};
extern const Generation per_thread, per_lock, per_client;

const Generation& generation_of(const model::Context& context);

/// A third of what the next renewal asks for.
Duration renewal_period(ClientStep step, std::uint16_t object, ThreadId thread);
/// Sends the renewal that a timer of one lock is for.
void send_renewal(ClientStep step, const Watchdog::Due& due);
/// Says what a renewal was answered; whether it was renewed.
bool tell_renewal(ClientStep step, const model::Purpose& renewal, const Items& items);

}  // namespace lockstep::redisson
