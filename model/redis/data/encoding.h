// encoding.h: by which of its encodings Redis keeps a value, as OBJECT ENCODING and OBJECT REFCOUNT tell.
//
// Sources: Redis 7.0.15 object.c (tryObjectEncoding, createStringObject), t_string.c, t_hash.c, t_set.c,
// t_zset.c; the limits are the defaults of redis.conf.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/redis/data/value.h"

namespace lockstep::redis {

/// "int", "embstr", "raw", "quicklist", "listpack", "hashtable", "intset" or "skiplist".
std::string_view encoding_of(const Value& value);

/// 1, or the largest int for an integer that all keys share (0 … 9999).
std::int64_t reference_count(const Value& value);

}  // namespace lockstep::redis
