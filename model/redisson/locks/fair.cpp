// fair.cpp: Redisson's RedissonFairLock (getFairLock): who asked first gets the lock first.
//
//   1. The lock is a hash like the plain lock. Beside it lie a list of those that wait, first come first, and
//      a sorted set of their deadlines: instants of the clients' clocks, in ms since 1970. A place whose
//      deadline is over is given up: each script first takes such places from the head of the queue, as far
//      as they reach.
//   2. lock: nobody holds it, and nobody waits or the sender is first: it leaves the queue, all other
//      deadlines come earlier by the wait, and it holds the lock, nil. The sender holds it: once more, nil.
//      It is queued already: how long it waits (3.). Else it gets the last place; its deadline is that of the
//      one before it, or the time that the holder has left from now on, and the wait on top; the answer is
//      the same without the wait.
//   3. Who is queued is told the remaining time of the lock, or 0 (since 3.32.0); from 3.11.1 to 3.31.0 what
//      is left of its own deadline without the wait, which may be negative: then it waits for the message
//      only. Up to 3.11.0 each attempt sets its deadline anew, behind that of the first, and no grant makes
//      deadlines come earlier.
//   4. tryLock() without a wait takes the lock as in 2., or answers 1; it gets no place.
//   5. A tryLock(wait) whose time is up leaves the queue, and the deadlines of those behind it come earlier
//      by the wait. An interrupt, or a subscription that is not confirmed, leaves the place where it is.
//   6. unlock is that of the plain lock, but tells only the first in the queue: each waiter has a channel of
//      its own, that of the lock with its name behind. Nobody holds it: the first is told, 1, whoever asks.
//   7. force-unlock: the key goes, the first is told, 1; there was none: 0. renew is that of the plain lock.
//   8. The wait is 5 s; since 3.13.3 it is what the caller says, or 5 min. A tryLock(10, SECONDS) without a
//      lease then says 10 ms: its number travels without the unit. (`wait=10s` is such a call; a wait that is
//      not whole seconds is one in milliseconds, and so is that of a member.) When it gives up it says 10 s,
//      as it is.
//   9. expire, which a lock that it is a member of calls, sets the time to live of all three keys, without a
//      condition on the one that they have.
//  10. The non-reentrant one answers who holds it and asks again with an error, NON_REENTRANT_REACQUIRE. All
//      else is as above.
//
// Who is refused waits for the message (waiting.h). A member of the queue without a deadline was an error up
// to 3.30.0, the last one even up to 3.44.0. Not modelled: the async forms, which give up with the default
// wait; delete(). Sources: RedissonFairLock.tryLockInnerAsync, acquireFailedAsync,
// unlockInnerAsync, forceUnlockAsync, 3.2.0 to 4.7.
#include <array>
#include <vector>

#include "model/client/one_request.h"
#include "model/redisson/library.h"
#include "model/redisson/locks/listening.h"
#include "model/redisson/locks/plain.h"
#include "model/redisson/locks/waiting.h"

