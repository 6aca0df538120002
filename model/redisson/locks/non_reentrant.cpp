// non_reentrant.cpp: Redisson's RedissonNonReentrantLock (getNonReentrantLock): the plain lock for once.
//
//   1. lock: nobody holds it: the sender does, with the lease, nil. The sender holds it: an error,
//      NON_REENTRANT_REACQUIRE, which its client throws as an IllegalMonitorStateException. Else the
//      remaining time in ms, or -1 if there is none.
//   2. All else is the plain lock's.
//
// A copy of an acquire that was granted is refused by 1., too: where the first answer is lost and the
// request sent again, the caller gets the exception and the lock stays taken, by a thread that is not renewed
// and does not believe to hold it, until its lease is over. Source: RedissonNonReentrantLock.
// tryLockInnerAsync, since 4.4.0.
#include <array>
#include <vector>

#include "model/redisson/library.h"
#include "model/redisson/locks/plain.h"
#include "model/redisson/locks/listening.h"
#include "model/redisson/locks/waiting.h"

namespace lockstep::redisson {

extern const model::LockKind non_reentrant;

namespace {

using model::Intent;
using model::Role;
using model::Word;
using model::Wording;

const std::array roles{
    Role{.name = "non-reentrant-lock",
         .intent = Intent::acquire,
         .read = read_acquire,
         .throws = asked_again},
    Role{.name = "unlock", .intent = Intent::release, .read = read_release},
    Role{.name = "renew", .intent = Intent::renew, .read = read_renewal},
    Role{.name = "force-unlock", .intent = Intent::force_release, .read = read_force_release},
    asks_held,
    extends,
    asks_locked,
    deletes_latch,
    asks_count,
    asks_time,
};

std::vector<Word> plain_args_and_refusal() {
  std::vector<Word> words(plain_args().begin(), plain_args().end());
  words.push_back({"refusal", [](Wording&) { return std::string(asked_again); }});
  return words;
}
const std::vector<Word> args = plain_args_and_refusal();

}  // namespace

const model::LockKind non_reentrant{.name = "non-reentrant",
                                    .says = "the plain lock, and an exception for who asks for it twice",
                                    .since = "4.4.0",
                                    .roles = roles,
                                    .keys = plain_keys(),
                                    .args = args,
                                    .shape = &hash_of_holders,
                                    .machine = &waiting,
                                    .listening = &listening,
                                    .library = &library,
                                    .promises = {.reentrant = false}};

}  // namespace lockstep::redisson
