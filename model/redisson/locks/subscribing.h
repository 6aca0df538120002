// subscribing.h: what machines of locks that publish their release have in common: where the caller's lock
// does so, how it is asked for, and how its caller gives up. A thread waits as waiting.h tells, a future as
// listening.h does.
#pragma once

#include <string>

#include "model/redisson/library.h"

namespace lockstep::redisson {

inline LockPubSub& pub_sub_of(Caller caller) { return of(caller.client()).pub_sub; }

/// Where subscriptions of this client are sent, and how long they wait for confirmations.
Channels channels_of(ClientStep step);

/// Where the release of the caller's lock is published: what its kind fills in as the word `channel`; of a
/// kind with a queue, the caller's own. What is named after a thread shares no mutex: which threads have
/// names that do would tell threads apart that are alike.
Channel channel_of(Caller caller);

/// The entry of a call's subscription: of the lock, or the thread's own (LockPubSub.subscribe(entryName)).
std::string entry_of(const model::Process& process, const Setup& setup, ThreadId thread,
                     const model::Call& call);
std::string entry_of(Caller caller);

/// The acquire request is sent, with the lease that its version asks for.
void ask_again(Caller caller, Duration wait_of_member);

/// What the caller sends when its time is up; nothing if its kind or its scripts have no word for that.
bool says_that_it_gives_up(Caller caller);

/// A wait for a release: until the holder's lease runs out, if it has one, or the caller's time is up.
Duration longest_wait(Caller caller, std::optional<Duration> holder_has_left);

}  // namespace lockstep::redisson
