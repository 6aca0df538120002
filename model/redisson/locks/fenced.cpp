// fenced.cpp: Redisson's RedissonFencedLock (getFencedLock): the plain lock, and a number with each grant.
//
//   1. Beside the lock lies a counter, redisson_lock_token:{orders}, which stays for good. Every acquire that
//      is granted, a nested one too, adds one to it; the new number is the token.
//   2. lock, tryLock: granted: nil; refused: the remaining time in ms. The token is not told.
//   3. lockAndGetToken, tryLockAndGetToken (`token`): granted: {-1, token}; refused: {remaining time in ms,
//      -1}; so one that has no time to live is taken for granted, with the token -1. Without a wait
//      tryLockAndGetToken() waits as lockAndGetToken() does. A set without that script sends the one of 2.
//   4. unlock, renew, force-unlock and the questions are those of the plain lock. getToken asks for the
//      counter as it is then, which may be the token of a later holder.
//   5. expire, which a multi lock that it is a member of calls, sets the time to live of the counter, too:
//      unless it is called again in time, the counter goes, and tokens begin anew with 1.
//
// A thread writes (`write ledger`) with the token that it was told last. *AndGetToken waits with a listener
// (listening.h), as it does with `async` behind it; without, a thread is parked. Not modelled: that
// lockAndGetToken(lease, unit) takes no notice of its lease: here it asks for it, like
// lockAndGetTokenAsync(lease, unit).
// Sources: RedissonFencedLock.tryLockInnerAsync, tryLockAndGetTokenAsync, getTokenAsync, since 3.19.0.
#include <array>
#include <vector>

#include "model/client/one_request.h"
#include "model/redisson/library.h"
#include "model/redisson/locks/listening.h"
#include "model/redisson/locks/plain.h"
#include "model/redisson/locks/waiting.h"

namespace lockstep::redisson {

extern const model::LockKind fenced;

namespace {

using model::Intent;
using model::Item;
using model::Reply;
using model::Role;
using model::Word;
using model::Wording;

/// 3. What begins with -1 is a grant.
Items read_fenced(const Reply& reply) {
  const Reply::Array* list = reply.array();
  if (list == nullptr) return read_acquire(reply);
  if (list->size() != 2 || (*list)[0].integer() == nullptr || (*list)[1].integer() == nullptr)
    return {Item{}};
  if (*(*list)[0].integer() != -1) return read_acquire((*list)[0]);
  return {{.what = Meaning::granted, .wait = {}, .number = *(*list)[1].integer()}};
}

constexpr std::string_view counter = "redisson_lock_token";
model::Command token_words(Wording& w) { return {"GET", channel_of(w.purpose.lock, std::string(counter))}; }

const std::array roles{
    Role{.name = "fenced-lock", .intent = Intent::acquire, .read = read_acquire},
    Role{.name = "fenced-lock-token",
         .intent = Intent::acquire,
         .read = read_fenced,
         .otherwise = "fenced-lock"},
    Role{.name = "unlock", .intent = Intent::release, .read = read_release},
    Role{.name = "renew", .intent = Intent::renew, .read = read_renewal},
    Role{.name = "force-unlock", .intent = Intent::force_release, .read = read_force_release},
    asks_held,
    Role{.name = "fenced-expire",
         .intent = Intent::extend,
         .read = read_renewal,
         .command = extends.command,
         .may_be_script = true},
    asks_locked,
    deletes_latch,
    asks_count,
    asks_time,
    Role{
        .name = "get-token", .intent = Intent::ask_token, .read = model::read_number, .command = token_words},
};

std::vector<Word> with(std::span<const Word> plain, Word own) {
  std::vector<Word> words(plain.begin(), plain.end());
  words.push_back(std::move(own));
  return words;
}
const std::vector<Word> keys = with(
    plain_keys(), {"token", [](Wording& w) { return channel_of(w.purpose.lock, std::string(counter)); }});
const std::vector<Word> args = with(plain_args(), {"condition", [](Wording&) { return std::string(); }});

}  // namespace

const model::LockKind fenced{.name = "fenced",
                             .says = "the plain lock, and a token with each grant that later grants surpass",
                             .since = "3.19.0",
                             .roles = roles,
                             .keys = keys,
                             .args = args,
                             .shape = &hash_of_holders,
                             .machine = &waiting,
                             .listening = &listening,
                             .library = &library,
                             .promises = {.tokens = true},
                             .stays = [](std::string_view key) { return key.starts_with(counter); }};

}  // namespace lockstep::redisson
