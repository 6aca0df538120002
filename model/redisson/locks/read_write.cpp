// read_write.cpp: Redisson's RedissonReadLock and RedissonWriteLock (the two halves of getReadWriteLock): two
// kinds that are stored as one lock.
//
//   1. The lock is a hash under its own name. `mode` is "read" or "write"; the field "uuid:1" says how often
//      a thread reads, "uuid:1:write" how often it writes. The key has one time to live; besides, the i-th
//      read hold of a thread has a key of its own, `{orders}:uuid:1:rwlock_timeout:i`, whose time to live is
//      the lease of that hold.
//   2. read: nobody holds it, or only readers do, or the sender writes: one more read hold with its key, and
//      the key of the lock gets the lease anew, nil. (Since 3.11.1 it gets the lease only if that is longer
//      than what is left.) Else the remaining time in ms.
//   3. read unlock: the sender reads: one hold less, and its key goes. Somebody is left: the lock gets the
//      longest time that the keys of the holds left have, 0; if they have none and nobody writes, it goes.
//      Nobody is left: it goes, "0" is published, 1. The sender does not read: nil.
//   4. write: nobody holds it: the lock, with the lease, nil. The sender writes: one hold more, and the lease
//      is added to the time that is left, nil. Else the remaining time in ms, even if the sender reads: it
//      then waits for itself.
//   5. write unlock: the sender writes: one hold less. Some left: the lease anew, 0. None left: the lock goes
//      and "1" is published, which wakes all who wait; or, if it reads, too, the mode becomes "read" and
//      nobody is told; 1 either way. The sender does not write: nil.
//   6. Either unlock of a lock that nobody holds publishes, too, and answers 1, since 3.44.0 nil. Up to 3.8.1
//      write unlock publishes "0".
//   7. renew for a reader: it reads: the lease anew for the lock and for the keys of all read holds, those of
//      other clients too, 1; else 0. (Up to 3.8.0 for the lock alone, since 4.4.0 for the threads of its own
//      client.) For a writer: the plain script on its field. Both halves share one entry of the watchdog,
//      whose timer renews the half that was registered first; from 3.17.1 on, if that is the writer's and
//      answers 0, the other is asked, too. Since 3.44.0 each half has its own task.
//   8. From 3.44.0 to 3.52.0 a renewal of several readers' locks takes the number of a hold for that of the
//      lock: it renews the keys of n-th holds under the prefix of the n-th lock, and a second hold behind the
//      last lock is an error.
//   9. force-unlock takes the lock away from readers, or from the writer; 0 if it is held the other way.
//  10. isHeldByCurrentThread asks HEXISTS of the half's field; isLocked asks for the mode: a reader's says no
//      while a writer reads, too. Since 3.24.0 a script does, which sees that.
//
// Who is refused waits for the message on the channel of both halves (waiting.h). Unlocks of later versions
// are sent the publish command (3.22.0) and a latch (3.24.0), as those of the plain lock. Sources:
// RedissonReadLock, RedissonWriteLock and ReadLockTask, 3.6.0 to 4.7.
#include <algorithm>
#include <array>

#include "model/client/one_request.h"
#include "model/redisson/library.h"
#include "model/redisson/locks/plain.h"
#include "model/redisson/locks/listening.h"
#include "model/redisson/locks/waiting.h"
#include "sim/base/verify.h"

