// COMMAND's facts of sorted sets, streams, places, bits and estimates, from redis-server 7.0.15 (facts.h
// names the columns).
#include "model/redis/commands/catalog/facts.h"

namespace lockstep::redis::commands {

namespace {

//   name, arity, flags, first key, last key, step, categories, tips, since, keys
constexpr Facts sorted_set_facts[] = {
    {"bzmpop", -5, "write blocking movablekeys", 0, 0, 0, "@write @sortedset @slow @blocking", "", "7.0.0",
     "RW access delete; index 2; keynum 0 1 1"},
    {"bzpopmax", -3, "write noscript blocking fast", 1, -2, 1, "@write @sortedset @fast @blocking", "",
     "5.0.0", "RW access delete; index 1; range -2 1 0"},
    {"bzpopmin", -3, "write noscript blocking fast", 1, -2, 1, "@write @sortedset @fast @blocking", "",
     "5.0.0", "RW access delete; index 1; range -2 1 0"},
    {"zadd", -4, "write denyoom fast", 1, 1, 1, "@write @sortedset @fast", "", "1.2.0",
     "RW update; index 1; range 0 1 0"},
    {"zcard", 2, "readonly fast", 1, 1, 1, "@read @sortedset @fast", "", "1.2.0", "RO; index 1; range 0 1 0"},
    {"zcount", 4, "readonly fast", 1, 1, 1, "@read @sortedset @fast", "", "2.0.0",
     "RO access; index 1; range 0 1 0"},
    {"zdiff", -3, "readonly movablekeys", 0, 0, 0, "@read @sortedset @slow", "", "6.2.0",
     "RO access; index 1; keynum 0 1 1"},
    {"zdiffstore", -4, "write denyoom movablekeys", 1, 1, 1, "@write @sortedset @slow", "", "6.2.0",
     "OW update; index 1; range 0 1 0 | " "RO access; index 2; keynum 0 1 1"},
    {"zincrby", 4, "write denyoom fast", 1, 1, 1, "@write @sortedset @fast", "", "1.2.0",
     "RW access update; index 1; range 0 1 0"},
    {"zinter", -3, "readonly movablekeys", 0, 0, 0, "@read @sortedset @slow", "", "6.2.0",
     "RO access; index 1; keynum 0 1 1"},
    {"zintercard", -3, "readonly movablekeys", 0, 0, 0, "@read @sortedset @slow", "", "7.0.0",
     "RO access; index 1; keynum 0 1 1"},
    {"zinterstore", -4, "write denyoom movablekeys", 1, 1, 1, "@write @sortedset @slow", "", "2.0.0",
     "OW update; index 1; range 0 1 0 | " "RO access; index 2; keynum 0 1 1"},
    {"zlexcount", 4, "readonly fast", 1, 1, 1, "@read @sortedset @fast", "", "2.8.9",
     "RO access; index 1; range 0 1 0"},
    {"zmpop", -4, "write movablekeys", 0, 0, 0, "@write @sortedset @slow", "", "7.0.0",
     "RW access delete; index 1; keynum 0 1 1"},
    {"zmscore", -3, "readonly fast", 1, 1, 1, "@read @sortedset @fast", "", "6.2.0",
     "RO access; index 1; range 0 1 0"},
    {"zpopmax", -2, "write fast", 1, 1, 1, "@write @sortedset @fast", "", "5.0.0",
     "RW access delete; index 1; range 0 1 0"},
    {"zpopmin", -2, "write fast", 1, 1, 1, "@write @sortedset @fast", "", "5.0.0",
     "RW access delete; index 1; range 0 1 0"},
    {"zrandmember", -2, "readonly", 1, 1, 1, "@read @sortedset @slow", "nondeterministic_output", "6.2.0",
     "RO access; index 1; range 0 1 0"},
    {"zrange", -4, "readonly", 1, 1, 1, "@read @sortedset @slow", "", "1.2.0",
     "RO access; index 1; range 0 1 0"},
    {"zrangebylex", -4, "readonly", 1, 1, 1, "@read @sortedset @slow", "", "2.8.9",
     "RO access; index 1; range 0 1 0"},
    {"zrangebyscore", -4, "readonly", 1, 1, 1, "@read @sortedset @slow", "", "1.0.5",
     "RO access; index 1; range 0 1 0"},
    {"zrangestore", -5, "write denyoom", 1, 2, 1, "@write @sortedset @slow", "", "6.2.0",
     "OW update; index 1; range 0 1 0 | " "RO access; index 2; range 0 1 0"},
    {"zrank", 3, "readonly fast", 1, 1, 1, "@read @sortedset @fast", "", "2.0.0",
     "RO access; index 1; range 0 1 0"},
    {"zrem", -3, "write fast", 1, 1, 1, "@write @sortedset @fast", "", "1.2.0",
     "RW delete; index 1; range 0 1 0"},
    {"zremrangebylex", 4, "write", 1, 1, 1, "@write @sortedset @slow", "", "2.8.9",
     "RW delete; index 1; range 0 1 0"},
    {"zremrangebyrank", 4, "write", 1, 1, 1, "@write @sortedset @slow", "", "2.0.0",
     "RW delete; index 1; range 0 1 0"},
    {"zremrangebyscore", 4, "write", 1, 1, 1, "@write @sortedset @slow", "", "1.2.0",
     "RW delete; index 1; range 0 1 0"},
    {"zrevrange", -4, "readonly", 1, 1, 1, "@read @sortedset @slow", "", "1.2.0",
     "RO access; index 1; range 0 1 0"},
    {"zrevrangebylex", -4, "readonly", 1, 1, 1, "@read @sortedset @slow", "", "2.8.9",
     "RO access; index 1; range 0 1 0"},
    {"zrevrangebyscore", -4, "readonly", 1, 1, 1, "@read @sortedset @slow", "", "2.2.0",
     "RO access; index 1; range 0 1 0"},
    {"zrevrank", 3, "readonly fast", 1, 1, 1, "@read @sortedset @fast", "", "2.0.0",
     "RO access; index 1; range 0 1 0"},
    {"zscan", -3, "readonly", 1, 1, 1, "@read @sortedset @slow", "nondeterministic_output", "2.8.0",
     "RO access; index 1; range 0 1 0"},
    {"zscore", 3, "readonly fast", 1, 1, 1, "@read @sortedset @fast", "", "1.2.0",
     "RO access; index 1; range 0 1 0"},
    {"zunion", -3, "readonly movablekeys", 0, 0, 0, "@read @sortedset @slow", "", "6.2.0",
     "RO access; index 1; keynum 0 1 1"},
    {"zunionstore", -4, "write denyoom movablekeys", 1, 1, 1, "@write @sortedset @slow", "", "2.0.0",
     "OW update; index 1; range 0 1 0 | " "RO access; index 2; keynum 0 1 1"},
};

//   name, arity, flags, first key, last key, step, categories, tips, since, keys
constexpr Facts stream_facts[] = {
    {"xack", -4, "write fast", 1, 1, 1, "@write @stream @fast", "", "5.0.0",
     "RW update; index 1; range 0 1 0"},
    {"xadd", -5, "write denyoom fast", 1, 1, 1, "@write @stream @fast", "nondeterministic_output", "5.0.0",
     "RW update; index 1; range 0 1 0; UPDATE instead of INSERT because of the optional trimming feature"},
    {"xautoclaim", -6, "write fast", 1, 1, 1, "@write @stream @fast", "nondeterministic_output", "6.2.0",
     "RW delete; index 1; range 0 1 0"},
    {"xclaim", -6, "write fast", 1, 1, 1, "@write @stream @fast", "nondeterministic_output", "5.0.0",
     "RW update; index 1; range 0 1 0"},
    {"xdel", -3, "write fast", 1, 1, 1, "@write @stream @fast", "", "5.0.0",
     "RW delete; index 1; range 0 1 0"},
    {"xgroup", -2, "", 0, 0, 0, "@slow", "", "5.0.0", ""},
    {"xgroup|create", -5, "write denyoom", 2, 2, 1, "@write @stream @slow", "", "5.0.0",
     "RW insert; index 2; range 0 1 0"},
    {"xgroup|createconsumer", 5, "write denyoom", 2, 2, 1, "@write @stream @slow", "", "6.2.0",
     "RW insert; index 2; range 0 1 0"},
    {"xgroup|delconsumer", 5, "write", 2, 2, 1, "@write @stream @slow", "", "5.0.0",
     "RW delete; index 2; range 0 1 0"},
    {"xgroup|destroy", 4, "write", 2, 2, 1, "@write @stream @slow", "", "5.0.0",
     "RW delete; index 2; range 0 1 0"},
    {"xgroup|help", 2, "loading stale", 0, 0, 0, "@stream @slow", "", "5.0.0", ""},
    {"xgroup|setid", -5, "write", 2, 2, 1, "@write @stream @slow", "", "5.0.0",
     "RW update; index 2; range 0 1 0"},
    {"xinfo", -2, "", 0, 0, 0, "@slow", "", "5.0.0", ""},
    {"xinfo|consumers", 4, "readonly", 2, 2, 1, "@read @stream @slow", "nondeterministic_output", "5.0.0",
     "RO access; index 2; range 0 1 0"},
    {"xinfo|groups", 3, "readonly", 2, 2, 1, "@read @stream @slow", "", "5.0.0",
     "RO access; index 2; range 0 1 0"},
    {"xinfo|help", 2, "loading stale", 0, 0, 0, "@stream @slow", "", "5.0.0", ""},
    {"xinfo|stream", -3, "readonly", 2, 2, 1, "@read @stream @slow", "", "5.0.0",
     "RO access; index 2; range 0 1 0"},
    {"xlen", 2, "readonly fast", 1, 1, 1, "@read @stream @fast", "", "5.0.0", "RO; index 1; range 0 1 0"},
    {"xpending", -3, "readonly", 1, 1, 1, "@read @stream @slow", "nondeterministic_output", "5.0.0",
     "RO access; index 1; range 0 1 0"},
    {"xrange", -4, "readonly", 1, 1, 1, "@read @stream @slow", "", "5.0.0",
     "RO access; index 1; range 0 1 0"},
    {"xread", -4, "readonly blocking movablekeys", 0, 0, 0, "@read @stream @slow @blocking", "", "5.0.0",
     "RO access; keyword STREAMS 1; range -1 1 2"},
    {"xreadgroup", -7, "write blocking movablekeys", 0, 0, 0, "@write @stream @slow @blocking", "", "5.0.0",
     "RO access; keyword STREAMS 4; range -1 1 2"},
    {"xrevrange", -4, "readonly", 1, 1, 1, "@read @stream @slow", "", "5.0.0",
     "RO access; index 1; range 0 1 0"},
    {"xsetid", -3, "write denyoom fast", 1, 1, 1, "@write @stream @fast", "", "5.0.0",
     "RW update; index 1; range 0 1 0"},
    {"xtrim", -4, "write", 1, 1, 1, "@write @stream @slow", "nondeterministic_output", "5.0.0",
     "RW delete; index 1; range 0 1 0"},
};

//   name, arity, flags, first key, last key, step, categories, tips, since, keys
constexpr Facts geo_facts[] = {
    {"geoadd", -5, "write denyoom", 1, 1, 1, "@write @geo @slow", "", "3.2.0",
     "RW update; index 1; range 0 1 0"},
    {"geodist", -4, "readonly", 1, 1, 1, "@read @geo @slow", "", "3.2.0", "RO access; index 1; range 0 1 0"},
    {"geohash", -2, "readonly", 1, 1, 1, "@read @geo @slow", "", "3.2.0", "RO access; index 1; range 0 1 0"},
    {"geopos", -2, "readonly", 1, 1, 1, "@read @geo @slow", "", "3.2.0", "RO access; index 1; range 0 1 0"},
    {"georadius", -6, "write denyoom movablekeys", 1, 1, 1, "@write @geo @slow", "", "3.2.0",
     "RO access; index 1; range 0 1 0 | " "OW update; keyword STORE 6; range 0 1 0 | "
     "OW update; keyword STOREDIST 6; range 0 1 0"},
    {"georadius_ro", -6, "readonly", 1, 1, 1, "@read @geo @slow", "", "3.2.10",
     "RO access; index 1; range 0 1 0"},
    {"georadiusbymember", -5, "write denyoom movablekeys", 1, 1, 1, "@write @geo @slow", "", "3.2.0",
     "RO access; index 1; range 0 1 0 | " "OW update; keyword STORE 5; range 0 1 0 | "
     "OW update; keyword STOREDIST 5; range 0 1 0"},
    {"georadiusbymember_ro", -5, "readonly", 1, 1, 1, "@read @geo @slow", "", "3.2.10",
     "RO access; index 1; range 0 1 0"},
    {"geosearch", -7, "readonly", 1, 1, 1, "@read @geo @slow", "", "6.2.0",
     "RO access; index 1; range 0 1 0"},
    {"geosearchstore", -8, "write denyoom", 1, 2, 1, "@write @geo @slow", "", "6.2.0",
     "OW update; index 1; range 0 1 0 | " "RO access; index 2; range 0 1 0"},
};

//   name, arity, flags, first key, last key, step, categories, tips, since, keys
constexpr Facts bitmap_facts[] = {
    {"bitcount", -2, "readonly", 1, 1, 1, "@read @bitmap @slow", "", "2.6.0",
     "RO access; index 1; range 0 1 0"},
    {"bitfield", -2, "write denyoom", 1, 1, 1, "@write @bitmap @slow", "", "3.2.0",
     "RW access update variable_flags; index 1; range 0 1 0; This command allows both access and "
     "modification of the key"},
    {"bitfield_ro", -2, "readonly fast", 1, 1, 1, "@read @bitmap @fast", "", "6.0.0",
     "RO access; index 1; range 0 1 0"},
    {"bitop", -4, "write denyoom", 2, -1, 1, "@write @bitmap @slow", "", "2.6.0",
     "OW update; index 2; range 0 1 0 | " "RO access; index 3; range -1 1 0"},
    {"bitpos", -3, "readonly", 1, 1, 1, "@read @bitmap @slow", "", "2.8.7",
     "RO access; index 1; range 0 1 0"},
    {"getbit", 3, "readonly fast", 1, 1, 1, "@read @bitmap @fast", "", "2.2.0",
     "RO access; index 1; range 0 1 0"},
    {"setbit", 4, "write denyoom", 1, 1, 1, "@write @bitmap @slow", "", "2.2.0",
     "RW access update; index 1; range 0 1 0"},
};

//   name, arity, flags, first key, last key, step, categories, tips, since, keys
constexpr Facts hyperloglog_facts[] = {
    {"pfadd", -2, "write denyoom fast", 1, 1, 1, "@write @hyperloglog @fast", "", "2.8.9",
     "RW insert; index 1; range 0 1 0"},
    {"pfcount", -2, "readonly", 1, -1, 1, "@read @hyperloglog @slow", "", "2.8.9",
     "RW access; index 1; range -1 1 0; RW because it may change the internal representation of the key, "
     "and propagate to replicas"},
    {"pfdebug", 3, "write denyoom admin", 2, 2, 1, "@write @hyperloglog @admin @slow @dangerous", "", "2.8.9",
     "RW access; index 2; range 0 1 0"},
    {"pfmerge", -2, "write denyoom", 1, -1, 1, "@write @hyperloglog @slow", "", "2.8.9",
     "RW access insert; index 1; range 0 1 0 | " "RO access; index 2; range -1 1 0"},
    {"pfselftest", 1, "admin", 0, 0, 0, "@hyperloglog @admin @slow @dangerous", "", "2.8.9", ""},
};

}  // namespace

const Group sorted_set_group{"sorted-set", sorted_set_facts};
const Group stream_group{"stream", stream_facts};
const Group geo_group{"geo", geo_facts};
const Group bitmap_group{"bitmap", bitmap_facts};
const Group hyperloglog_group{"hyperloglog", hyperloglog_facts};

}  // namespace lockstep::redis::commands
