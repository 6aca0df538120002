// COMMAND's facts of keys, channels, transactions, scripts and connections, from redis-server 7.0.15 (facts.h
// names the columns).
#include "model/redis/commands/catalog/facts.h"

namespace lockstep::redis::commands {

namespace {

//   name, arity, flags, first key, last key, step, categories, tips, since, keys
constexpr Facts generic_facts[] = {
    {"copy", -3, "write denyoom", 1, 2, 1, "@keyspace @write @slow", "", "6.2.0",
     "RO access; index 1; range 0 1 0 | " "OW update; index 2; range 0 1 0"},
    {"del", -2, "write", 1, -1, 1, "@keyspace @write @slow",
     "request_policy:multi_shard response_policy:agg_sum", "1.0.0", "RM delete; index 1; range -1 1 0"},
    {"dump", 2, "readonly", 1, 1, 1, "@keyspace @read @slow", "nondeterministic_output", "2.6.0",
     "RO access; index 1; range 0 1 0"},
    {"exists", -2, "readonly fast", 1, -1, 1, "@keyspace @read @fast",
     "request_policy:multi_shard response_policy:agg_sum", "1.0.0", "RO; index 1; range -1 1 0"},
    {"expire", -3, "write fast", 1, 1, 1, "@keyspace @write @fast", "", "1.0.0",
     "RW update; index 1; range 0 1 0"},
    {"expireat", -3, "write fast", 1, 1, 1, "@keyspace @write @fast", "", "1.2.0",
     "RW update; index 1; range 0 1 0"},
    {"expiretime", 2, "readonly fast", 1, 1, 1, "@keyspace @read @fast", "", "7.0.0",
     "RO access; index 1; range 0 1 0"},
    {"keys", 2, "readonly", 0, 0, 0, "@keyspace @read @slow @dangerous",
     "request_policy:all_shards nondeterministic_output_order", "1.0.0", ""},
    {"migrate", -6, "write movablekeys", 3, 3, 1, "@keyspace @write @slow @dangerous",
     "nondeterministic_output", "2.6.0", "RW access delete; index 3; range 0 1 0 | "
     "RW access delete incomplete; keyword KEYS -2; range -1 1 0"},
    {"move", 3, "write fast", 1, 1, 1, "@keyspace @write @fast", "", "1.0.0",
     "RW access update; index 1; range 0 1 0"},
    {"object", -2, "", 0, 0, 0, "@slow", "", "2.2.3", ""},
    {"object|encoding", 3, "readonly", 2, 2, 1, "@keyspace @read @slow", "nondeterministic_output", "2.2.3",
     "RO; index 2; range 0 1 0"},
    {"object|freq", 3, "readonly", 2, 2, 1, "@keyspace @read @slow", "nondeterministic_output", "4.0.0",
     "RO; index 2; range 0 1 0"},
    {"object|help", 2, "loading stale", 0, 0, 0, "@keyspace @slow", "", "6.2.0", ""},
    {"object|idletime", 3, "readonly", 2, 2, 1, "@keyspace @read @slow", "nondeterministic_output", "2.2.3",
     "RO; index 2; range 0 1 0"},
    {"object|refcount", 3, "readonly", 2, 2, 1, "@keyspace @read @slow", "nondeterministic_output", "2.2.3",
     "RO; index 2; range 0 1 0"},
    {"persist", 2, "write fast", 1, 1, 1, "@keyspace @write @fast", "", "2.2.0",
     "RW update; index 1; range 0 1 0"},
    {"pexpire", -3, "write fast", 1, 1, 1, "@keyspace @write @fast", "", "2.6.0",
     "RW update; index 1; range 0 1 0"},
    {"pexpireat", -3, "write fast", 1, 1, 1, "@keyspace @write @fast", "", "2.6.0",
     "RW update; index 1; range 0 1 0"},
    {"pexpiretime", 2, "readonly fast", 1, 1, 1, "@keyspace @read @fast", "", "7.0.0",
     "RO access; index 1; range 0 1 0"},
    {"pttl", 2, "readonly fast", 1, 1, 1, "@keyspace @read @fast", "nondeterministic_output", "2.6.0",
     "RO access; index 1; range 0 1 0"},
    {"randomkey", 1, "readonly", 0, 0, 0, "@keyspace @read @slow",
     "request_policy:all_shards nondeterministic_output", "1.0.0", ""},
    {"rename", 3, "write", 1, 2, 1, "@keyspace @write @slow", "", "1.0.0",
     "RW access delete; index 1; range 0 1 0 | " "OW update; index 2; range 0 1 0"},
    {"renamenx", 3, "write fast", 1, 2, 1, "@keyspace @write @fast", "", "1.0.0",
     "RW access delete; index 1; range 0 1 0 | " "OW insert; index 2; range 0 1 0"},
    {"restore", -4, "write denyoom", 1, 1, 1, "@keyspace @write @slow @dangerous", "", "2.6.0",
     "OW update; index 1; range 0 1 0"},
    {"scan", -2, "readonly", 0, 0, 0, "@keyspace @read @slow",
     "nondeterministic_output request_policy:special", "2.8.0", ""},
    {"sort", -2, "write denyoom movablekeys", 1, 1, 1, "@write @set @sortedset @list @slow @dangerous", "",
     "1.0.0", "RO access; index 1; range 0 1 0 | "
     "RO access; unknown; unknown; For the optional BY/GET keyword. It is marked 'unknown' because the "
     "key names derive from the content of the key we sort | "
     "OW update; unknown; unknown; For the optional STORE keyword. It is marked 'unknown' because the "
     "keyword can appear anywhere in the argument array"},
    {"sort_ro", -2, "readonly movablekeys", 1, 1, 1, "@read @set @sortedset @list @slow @dangerous", "",
     "7.0.0", "RO access; index 1; range 0 1 0 | "
     "RO access; unknown; unknown; For the optional BY/GET keyword. It is marked 'unknown' because the "
     "key names derive from the content of the key we sort"},
    {"touch", -2, "readonly fast", 1, -1, 1, "@keyspace @read @fast",
     "request_policy:multi_shard response_policy:agg_sum", "3.2.1", "RO; index 1; range -1 1 0"},
    {"ttl", 2, "readonly fast", 1, 1, 1, "@keyspace @read @fast", "nondeterministic_output", "1.0.0",
     "RO access; index 1; range 0 1 0"},
    {"type", 2, "readonly fast", 1, 1, 1, "@keyspace @read @fast", "", "1.0.0", "RO; index 1; range 0 1 0"},
    {"unlink", -2, "write fast", 1, -1, 1, "@keyspace @write @fast",
     "request_policy:multi_shard response_policy:agg_sum", "4.0.0", "RM delete; index 1; range -1 1 0"},
    {"wait", 3, "noscript", 0, 0, 0, "@slow @connection", "request_policy:all_shards response_policy:agg_min",
     "3.0.0", ""},
};

//   name, arity, flags, first key, last key, step, categories, tips, since, keys
constexpr Facts pubsub_facts[] = {
    {"psubscribe", -2, "pubsub noscript loading stale", 0, 0, 0, "@pubsub @slow", "", "2.0.0", ""},
    {"publish", 3, "pubsub loading stale fast", 0, 0, 0, "@pubsub @fast", "", "2.0.0", ""},
    {"pubsub", -2, "", 0, 0, 0, "@slow", "", "2.8.0", ""},
    {"pubsub|channels", -2, "pubsub loading stale", 0, 0, 0, "@pubsub @slow", "", "2.8.0", ""},
    {"pubsub|help", 2, "loading stale", 0, 0, 0, "@slow", "", "6.2.0", ""},
    {"pubsub|numpat", 2, "pubsub loading stale", 0, 0, 0, "@pubsub @slow", "", "2.8.0", ""},
    {"pubsub|numsub", -2, "pubsub loading stale", 0, 0, 0, "@pubsub @slow", "", "2.8.0", ""},
    {"pubsub|shardchannels", -2, "pubsub loading stale", 0, 0, 0, "@pubsub @slow", "", "7.0.0", ""},
    {"pubsub|shardnumsub", -2, "pubsub loading stale", 0, 0, 0, "@pubsub @slow", "", "7.0.0", ""},
    {"punsubscribe", -1, "pubsub noscript loading stale", 0, 0, 0, "@pubsub @slow", "", "2.0.0", ""},
    {"spublish", 3, "pubsub loading stale fast", 1, 1, 1, "@pubsub @fast", "", "7.0.0",
     "not_key; index 1; range 0 1 0"},
    {"ssubscribe", -2, "pubsub noscript loading stale", 1, -1, 1, "@pubsub @slow", "", "7.0.0",
     "not_key; index 1; range -1 1 0"},
    {"subscribe", -2, "pubsub noscript loading stale", 0, 0, 0, "@pubsub @slow", "", "2.0.0", ""},
    {"sunsubscribe", -1, "pubsub noscript loading stale", 1, -1, 1, "@pubsub @slow", "", "7.0.0",
     "not_key; index 1; range -1 1 0"},
    {"unsubscribe", -1, "pubsub noscript loading stale", 0, 0, 0, "@pubsub @slow", "", "2.0.0", ""},
};

//   name, arity, flags, first key, last key, step, categories, tips, since, keys
constexpr Facts transactions_facts[] = {
    {"discard", 1, "noscript loading stale fast allow_busy", 0, 0, 0, "@fast @transaction", "", "2.0.0", ""},
    {"exec", 1, "noscript loading stale skip_slowlog", 0, 0, 0, "@slow @transaction", "", "1.2.0", ""},
    {"multi", 1, "noscript loading stale fast allow_busy", 0, 0, 0, "@fast @transaction", "", "1.2.0", ""},
    {"unwatch", 1, "noscript loading stale fast allow_busy", 0, 0, 0, "@fast @transaction", "", "2.2.0", ""},
    {"watch", -2, "noscript loading stale fast allow_busy", 1, -1, 1, "@fast @transaction", "", "2.2.0",
     "RO; index 1; range -1 1 0"},
};

//   name, arity, flags, first key, last key, step, categories, tips, since, keys
constexpr Facts scripting_facts[] = {
    {"eval", -3, "noscript stale skip_monitor no_mandatory_keys movablekeys", 0, 0, 0, "@slow @scripting", "",
     "2.6.0",
     "RW access update; index 2; keynum 0 1 1; We cannot tell how the keys will be used so we assume the "
     "worst, RW and UPDATE"},
    {"eval_ro", -3, "readonly noscript stale skip_monitor no_mandatory_keys movablekeys", 0, 0, 0,
     "@slow @scripting", "", "7.0.0",
     "RO access; index 2; keynum 0 1 1; We cannot tell how the keys will be used so we assume the worst, "
     "RO and ACCESS"},
    {"evalsha", -3, "noscript stale skip_monitor no_mandatory_keys movablekeys", 0, 0, 0, "@slow @scripting",
     "", "2.6.0", "RW access update; index 2; keynum 0 1 1"},
    {"evalsha_ro", -3, "readonly noscript stale skip_monitor no_mandatory_keys movablekeys", 0, 0, 0,
     "@slow @scripting", "", "7.0.0", "RO access; index 2; keynum 0 1 1"},
    {"fcall", -3, "noscript stale skip_monitor no_mandatory_keys movablekeys", 0, 0, 0, "@slow @scripting",
     "", "7.0.0",
     "RW access update; index 2; keynum 0 1 1; We cannot tell how the keys will be used so we assume the "
     "worst, RW and UPDATE"},
    {"fcall_ro", -3, "readonly noscript stale skip_monitor no_mandatory_keys movablekeys", 0, 0, 0,
     "@slow @scripting", "", "7.0.0",
     "RO access; index 2; keynum 0 1 1; We cannot tell how the keys will be used so we assume the worst, "
     "RO and ACCESS"},
    {"function", -2, "", 0, 0, 0, "@slow", "", "7.0.0", ""},
    {"function|delete", 3, "write noscript", 0, 0, 0, "@write @slow @scripting",
     "request_policy:all_shards response_policy:all_succeeded", "7.0.0", ""},
    {"function|dump", 2, "noscript", 0, 0, 0, "@slow @scripting", "", "7.0.0", ""},
    {"function|flush", -2, "write noscript", 0, 0, 0, "@write @slow @scripting",
     "request_policy:all_shards response_policy:all_succeeded", "7.0.0", ""},
    {"function|help", 2, "loading stale", 0, 0, 0, "@slow @scripting", "", "7.0.0", ""},
    {"function|kill", 2, "noscript allow_busy", 0, 0, 0, "@slow @scripting",
     "request_policy:all_shards response_policy:one_succeeded", "7.0.0", ""},
    {"function|list", -2, "noscript", 0, 0, 0, "@slow @scripting", "nondeterministic_output_order", "7.0.0",
     ""},
    {"function|load", -3, "write denyoom noscript", 0, 0, 0, "@write @slow @scripting",
     "request_policy:all_shards response_policy:all_succeeded", "7.0.0", ""},
    {"function|restore", -3, "write denyoom noscript", 0, 0, 0, "@write @slow @scripting",
     "request_policy:all_shards response_policy:all_succeeded", "7.0.0", ""},
    {"function|stats", 2, "noscript allow_busy", 0, 0, 0, "@slow @scripting",
     "nondeterministic_output request_policy:all_shards response_policy:special", "7.0.0", ""},
    {"script", -2, "", 0, 0, 0, "@slow", "", "2.6.0", ""},
    {"script|debug", 3, "noscript", 0, 0, 0, "@slow @scripting", "", "3.2.0", ""},
    {"script|exists", -3, "noscript", 0, 0, 0, "@slow @scripting",
     "request_policy:all_shards response_policy:agg_logical_and", "2.6.0", ""},
    {"script|flush", -2, "noscript", 0, 0, 0, "@slow @scripting",
     "request_policy:all_nodes response_policy:all_succeeded", "2.6.0", ""},
    {"script|help", 2, "loading stale", 0, 0, 0, "@slow @scripting", "", "5.0.0", ""},
    {"script|kill", 2, "noscript allow_busy", 0, 0, 0, "@slow @scripting",
     "request_policy:all_shards response_policy:one_succeeded", "2.6.0", ""},
    {"script|load", 3, "noscript stale", 0, 0, 0, "@slow @scripting",
     "request_policy:all_nodes response_policy:all_succeeded", "2.6.0", ""},
};

//   name, arity, flags, first key, last key, step, categories, tips, since, keys
constexpr Facts connection_facts[] = {
    {"auth", -2, "noscript loading stale fast no_auth allow_busy", 0, 0, 0, "@fast @connection", "", "1.0.0",
     ""},
    {"client", -2, "", 0, 0, 0, "@slow", "", "2.4.0", ""},
    {"client|caching", 3, "noscript loading stale", 0, 0, 0, "@slow @connection", "", "6.0.0", ""},
    {"client|getname", 2, "noscript loading stale", 0, 0, 0, "@slow @connection", "", "2.6.9", ""},
    {"client|getredir", 2, "noscript loading stale", 0, 0, 0, "@slow @connection", "", "6.0.0", ""},
    {"client|help", 2, "loading stale", 0, 0, 0, "@slow @connection", "", "5.0.0", ""},
    {"client|id", 2, "noscript loading stale", 0, 0, 0, "@slow @connection", "", "5.0.0", ""},
    {"client|info", 2, "noscript loading stale", 0, 0, 0, "@slow @connection", "nondeterministic_output",
     "6.2.0", ""},
    {"client|kill", -3, "admin noscript loading stale", 0, 0, 0, "@admin @slow @dangerous @connection", "",
     "2.4.0", ""},
    {"client|list", -2, "admin noscript loading stale", 0, 0, 0, "@admin @slow @dangerous @connection",
     "nondeterministic_output", "2.4.0", ""},
    {"client|no-evict", 3, "admin noscript loading stale", 0, 0, 0, "@admin @slow @dangerous @connection", "",
     "7.0.0", ""},
    {"client|pause", -3, "admin noscript loading stale", 0, 0, 0, "@admin @slow @dangerous @connection", "",
     "2.9.50", ""},
    {"client|reply", 3, "noscript loading stale", 0, 0, 0, "@slow @connection", "", "3.2.0", ""},
    {"client|setname", 3, "noscript loading stale", 0, 0, 0, "@slow @connection", "", "2.6.9", ""},
    {"client|tracking", -3, "noscript loading stale", 0, 0, 0, "@slow @connection", "", "6.0.0", ""},
    {"client|trackinginfo", 2, "noscript loading stale", 0, 0, 0, "@slow @connection", "", "6.2.0", ""},
    {"client|unblock", -3, "admin noscript loading stale", 0, 0, 0, "@admin @slow @dangerous @connection", "",
     "5.0.0", ""},
    {"client|unpause", 2, "admin noscript loading stale", 0, 0, 0, "@admin @slow @dangerous @connection", "",
     "6.2.0", ""},
    {"echo", 2, "loading stale fast", 0, 0, 0, "@fast @connection", "", "1.0.0", ""},
    {"hello", -1, "noscript loading stale fast no_auth allow_busy", 0, 0, 0, "@fast @connection", "", "6.0.0",
     ""},
    {"ping", -1, "fast", 0, 0, 0, "@fast @connection",
     "request_policy:all_shards response_policy:all_succeeded", "1.0.0", ""},
    {"quit", -1, "noscript loading stale fast no_auth allow_busy", 0, 0, 0, "@fast @connection", "", "1.0.0",
     ""},
    {"reset", 1, "noscript loading stale fast no_auth allow_busy", 0, 0, 0, "@fast @connection", "", "6.2.0",
     ""},
    {"select", 2, "loading stale fast", 0, 0, 0, "@fast @connection", "", "1.0.0", ""},
};

}  // namespace

const Group generic_group{"generic", generic_facts};
const Group pubsub_group{"pubsub", pubsub_facts};
const Group transactions_group{"transactions", transactions_facts};
const Group scripting_group{"scripting", scripting_facts};
const Group connection_group{"connection", connection_facts};

}  // namespace lockstep::redis::commands
