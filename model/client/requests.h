// requests.h: requests of a process that wait for their answers, and what happens when none comes in time.
//
//   1. A request is sent, and waits for the reply on its own connection at most `response-timeout`.
//   2. The reply comes: its handler runs, whichever thread is at work, or gone.
//   3. None comes in time: the request waits `retry-interval`, which may be any of lo..hi, and is sent again,
//      on another connection, while the first copy may still be served (RedisExecutor, 3.10.0 and later). Its
//      reply is not listened to. If its library sends nothing twice, only a request that could not leave is.
//   4. After `retry-attempts` such copies the call fails with an exception.
//   5. A node of a cluster sends it elsewhere: redirects.h.
//   6. The server does not know the script (NOSCRIPT): the request is sent again at once with its text.
#pragma once

#include "model/client/machine.h"

namespace lockstep::model {

/// A request was put under way, or could not leave (its node is down): its answer is awaited from now on.
void await_answer(Process& process, NodeId node, ConnectionId connection, Outgoing outgoing,
                  const Setup& setup, bool left = true);

/// The requests whose time is over, or may be taken to be; whether one of them may not wait any longer.
std::vector<const Pending*> due_requests(const Process& process);
bool must_time_out(const Process& process);

/// Whether somebody awaits the reply on this connection, and to what.
const Pending* awaited(const Process& process, NodeId node, ConnectionId connection);

/// What an answer says of the n-th part of its request (parts_of): all, or one item for each lock.
Items items_about(const Items& items, const std::vector<Purpose>& parts, std::size_t part);

}  // namespace lockstep::model
