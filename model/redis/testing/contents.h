// contents.h: what a value holds, however it is stored: for comparing a master with its replica.
//
// Effects do not say how a value came to be, so a replica may store it otherwise. A set that SPOP left with
// integers alone may become an intset, while the replica, which received SREMs, keeps its hash table. The
// effect of INCRBYFLOAT is a SET. SORT, which leaves a sorted set in its large form, is not replicated.
#pragma once

#include <map>
#include <string>

#include "model/redis/data/keyspace.h"

namespace lockstep::redis::testing {

/// The value in its plainest form.
Value contents(Value value);

/// The contents of every key, dead ones too.
std::map<std::string, Entry> contents(const Keyspace& db);

/// All that clients can read: the contents of each living key and what remains of it.
std::map<std::string, Entry> visible(const Keyspace& db);

}  // namespace lockstep::redis::testing
