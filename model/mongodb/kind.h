// kind.h: a member of a MongoDB replica set as a kind of server, as far as a lock uses one.
//
// A lock is a document whose _id is its name, with its owner and the instant at which it ends by the clock of
// the primary ($$NOW). A command is a few words, and its answer a number:
//
//   FIND-AND-MODIFY lock owner ms  1: there was none, or its time was over, and now it is the owner's for so
//                                  long (an upsert); or 11000: it is there, and the insert finds its key.
//   UPDATE lock owner ms           1: the owner's document lasts for so long from now; or 0: it has none.
//   DELETE lock [owner]            how many went: 1 or 0; without an owner it goes whoever's it is.
//   either                         10107: this member is not the primary, or has stepped down.
//
// What the primary does is there at once, for all who ask it, and travels to the others; who asks with the
// write concern `majority` is answered when most have it (model/client/synced.h), with 1 at once. Members
// elect a primary, one that has most of what was written; what the old one wrote and they did not get is
// undone when it comes back (a rollback). A primary that hears no majority steps down after the election
// time-out, and until then takes writes.
//
// Not here: retryable writes, sessions, the job that removes what is too old (TTL index), read concerns.
// Source: MongoDB's manual. No server was to be had to hold it against.
#pragma once

#include "model/server/server.h"

namespace lockstep::mongodb {

extern const model::ServerKind server_kind;

inline constexpr std::int64_t duplicate_key = 11'000, not_primary = 10'107;

}  // namespace lockstep::mongodb
