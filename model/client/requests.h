// requests.h: requests of a process that wait for their answers, and what happens when none comes in time.
//
//   1. A request is sent, and waits for the reply on its own connection at most `response-timeout`.
//   2. The reply comes: its handler runs, whichever thread is at work, or gone.
//   3. None comes in time: the request waits `retry-interval`, which may be any of lo..hi, and is sent again,
//      on another connection, while the first copy may still be served (RedisExecutor, 3.10.0 and later). Its
//      reply is not listened to. If its library sends nothing twice, only a request that could not leave is.
//   4. After `retry-attempts` such copies the call fails with an exception.
//   5. The server refuses it for now (refusals.h): a library that knows better sends it again after
//      `retry-interval`, or 1.5 s if that is zero, at most `retry-attempts` times.
//   6. A process may have only so many connections to a node, master or replica. A request that finds none
//      free waits in line for that node, and fails after `connection-wait`. A connection is free when its
//      request was answered or has timed out.
//   7. Where replicas are waited for, more goes along with a request (synced.h).
//   8. A node of a cluster sends it elsewhere: redirects.h.
//   9. The server does not know the script (NOSCRIPT): the request is sent again at once with its text.
#pragma once

#include "model/client/machine.h"

namespace lockstep::model {

/// A request was put under way, or could not leave (its node is down): its answer is awaited from now on.
void await_answer(Process& process, NodeId node, ConnectionId connection, Outgoing outgoing,
                  const Setup& setup, bool left = true);

/// No connection is free for it, or others wait for one; then it stands behind them.
bool must_queue(const Process& process, const Outgoing& outgoing, const Setup& setup);
void queue(Process& process, Outgoing outgoing, const Setup& setup);
/// The first in line that there is a connection for now.
std::optional<Outgoing> next_in_line(Process& process, std::uint16_t client, const Setup& setup);

/// The clients of the process were shut down: whatever it sends fails at once.
void fail_all(Process& process, Context& context);

/// The requests whose time is over, or may be taken to be; whether one of them may not wait any longer.
std::vector<const Pending*> due_requests(const Process& process);
bool must_time_out(const Process& process);

/// Whether somebody awaits the reply on this connection, and to what.
const Pending* awaited(const Process& process, NodeId node, ConnectionId connection);

/// Fills a request as its role wants it, by the clock of its process.
void make_words(Request& request, const Context& context);

/// What a timer of a client's library sends for a hold.
struct Renewal {
  std::uint16_t object = 0;
  std::string lock;
  ThreadId thread;           // whose hold
  ThreadId owner;            // whose registration set the timer
  Duration lease{};          // that it asks for
  sim::WordNumber number;    // of the token of the hold
};
void send_renewal(ClientStep step, Renewal renewal);

/// What an answer says of the n-th part of its request (parts_of): all, or one item for each lock.
Items items_about(const Items& items, const std::vector<Purpose>& parts, std::size_t part);

}  // namespace lockstep::model
