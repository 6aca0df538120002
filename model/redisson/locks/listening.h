// listening.h: the machine of calls that return a future, of locks whose release is published: lockAsync(),
// tryLockAsync(), unlockAsync(). No thread waits; every step is one of the event loop.
//
// lockAsync(), as its future lives it (RedissonLock.lockAsync, tryLockAsync):
//   1. Asking: the acquire request is under way. Granted: the future is complete. If it was cancelled
//      meanwhile, the lock is given back by an unlock whose answer nobody awaits.
//   2. Refused: it subscribes, like a thread (waiting.h), and when that is confirmed asks again.
//   3. Refused again: it takes a stored wake-up and asks again. Else it listens: the first message whose turn
//      it is, or the end of the holder's lease as the answer told it, whichever comes first, makes it ask
//      again.
//   4. Up to 3.27 looking for a wake-up and beginning to listen are two steps, and a message in between wakes
//      nobody. Since 3.28.0 a listener that is added looks for one, too.
//   5. A message has one listener and one permit: it may wake a future and a thread.
//   6. lockAsync() whose subscription is not confirmed in time fails. tryLockAsync(wait) whose time is up
//      gives up, and answers false; it says no wait of its own then (acquireFailedAsync(-1, null)), so a fair
//      lock moves those behind it by the default one.
//
// Sources: RedissonLock.lockAsync, tryLockAsync, trySuccessFalse; RedissonLockEntry.addListener;
// LockPubSub.onMessage.
#pragma once

#include "model/client/machine.h"

namespace lockstep::redisson {

struct Listening {
  static constexpr std::string_view kind = "listening";

  enum class At : std::uint8_t {
    asking,           // 1., 2.
    subscribing,      // 2.
    about_to_listen,  // 4.
    listening,        // 3.
    giving_up,        // 6.
    releasing         // unlockAsync
  };
  At at = At::asking;
  bool asked_before = false;
  bool subscribed = false;
  std::optional<sim::Duration> wait{};  // about to listen: until the holder's lease runs out
  sim::Duration wait_of_member{};       // as in waiting.h

  bool operator==(const Listening&) const = default;
  static auto fields(auto& l) {
    return std::tie(l.at, l.asked_before, l.subscribed, l.wait, l.wait_of_member);
  }
};
static_assert(sim::State<Listening>);

extern const model::Machine listening;

// What the event loop tells it: its subscription stands, or will not; a message is its own; it has waited
// long enough.
void future_subscribed(model::Caller caller);
void future_not_subscribed(model::Caller caller);
void future_told(model::Caller caller);
void future_waited(model::Caller caller);

}  // namespace lockstep::redisson
