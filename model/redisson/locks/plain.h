// plain.h: the plain lock, and what locks that are stored like it share with it.
#pragma once

#include <array>
#include <string_view>

#include "model/client/lock_kind.h"

namespace lockstep::redisson {

extern const model::LockKind plain;

/// A hash of holders: field "uuid:1", value how often; the time to live is that of the key.
extern const model::Shape hash_of_holders;
/// For sets of scripts that store the holder's name as a string (`stored = "value of a string"`).
extern const std::array<const model::Shape*, 1> plain_other_shapes;

/// Whether a field is a holder, "uuid:1", and not something else that a script keeps beside.
bool is_holder(std::string_view field);
std::int64_t number_in(std::string_view text);

// What the replies of its scripts mean, and the words that fill them.
model::Items read_acquire(const model::Reply& reply);
model::Items read_release(const model::Reply& reply);
model::Items read_renewal(const model::Reply& reply);
model::Items read_force_release(const model::Reply& reply);
/// isHeldByCurrentThread and isLocked: plain commands.
extern const model::Role asks_held, asks_locked;
/// getHoldCount and remainTimeToLive.
extern const model::Role asks_count, asks_time;
/// After an unlock with a latch.
extern const model::Role deletes_latch;
/// expire, for locks that are made of others: PEXPIRE of the key, whoever holds it.
extern const model::Role extends;
/// The error by which a lock refuses a holder that asks again, if it is not reentrant.
constexpr std::string_view asked_again = "NON_REENTRANT_REACQUIRE";
std::span<const model::Word> plain_keys();
std::span<const model::Word> plain_args();

}  // namespace lockstep::redisson