namespace lockstep::redisson {

extern const model::LockKind read, write;

namespace {

using model::Hold;
using model::Intent;
using model::Look;
using model::Mode;
using model::Role;
using model::Stored;
using model::Truth;
using model::Word;
using model::Wording;

constexpr std::string_view writes = ":write";
constexpr std::int64_t holds_max = 1'000;  // whose keys are looked at: a wrong script may store any number

/// 1.: `{orders}`; a name that has a brace already is not braced again (RedissonObject.suffixName).
std::string key_prefix(const std::string& lock) {
  return lock.find('{') != std::string::npos ? lock : "{" + lock + "}";
}

std::string time_outs_of(const std::string& lock, std::string_view reader) {
  return key_prefix(lock) + ":" + std::string(reader) + ":rwlock_timeout";
}

std::string message(Wording& w) {
  const Settings& client = w.setup.client_of(w.setup.process_of(w.purpose.thread));
  return w.setup.kinds[w.purpose.kind]->mode == Mode::shared || !client.write_wakes_all ? "0" : "1";
}
std::string lease(Wording& w) { return std::to_string(w.purpose.lease.count()); }
std::string reader(Wording& w) { return model::holder_of(w.purpose, w.setup); }
std::string writer(Wording& w) { return reader(w) + std::string(writes); }

/// A word that the plain lock's scripts are sent as well.
std::string as_plain(std::span<const Word> words, std::string_view name, Wording& w) {
  for (const Word& word : words)
    if (word.name == name) return word.fill(w);
  UNREACHABLE("a word of the plain lock");
}

constexpr std::array keys{
    Word{"lock", [](Wording& w) { return w.purpose.lock; }},
    Word{"channel", [](Wording& w) { return channel_of(w.purpose.lock, "redisson_rwlock"); }},
    Word{"time-outs", [](Wording& w) { return time_outs_of(w.purpose.lock, reader(w)); }},
    Word{"prefix", [](Wording& w) { return key_prefix(w.purpose.lock); }},
    Word{"latch", [](Wording& w) { return as_plain(plain_keys(), "latch", w); }, true},
    Word{"locks", [](Wording& w) { return w.purpose.lock; }, false, true},
    Word{"prefixes", [](Wording& w) { return key_prefix(w.purpose.lock); }, false, true},
};
constexpr Word publish{"publish", [](Wording& w) { return as_plain(plain_args(), "publish", w); }};
constexpr Word latch_time{"latch-time", [](Wording& w) { return as_plain(plain_args(), "latch-time", w); }};
constexpr Word request{"request", [](Wording& w) { return as_plain(plain_args(), "request", w); }, true};
/// How many of its threads a renewal is for.
std::string count(Wording& w) { return std::to_string(1 + w.purpose.also.size()); }
constexpr std::array read_args{Word{"lease", lease},
                               Word{"holder", reader},
                               Word{"holders", reader, false, true},
                               Word{"counts", count, false, true},
                               Word{"writer", writer},
                               Word{"message", message},
                               publish,
                               latch_time,
                               request};
constexpr std::array write_args{Word{"lease", lease},
                                Word{"holder", writer},
                                Word{"holders", writer, false, true},
                                Word{"message", message},
                                publish,
                                latch_time,
                                request};

model::Command writes_words(Wording& w) { return {"HEXISTS", w.purpose.lock, writer(w)}; }
model::Command writers_count_words(Wording& w) { return {"HGET", w.purpose.lock, writer(w)}; }
model::Command mode_words(Wording& w) { return {"HGET", w.purpose.lock, "mode"}; }

Items yes_if_mode_is(const model::Reply& reply, std::string_view mode) {
  const bool yes = reply.bulk() != nullptr && *reply.bulk() == mode;
  return {{.what = yes ? Meaning::yes : Meaning::no, .wait = {}, .number = {}}};
}

/// What the mode says, or the script.
Items yes_if_read(const model::Reply& reply) {
  return reply.integer() != nullptr ? model::read_yes_or_no(reply) : yes_if_mode_is(reply, "read");
}

const std::array read_roles{
    Role{.name = "read-lock", .intent = Intent::acquire, .read = read_acquire},
    Role{.name = "read-unlock", .intent = Intent::release, .read = read_release},
    Role{.name = "read-renew", .intent = Intent::renew, .read = read_renewal},
    Role{.name = "read-force-unlock", .intent = Intent::force_release, .read = read_force_release},
    extends,
    asks_held,
    Role{.name = "read-is-locked",
         .intent = Intent::ask_locked,
         .read = yes_if_read,
         .command = mode_words,
         .may_be_script = true},
    deletes_latch,
    asks_count,
    asks_time,
};
const std::array write_roles{
    Role{.name = "write-lock", .intent = Intent::acquire, .read = read_acquire},
    Role{.name = "write-unlock", .intent = Intent::release, .read = read_release},
    Role{.name = "renew", .intent = Intent::renew, .read = read_renewal},
    Role{.name = "write-force-unlock", .intent = Intent::force_release, .read = read_force_release},
    extends,
    Role{.name = "is-held",
         .intent = Intent::ask_held,
         .read = model::read_yes_or_no,
         .command = writes_words},
    Role{.name = "is-locked",
         .intent = Intent::ask_locked,
         .read = [](const model::Reply& reply) { return yes_if_mode_is(reply, "write"); },
         .command = mode_words},
    deletes_latch,
    Role{.name = "hold-count",
         .intent = Intent::ask_count,
         .read = model::read_number,
         .command = writers_count_words},
    asks_time,
};

/// What the keys of a thread's read holds say: until when it may read, if any of them is left.
struct TimeOuts {
  bool any = false;
  bool endless = false;
  Duration longest{};
};

TimeOuts time_outs(const Look& look, const std::string& lock, const Hold& hold) {
  TimeOuts found;
  for (std::int64_t i = 1; i <= std::min(hold.count, holds_max); ++i) {
    const auto stored = look(time_outs_of(lock, hold.holder) + ":" + std::to_string(i));
    if (!stored) continue;
    found.any = true;
    found.endless = found.endless || !stored->left;
    found.longest = std::max(found.longest, stored->left.value_or(Duration::zero()));
  }
  return found;
}

/// A reader holds until its own time is over, or the lock's. After that it is stored as long as others hold
/// the lock, and if nobody else does, as long as the lock is.
void read_hold(const Look& look, const std::string& lock, Hold hold, Truth& truth) {
  const TimeOuts own = time_outs(look, lock, hold);
  hold.mode = Mode::shared;
  hold.lapsed = !own.any;
  if (own.endless) hold.left.reset();
  else if (own.any && hold.left) hold.left = std::min(*hold.left, own.longest);
  truth.holds.push_back(std::move(hold));
}

std::optional<Truth> truth(std::span<const std::optional<Look>> groups, const Setup& setup,
                           std::uint16_t object, const std::string& lock) {
  const std::optional<Look>& look = groups[setup.objects[object].group.index()];
  if (!look) return std::nullopt;
  Truth truth;
  const std::optional<Stored> stored = (*look)(lock);
  truth.unreadable = stored && stored->form != Stored::Form::hash;
  if (!stored || truth.unreadable) return truth;
  for (const auto& [field, count] : stored->items) {
    std::string_view owner = field;
    if (field.ends_with(writes)) owner.remove_suffix(writes.size());
    if (!is_holder(owner)) continue;
    Hold hold{.holder = std::string(owner), .count = number_in(count), .left = stored->left};
    if (owner == field) read_hold(*look, lock, std::move(hold), truth);
    else truth.holds.push_back(std::move(hold));
  }
  truth.nobodys = truth.holds.empty();
  const auto lapsed = [](const Hold& hold) { return hold.lapsed; };
  if (std::all_of(truth.holds.begin(), truth.holds.end(), lapsed))
    for (Hold& hold : truth.holds) hold.lapsed = false;
  return truth;
}

const model::Shape hash_with_mode{.name = "a mode and holders in a hash", .truth = truth};

}  // namespace

const model::LockKind read{.name = "read",
                           .says = "shared by readers; the read half of a read/write lock",
                           .roles = read_roles,
                           .keys = keys,
                           .args = read_args,
                           .shape = &hash_with_mode,
                           .machine = &waiting,
                           .listening = &listening,
                           .library = &library,
                           .promises = {.nested = model::Nested::each},
                           .mode = Mode::shared};

const model::LockKind write{.name = "write",
                            .says = "keeps out readers and writers; the write half of a read/write lock",
                            .roles = write_roles,
                            .keys = keys,
                            .args = write_args,
                            .shape = &hash_with_mode,
                            .machine = &waiting,
                            .listening = &listening,
                            .library = &library,
                            .promises = {.nested = model::Nested::added}};

}  // namespace lockstep::redisson
