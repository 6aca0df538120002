// synced.h: scripts whose client waits until replicas have what they wrote (Redisson's "synced eval").
//
//   1. The client must know how many replicas its master has: it is told by the scenario (`wait`), or asks by
//      INFO before the script, each time or once. What it learned once it keeps until a WAIT is answered
//      otherwise: a failover does not change it, and a 0 stays for ever, since no WAIT is sent then.
//   2. The script and `WAIT count timeout` go together on one connection, and their answers are taken
//      together. The response time-out is longer by that of WAIT.
//   3. Fewer acknowledgements than are needed: the request has failed ("NoSync"), though its script ran.
//   4. An acquire that failed so is taken back by an unlock of its own, whose answer nobody reads.
//   5. Then the call is begun anew after the retry delay, with a count and words of its own; so is an unlock,
//      whose reply handler has run once by then. Before 3.52.0 it has another request id.
//   6. After `retry-attempts` of these the caller is told.
//
// From 3.25.0 to 3.46.x Redisson does not recognise such a failure: 4. and 5. do not happen.
#pragma once

#include "model/client/machine.h"

namespace lockstep::model {

/// 1., 2.: what goes along with a request that is about to leave.
void dress(const Process& process, Outgoing& outgoing, const Setup& setup);

/// For how much longer its answer is waited for.
Duration longer_wait(const Request& request);

/// 1.: the count has come, and the script is to be sent; false: INFO was answered by an error.
bool take_count(Process& process, Request& request, const Reply& reply, const Setup& setup);

/// 3.: what the answer to WAIT makes of an answer that is no error.
enum class Sync : std::uint8_t { enough, too_few, broken };  // broken: WAIT was refused
Sync sync_of(Process& process, const Request& request, std::int64_t acks, const Setup& setup);

/// 4.: whether a request that failed so is, and by what.
bool is_undone(const Request& failed, const Setup& setup);
void undo(Process& process, const Pending& failed, Context& context);
void undo_answered(Process& process, const Pending& undo, const Items& items, Context& context);
/// The acquire that was undone, as it failed.
Pending undone(const Pending& undo);

/// 5., 6.: whether the call is begun anew.
bool is_repeated(const Request& failed, const Setup& setup);
/// It waits for that, and then has words of its own.
void begin_anew_later(Process& process, Pending failed, const Setup& setup);
void make_anew(Request& request, Context& context);
/// A request that was sent with this purpose, before the one that is unanswered now or as a copy of it, is of
/// the same call as far as their numbers say.
bool is_of_call(const Purpose& sent, const Request& now);

}  // namespace lockstep::model