namespace lockstep::redisson {

extern const model::LockKind fair, non_reentrant_fair;

namespace {

using model::Intent;
using model::Role;
using model::Word;
using model::Wording;

constexpr std::string_view deadlines_prefix = "redisson_lock_timeout";

std::string queue_of(const std::string& lock) { return channel_of(lock, "redisson_lock_queue"); }
std::string deadlines_of(const std::string& lock) { return channel_of(lock, std::string(deadlines_prefix)); }

/// 8.
Duration wait_for_place(const Wording& w) {
  const Settings& client = w.setup.client_of(w.setup.process_of(w.purpose.thread));
  const bool in_ms = w.purpose.wait < Duration::zero();
  const Duration said = in_ms ? -w.purpose.wait : w.purpose.wait;
  if (!client.fair_wait_of_caller || said == Duration::zero()) return client.fair_wait;
  const bool whole_seconds = !in_ms && said.count() % 1'000 == 0;
  return client.fair_wait_unit_lost && w.purpose.watched && whole_seconds ? said / 1'000 : said;
}

std::vector<Word> with_those_of_plain(std::span<const Word> plain, std::initializer_list<Word> own) {
  std::vector<Word> words(plain.begin(), plain.end());
  words.insert(words.end(), own);
  return words;
}

const std::vector<Word> keys = with_those_of_plain(
    plain_keys(), {Word{"queue", [](Wording& w) { return queue_of(w.purpose.lock); }},
                   Word{"deadlines", [](Wording& w) { return deadlines_of(w.purpose.lock); }}});

const std::vector<Word> args = with_those_of_plain(
    plain_args(),
    {Word{"wait", [](Wording& w) { return std::to_string(wait_for_place(w).count()); }},
     Word{.name = "waits-until",
          .fill = [](Wording& w) { return std::to_string(w.now_ms + wait_for_place(w).count()); },
          .instant = true},
     Word{"condition", [](Wording&) { return std::string(); }},
     Word{"refusal", [](Wording&) { return std::string(asked_again); }}});

/// Who does not wait is told yes or no: RedissonFairLock.tryAcquireOnceAsync sends EVAL_NULL_BOOLEAN.
Items read_at_once(const model::Reply& reply) {
  Items items = read_acquire(reply);
  for (model::Item& item : items) item.wait.reset();
  return items;
}

Items read_give_up(const model::Reply&) { return {{.what = Meaning::yes, .wait = {}, .number = {}}}; }

/// What follows the two ways to ask for it.
std::vector<Role> with_those_of_fair(std::initializer_list<Role> asking) {
  std::vector<Role> roles(asking);
  roles.insert(
      roles.end(),
      {Role{.name = "fair-acquire-failed", .intent = Intent::give_up, .read = read_give_up},
       Role{.name = "fair-unlock", .intent = Intent::release, .read = read_release},
       Role{.name = "renew", .intent = Intent::renew, .read = read_renewal},
       Role{.name = "fair-force-unlock", .intent = Intent::force_release, .read = read_force_release},
       Role{.name = "fair-expire", .intent = Intent::extend, .read = read_renewal}, asks_held, asks_locked,
       deletes_latch, asks_count, asks_time});
  return roles;
}
const std::vector<Role> roles =
    with_those_of_fair({Role{.name = "fair-lock", .intent = Intent::acquire, .read = read_acquire},
                        Role{.name = "fair-try-lock",
                             .intent = Intent::acquire,
                             .read = read_at_once,
                             .otherwise = "fair-lock",
                             .at_once = true}});
const std::vector<Role> roles_for_once = with_those_of_fair({Role{.name = "non-reentrant-fair-lock",
                                                                  .intent = Intent::acquire,
                                                                  .read = read_acquire,
                                                                  .throws = asked_again},
                                                             Role{.name = "non-reentrant-fair-try-lock",
                                                                  .intent = Intent::acquire,
                                                                  .read = read_at_once,
                                                                  .at_once = true,
                                                                  .throws = asked_again}});

/// A score as a whole number, of which there are none beyond 2^53.
template <class Score>
std::int64_t instant(Score score) {
  constexpr Score most = 9'007'199'254'740'992.0;
  return static_cast<std::int64_t>(score > most ? most : score < -most ? -most : score);
}

std::optional<model::Truth> truth(std::span<const std::optional<model::Look>> groups, const Setup& setup,
                                  std::uint16_t object, const std::string& lock) {
  std::optional<model::Truth> truth = hash_of_holders.truth(groups, setup, object, lock);
  if (!truth) return truth;
  const model::Look& look = *groups[setup.objects[object].group.index()];
  const auto queue = look(queue_of(lock)), deadlines = look(deadlines_of(lock));
  const bool strange = (queue && queue->form != model::Stored::Form::list) ||
                       (deadlines && deadlines->form != model::Stored::Form::sorted_set);
  truth->unreadable = truth->unreadable || strange;
  if (truth->unreadable) return truth;
  if (queue)
    for (const auto& [none, holder] : queue->items) truth->queue.emplace_back(holder);
  if (deadlines)
    for (std::size_t i = 0; i < deadlines->items.size(); ++i)
      truth->deadlines.emplace(deadlines->items[i].first, instant(deadlines->scores[i]));
  return truth;
}

const model::Shape hash_with_queue{.name = "fields of a hash, with a queue", .truth = truth};

bool scores_are_deadlines(std::string_view key) { return key.starts_with(deadlines_prefix); }
}  // namespace

const model::LockKind fair{.name = "fair",
                           .says = "stored with a queue of those that wait; who asked first gets it first",
                           .roles = roles,
                           .keys = keys,
                           .args = args,
                           .shape = &hash_with_queue,
                           .machine = &waiting,
                           .listening = &listening,
                           .library = &library,
                           .promises = {},
                           .queues = true,
                           .scores_instants = scores_are_deadlines};

const model::LockKind non_reentrant_fair{.name = "non-reentrant-fair",
                                         .says = "the fair lock, and an exception for who asks for it twice",
                                         .since = "4.4.0",
                                         .roles = roles_for_once,
                                         .keys = keys,
                                         .args = args,
                                         .shape = &hash_with_queue,
                                         .machine = &waiting,
                                         .listening = &listening,
                                         .library = &library,
                                         .promises = {.reentrant = false},
                                         .queues = true,
                                         .scores_instants = scores_are_deadlines};

}  // namespace lockstep::redisson
