// plain.cpp: Redisson's RedissonLock (RLock from getLock).
//
//   1. The lock is a hash under its own name: the holder "uuid:thread" is a field, its value how often it
//      holds. The time to live of the key is the lease.
//   2. lock: nobody holds it, or the sender does: one more for the sender, the lease anew, nil. Else the
//      remaining time in ms, or -1 if there is none.
//   3. unlock: the sender holds it: one less. Some left: the lease anew, 0. None left: the key goes, "0" is
//      published on the lock's channel, 1. The sender does not hold it: nil. (Up to 3.10.5 an unlock of a
//      lock that nobody holds publishes, too, and answers 1.)
//   4. renew: the sender holds it: the lease anew, 1; else 0.
//   5. force-unlock: the key goes, "0" is published, 1; there was none: 0.
//   6. Scripts of later versions are sent the publish command (3.22.0) and a latch: a key of the call's own,
//      under which an unlock leaves its answer for a copy of itself (3.24.0). When the answer has come, the
//      client sends DEL of the latch and awaits nothing (from 3.52.0 to 4.2.x by a name that no latch has).
//   7. A renewal of 3.44.0 and later is of several locks, and answers a list.
//   8. isHeldByCurrentThread asks HEXISTS, isLocked asks EXISTS.
//
// Who is refused waits for the message (waiting.h); who renews, and when, is told in renewal.h. Sources:
// RedissonLock.tryLockInnerAsync, unlockInnerAsync, renewExpirationAsync, forceUnlockAsync,
// isHeldByThreadAsync and isLockedAsync, 3.0 to 4.7; RedissonBaseLock; LockTask.
#include "model/redisson/locks/plain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "model/client/one_request.h"
#include "model/redisson/library.h"
#include "model/redisson/locks/listening.h"
#include "model/redisson/locks/waiting.h"

