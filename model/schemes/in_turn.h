// in_turn.h: the machine of schemes: it asks one thing after another, on one master after another.
//
//   1. Asking: a request of the scheme's is under way, to one of its masters. lock() begins with the first
//      request to the first master.
//   2. Heard: it was answered; the thread has not gone on yet. What the answer says leads to the next request
//      to this master, back to the first, or to the next master: the lock was granted here, or it was not.
//   3. All masters were asked. Enough have granted it, and the lease less the drift is not over since the
//      first request was sent: the call returns. Else what was taken is given back by the requests of `undo`
//      (where there are several masters, on all of them).
//   4. Then a trylock() without a wait returns. Who waits sleeps (Asleep) and begins anew, or subscribes
//      (Subscribing), asks once more, and waits for a message (Parked), though not for longer than `first`.
//      A call that has asked `times` times ends: trylock() with no, lock() with an exception.
//   5. unlock() sends the requests of `release` in the same manner, to every master, whatever each says.
//      Enough released it: yes. Else, or if nobody answers, an exception.
//   6. An interrupt ends a call at once with an exception; what is under way is not taken back.
//   7. The requests of a transaction go over one connection (Held): what opens it is told which it got, and
//      those behind it name it. An answer that leads elsewhere than to the next request closes it.
//
// On one master an error ends the call with an exception; on several it is as if the lock were another's.
#pragma once

#include "model/client/machine.h"

namespace lockstep::schemes {

extern const model::Machine in_turn;

}  // namespace lockstep::schemes
