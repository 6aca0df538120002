// effects.h: the words in which replicas receive an effect.
//
// An effect is what Redis puts into its replication stream: relative expiries as absolute times, SET … GET
// without GET, INCRBYFLOAT as SET … KEEPTTL (each command rewrites itself where it runs). Its time word is
// empty while it travels; here it becomes a number again.
#pragma once

#include "model/redis/node.h"

namespace lockstep::redis {

/// The effect's words with its time, if it has one, at `remaining` after `now_ms`.
Command words_at(const Effect& effect, std::int64_t now_ms);

/// The effect that removes a dead key.
Effects removal_of(std::string key, std::uint8_t database);

}  // namespace lockstep::redis
