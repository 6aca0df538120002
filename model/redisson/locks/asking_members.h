// asking_members.h: the machine of questions to locks that are made of others.
//
//   1. isHeldByCurrentThread() and isHeldByThread(id) ask the members in order, each by its own question,
//      up to the first that is not held: then it is false. So it is for a red lock, too, which may be held by
//      most of its members only. A member whose question fails makes it throw.
//   2. Before 3.27.2 they throw (UnsupportedOperationException), and nothing is sent. What else is asked of
//      the whole, whether it is locked, how often it is held and for how long, throws in every version. So
//      does forceUnlock(): a whole is never taken away from its holder.
//
// Sources: RedissonMultiLock.isHeldByThread, isHeldByCurrentThread, isLocked, getHoldCount, remainTimeToLive,
// forceUnlock.
#pragma once

#include "model/client/machine.h"

namespace lockstep::redisson {

extern const model::Machine asking_members;

}  // namespace lockstep::redisson