namespace lockstep::redisson {

namespace {

using model::Intent;
using model::Item;
using model::Reply;
using model::Role;
using model::Word;
using model::Wording;

model::Command held_words(Wording& w) {
  return {"HEXISTS", w.purpose.lock, model::holder_of(w.purpose, w.setup)};
}
model::Command count_words(Wording& w) {
  return {"HGET", w.purpose.lock, model::holder_of(w.purpose, w.setup)};
}
model::Command time_words(Wording& w) { return {"PTTL", w.purpose.lock}; }
model::Command extending_words(Wording& w) {
  return {"PEXPIRE", w.purpose.lock, std::to_string(w.purpose.lease.count())};
}
model::Command locked_words(Wording& w) { return {"EXISTS", w.purpose.lock}; }

}  // namespace

constexpr Role asks_held{
    .name = "is-held", .intent = Intent::ask_held, .read = model::read_yes_or_no, .command = held_words};
constexpr Role asks_count{
    .name = "hold-count", .intent = Intent::ask_count, .read = model::read_number, .command = count_words};
constexpr Role asks_time{
    .name = "remain-time", .intent = Intent::ask_time, .read = model::read_number, .command = time_words};
constexpr Role extends{
    .name = "expire", .intent = Intent::extend, .read = read_renewal, .command = extending_words};
constexpr Role asks_locked{.name = "is-locked",
                           .intent = Intent::ask_locked,
                           .read = model::read_yes_or_no,
                           .command = locked_words};

namespace {

/// A request id is the call's, however often it is sent. Redisson draws 32 hex digits; this says who calls.
std::string request_id(const Wording& w) {
  return fmt::format("{}:{}", model::holder_of(w.purpose, w.setup), w.purpose.number.value);
}

std::string latch_named(const Wording& w, const std::string& id) {
  const bool has_tag = w.purpose.lock.find('{') != std::string::npos;
  return fmt::format("redisson_unlock_latch:{}{}{}:{}", has_tag ? "" : "{", w.purpose.lock,
                     has_tag ? "" : "}", id);
}

/// The answer of an unlock lies there for who sends it again (since 3.24.0).
std::string latch_of(const Wording& w) { return latch_named(w, request_id(w)); }

const Settings& client_of(const Wording& w) {
  return w.setup.client_of(w.setup.process_of(w.purpose.thread));
}

/// The wrong name is that of the client; this one says who calls, too.
model::Command delete_words(Wording& w) {
  if (!client_of(w).deletes_wrong_latch) return {"DEL", latch_of(w)};
  return {"DEL", latch_named(w, model::holder_of(w.purpose, w.setup))};
}

}  // namespace

constexpr Role deletes_latch{
    .name = "delete-latch", .intent = Intent::tidy, .read = model::read_yes_or_no, .command = delete_words};

namespace {

constexpr std::array roles{
    Role{.name = "lock", .intent = Intent::acquire, .read = read_acquire},
    Role{.name = "unlock", .intent = Intent::release, .read = read_release},
    Role{.name = "renew", .intent = Intent::renew, .read = read_renewal},
    Role{.name = "force-unlock", .intent = Intent::force_release, .read = read_force_release},
    extends,
    asks_held,
    asks_locked,
    deletes_latch,
    asks_count,
    asks_time,
};

/// How long an unlock may be sent again: (timeout + retryInterval) × retryAttempts, at least 1 ms. A delay
/// that is drawn is taken at its shortest, that of a later attempt.
Duration latch_time(const Wording& w) {
  const Settings& client = client_of(w);
  const Duration usual = client.retry_interval == Duration::zero() ? Duration{1'500} : client.retry_interval;
  const Duration between = client.retry_jitter ? longest_delay / 2 : usual;
  return std::max(Duration{1}, (client.response_timeout + between) * client.retry_attempts);
}

std::string publish_command(Wording& w) {
  return is_sharded(w.setup, w.setup.process_of(w.purpose.thread)) ? "SPUBLISH" : "PUBLISH";
}

constexpr std::array keys{
    Word{"lock", [](Wording& w) { return w.purpose.lock; }},
    Word{"channel", [](Wording& w) { return channel_of(w.purpose.lock); }},
    Word{"latch", [](Wording& w) { return latch_of(w); }, true},
    Word{"locks", [](Wording& w) { return w.purpose.lock; }, false, true},
};

constexpr std::array args{
    Word{"lease", [](Wording& w) { return std::to_string(w.purpose.lease.count()); }},
    Word{"holder", [](Wording& w) { return model::holder_of(w.purpose, w.setup); }},
    Word{"holders", [](Wording& w) { return model::holder_of(w.purpose, w.setup); }, false, true},
    Word{"message", [](Wording&) { return std::string("0"); }},  // LockPubSub.UNLOCK_MESSAGE
    Word{"publish", publish_command},
    Word{"latch-time", [](Wording& w) { return std::to_string(latch_time(w).count()); }},
    Word{"request", [](Wording& w) { return request_id(w); }, true},
    Word{.name = "now", .fill = [](Wording& w) { return std::to_string(w.now_ms); }, .instant = true},
};

std::optional<model::Truth> truth(std::span<const std::optional<model::Look>> groups, const Setup& setup,
                                  std::uint16_t object, const std::string& lock) {
  const std::optional<model::Look>& look = groups[setup.objects[object].group.index()];
  if (!look) return std::nullopt;
  model::Truth truth;
  const std::optional<model::Stored> stored = (*look)(lock);
  truth.unreadable = stored && stored->form != model::Stored::Form::hash;
  if (!stored || truth.unreadable) return truth;
  for (const auto& [field, count] : stored->items)
    if (is_holder(field)) truth.holds.push_back({std::string(field), number_in(count), stored->left});
  truth.nobodys = truth.holds.empty();
  return truth;
}

/// For scripts of the SET NX PX kind: the value is the holder's name.
std::optional<model::Truth> truth_in_string(std::span<const std::optional<model::Look>> groups,
                                            const Setup& setup, std::uint16_t object,
                                            const std::string& lock) {
  const std::optional<model::Look>& look = groups[setup.objects[object].group.index()];
  if (!look) return std::nullopt;
  model::Truth truth;
  const std::optional<model::Stored> stored = (*look)(lock);
  truth.unreadable = stored && stored->form != model::Stored::Form::string;
  if (stored && !truth.unreadable)
    truth.holds.push_back({std::string(stored->items.front().second), 1, stored->left});
  return truth;
}

Items one(Meaning what) { return {Item{.what = what, .wait = {}, .number = {}}}; }

}  // namespace

std::int64_t number_in(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool is_holder(std::string_view field) {
  const std::size_t colon = field.rfind(':');
  return colon != std::string_view::npos && colon + 1 < field.size() &&
         field.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
}

const model::Shape hash_of_holders{.name = "fields of a hash", .truth = truth};
const model::Shape holder_in_string{.name = "value of a string", .truth = truth_in_string};
const std::array<const model::Shape*, 1> plain_other_shapes{&holder_in_string};

Items read_acquire(const Reply& reply) {
  if (reply.is_nil()) return one(Meaning::granted);
  const std::int64_t* ttl = reply.integer();
  if (ttl == nullptr) return one(Meaning::unknown);
  Item refused{.what = Meaning::refused, .wait = {}, .number = {}};
  if (*ttl >= 0) refused.wait = Duration{*ttl};
  return {refused};
}

Items read_release(const Reply& reply) {
  if (reply.is_nil()) return one(Meaning::not_holder);
  if (reply.integer() == nullptr) return one(Meaning::unknown);
  return one(*reply.integer() == 1 ? Meaning::released : Meaning::still_held);
}

Items read_renewal(const Reply& reply) {
  const Reply::Array* all = reply.array();
  if (all == nullptr)
    return one(reply.integer() != nullptr && *reply.integer() == 1 ? Meaning::renewed : Meaning::not_renewed);
  Items items;
  for (const Reply& each : *all) items.push_back(read_renewal(each).front());
  return items.empty() ? one(Meaning::unknown) : items;
}

Items read_force_release(const Reply& reply) {
  if (reply.integer() == nullptr) return one(Meaning::unknown);
  return one(*reply.integer() == 0 ? Meaning::nothing : Meaning::released);
}

std::span<const Word> plain_keys() { return keys; }
std::span<const Word> plain_args() { return args; }

const model::LockKind plain{.name = "plain",
                            .says = "a hash of holders; who is refused waits for a message",
                            .roles = roles,
                            .keys = keys,
                            .args = args,
                            .shape = &hash_of_holders,
                            .other_shapes = plain_other_shapes,
                            .machine = &waiting,
                            .listening = &listening,
                            .library = &library,
                            .promises = {}};

}  // namespace lockstep::redisson
