#include <algorithm>
#include <array>

#include "model/redis/arguments.h"
#include "model/redis/command.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/commands/server/server_rows.h"

namespace lockstep::redis {

namespace {

// Sorted by name.
//   name, arity, flags, first key, last key, step, handler
constexpr Spec data_rows[] = {
    {"append", 3, write | deny_oom | fast, 1, 1, 1, commands::append},
    {"asking", 1, fast, 0, 0, 0, commands::asking},
    {"bgsave", -1, no_script | admin, 0, 0, 0, commands::bgsave},
    {"bitcount", -2, read_only, 1, 1, 1, commands::bitcount},
    {"bitfield", -2, write | deny_oom, 1, 1, 1, commands::bitfield},
    {"bitfield_ro", -2, read_only | fast, 1, 1, 1, commands::bitfield_ro},
    {"bitop", -4, write | deny_oom, 2, -1, 1, commands::bitop},
    {"bitpos", -3, read_only, 1, 1, 1, commands::bitpos},
    {"cluster", -2, container, 0, 0, 0, nullptr},
    {"cluster|addslots", -3, admin | stale, 0, 0, 0, commands::cluster_addslots},
    {"cluster|addslotsrange", -4, admin | stale, 0, 0, 0, commands::cluster_addslotsrange},
    {"cluster|bumpepoch", 2, admin | stale, 0, 0, 0, commands::cluster_unmodelled},
    {"cluster|count-failure-reports", 3, admin | stale, 0, 0, 0, commands::cluster_unmodelled},
    {"cluster|countkeysinslot", 3, stale, 0, 0, 0, commands::cluster_countkeysinslot},
    {"cluster|delslots", -3, admin | stale, 0, 0, 0, commands::cluster_delslots},
    {"cluster|delslotsrange", -4, admin | stale, 0, 0, 0, commands::cluster_delslotsrange},
    {"cluster|failover", -2, admin | stale, 0, 0, 0, commands::cluster_unmodelled},
    {"cluster|flushslots", 2, admin | stale, 0, 0, 0, commands::cluster_flushslots},
    {"cluster|forget", 3, admin | stale, 0, 0, 0, commands::cluster_unmodelled},
    {"cluster|getkeysinslot", 4, stale, 0, 0, 0, commands::cluster_getkeysinslot},
    {"cluster|help", 2, loading | stale, 0, 0, 0, commands::cluster_help},
    {"cluster|info", 2, stale, 0, 0, 0, commands::cluster_info},
    {"cluster|keyslot", 3, stale, 0, 0, 0, commands::cluster_keyslot},
    {"cluster|links", 2, stale, 0, 0, 0, commands::cluster_unmodelled},
    {"cluster|meet", -4, admin | stale, 0, 0, 0, commands::cluster_unmodelled},
    {"cluster|myid", 2, stale, 0, 0, 0, commands::cluster_myid},
    {"cluster|nodes", 2, stale, 0, 0, 0, commands::cluster_nodes},
    {"cluster|replicas", 3, admin | stale, 0, 0, 0, commands::cluster_replicas},
    {"cluster|replicate", 3, admin | stale, 0, 0, 0, commands::cluster_unmodelled},
    {"cluster|reset", -2, no_script | admin | stale, 0, 0, 0, commands::cluster_unmodelled},
    {"cluster|saveconfig", 2, admin | stale, 0, 0, 0, commands::cluster_saveconfig},
    {"cluster|set-config-epoch", 3, admin | stale, 0, 0, 0, commands::cluster_unmodelled},
    {"cluster|setslot", -4, admin | stale, 0, 0, 0, commands::cluster_setslot},
    {"cluster|shards", 2, stale, 0, 0, 0, commands::cluster_shards},
    {"cluster|slaves", 3, admin | stale, 0, 0, 0, commands::cluster_replicas},
    {"cluster|slots", 2, stale, 0, 0, 0, commands::cluster_slots},
    {"copy", -3, write | deny_oom, 1, 2, 1, commands::copy},
    {"dbsize", 1, read_only | fast, 0, 0, 0, commands::dbsize},
    {"decr", 2, write | deny_oom | fast, 1, 1, 1, commands::decr},
    {"decrby", 3, write | deny_oom | fast, 1, 1, 1, commands::decrby},
    {"del", -2, write, 1, -1, 1, commands::del},
    {"discard", 1, no_script | loading | stale | fast | no_queue | allow_busy, 0, 0, 0, commands::discard},
    {"echo", 2, loading | stale | fast, 0, 0, 0, commands::echo},
    {"eval", -3, no_script | stale | may_replicate | runs_script, 0, 0, 0, commands::eval, 2},
    {"eval_ro", -3, read_only | no_script | stale | runs_script, 0, 0, 0, commands::eval_ro, 2},
    {"evalsha", -3, no_script | stale | may_replicate | runs_script, 0, 0, 0, commands::evalsha, 2},
    {"evalsha_ro", -3, read_only | no_script | stale | runs_script, 0, 0, 0, commands::evalsha_ro, 2},
    {"exec", 1, no_script | loading | stale | no_queue, 0, 0, 0, commands::exec},
    {"exists", -2, read_only | fast, 1, -1, 1, commands::exists},
    {"expire", -3, write | fast, 1, 1, 1, commands::expire},
    {"expireat", -3, write | fast, 1, 1, 1, commands::expireat},
    {"expiretime", 2, read_only | fast, 1, 1, 1, commands::expiretime},
    {"flushall", -1, write, 0, 0, 0, commands::flush},
    {"flushdb", -1, write, 0, 0, 0, commands::flush},
    {"get", 2, read_only | fast, 1, 1, 1, commands::get},
    {"getbit", 3, read_only | fast, 1, 1, 1, commands::getbit},
    {"getdel", 2, write | fast, 1, 1, 1, commands::getdel},
    {"getex", -2, write | fast, 1, 1, 1, commands::getex},
    {"getrange", 4, read_only, 1, 1, 1, commands::getrange},
    {"getset", 3, write | deny_oom | fast, 1, 1, 1, commands::getset},
    {"hdel", -3, write | fast, 1, 1, 1, commands::hdel},
    {"hexists", 3, read_only | fast, 1, 1, 1, commands::hexists},
    {"hget", 3, read_only | fast, 1, 1, 1, commands::hget},
    {"hgetall", 2, read_only, 1, 1, 1, commands::hgetall},
    {"hincrby", 4, write | deny_oom | fast, 1, 1, 1, commands::hincrby},
    {"hincrbyfloat", 4, write | deny_oom | fast, 1, 1, 1, commands::hincrbyfloat},
    {"hkeys", 2, read_only, 1, 1, 1, commands::hkeys},
    {"hlen", 2, read_only | fast, 1, 1, 1, commands::hlen},
    {"hmget", -3, read_only | fast, 1, 1, 1, commands::hmget},
    {"hmset", -4, write | deny_oom | fast, 1, 1, 1, commands::hmset},
    {"hrandfield", -2, read_only, 1, 1, 1, commands::hrandfield},
    {"hscan", -3, read_only, 1, 1, 1, commands::hscan},
    {"hset", -4, write | deny_oom | fast, 1, 1, 1, commands::hset},
    {"hsetnx", 4, write | deny_oom | fast, 1, 1, 1, commands::hsetnx},
    {"hstrlen", 3, read_only | fast, 1, 1, 1, commands::hstrlen},
    {"hvals", 2, read_only, 1, 1, 1, commands::hvals},
    {"incr", 2, write | deny_oom | fast, 1, 1, 1, commands::incr},
    {"incrby", 3, write | deny_oom | fast, 1, 1, 1, commands::incrby},
    {"incrbyfloat", 3, write | deny_oom | fast, 1, 1, 1, commands::incrbyfloat},
    {"info", -1, loading | stale, 0, 0, 0, commands::info},
    {"keys", 2, read_only, 0, 0, 0, commands::keys},
    {"lcs", -3, read_only, 1, 2, 1, commands::lcs},
    {"lindex", 3, read_only, 1, 1, 1, commands::lindex},
    {"linsert", 5, write | deny_oom, 1, 1, 1, commands::linsert},
    {"llen", 2, read_only | fast, 1, 1, 1, commands::llen},
    {"lmove", 5, write | deny_oom, 1, 2, 1, commands::lmove},
    {"lmpop", -4, write, 0, 0, 0, commands::lmpop, 1},
    {"lpop", -2, write | fast, 1, 1, 1, commands::lpop},
    {"lpos", -3, read_only, 1, 1, 1, commands::lpos},
    {"lpush", -3, write | deny_oom | fast, 1, 1, 1, commands::lpush},
    {"lpushx", -3, write | deny_oom | fast, 1, 1, 1, commands::lpushx},
    {"lrange", 4, read_only, 1, 1, 1, commands::lrange},
    {"lrem", 4, write, 1, 1, 1, commands::lrem},
    {"lset", 4, write | deny_oom, 1, 1, 1, commands::lset},
    {"ltrim", 4, write, 1, 1, 1, commands::ltrim},
    {"mget", -2, read_only | fast, 1, -1, 1, commands::mget},
    {"move", 3, write | fast, 1, 1, 1, commands::move},
    {"mset", -3, write | deny_oom, 1, -1, 2, commands::mset},
    {"msetnx", -3, write | deny_oom, 1, -1, 2, commands::msetnx},
    {"multi", 1, no_script | loading | stale | fast | no_queue | allow_busy, 0, 0, 0, commands::multi},
    {"object", -2, container, 0, 0, 0, nullptr},
    {"object|encoding", 3, read_only, 2, 2, 1, commands::object_encoding},
    {"object|freq", 3, read_only, 2, 2, 1, commands::object_freq},
    {"object|help", 2, loading | stale, 0, 0, 0, commands::help},
    {"object|idletime", 3, read_only, 2, 2, 1, commands::object_idletime},
    {"object|refcount", 3, read_only, 2, 2, 1, commands::object_refcount},
    {"persist", 2, write | fast, 1, 1, 1, commands::persist},
    {"pexpire", -3, write | fast, 1, 1, 1, commands::pexpire},
    {"pexpireat", -3, write | fast, 1, 1, 1, commands::pexpireat},
    {"pexpiretime", 2, read_only | fast, 1, 1, 1, commands::pexpiretime},
    {"ping", -1, fast | subscriber, 0, 0, 0, commands::ping},
    {"psetex", 4, write | deny_oom, 1, 1, 1, commands::psetex},
    {"psubscribe", -2, no_script | loading | stale | subscriber, 0, 0, 0, commands::psubscribe},
    {"psync", -3, no_script | admin | no_multi, 0, 0, 0, commands::psync_from_client},
    {"pttl", 2, read_only | fast, 1, 1, 1, commands::pttl},
    {"publish", 3, loading | stale | fast | may_replicate, 0, 0, 0, commands::publish},
    {"pubsub", -2, container, 0, 0, 0, nullptr},
    {"pubsub|channels", -2, loading | stale, 0, 0, 0, commands::pubsub_channels},
    {"pubsub|numpat", 2, loading | stale, 0, 0, 0, commands::pubsub_numpat},
    {"pubsub|numsub", -2, loading | stale, 0, 0, 0, commands::pubsub_numsub},
    {"pubsub|shardchannels", -2, loading | stale, 0, 0, 0, commands::pubsub_shardchannels},
    {"pubsub|shardnumsub", -2, loading | stale, 0, 0, 0, commands::pubsub_shardnumsub},
    {"punsubscribe", -1, no_script | loading | stale | subscriber, 0, 0, 0, commands::punsubscribe},
    {"randomkey", 1, read_only, 0, 0, 0, commands::randomkey},
    {"readonly", 1, loading | stale | fast, 0, 0, 0, commands::readonly},
    {"readwrite", 1, loading | stale | fast, 0, 0, 0, commands::readwrite},
    {"rename", 3, write, 1, 2, 1, commands::rename},
    {"renamenx", 3, write | fast, 1, 2, 1, commands::renamenx},
    {"replconf", -1, no_script | admin | loading | stale | allow_busy, 0, 0, 0, commands::replconf},
    {"replicaof", 3, no_script | admin | stale, 0, 0, 0, commands::replicaof},
    {"role", 1, no_script | loading | stale | fast, 0, 0, 0, commands::role},
    {"rpop", -2, write | fast, 1, 1, 1, commands::rpop},
    {"rpoplpush", 3, write | deny_oom, 1, 2, 1, commands::rpoplpush},
    {"rpush", -3, write | deny_oom | fast, 1, 1, 1, commands::rpush},
    {"rpushx", -3, write | deny_oom | fast, 1, 1, 1, commands::rpushx},
    {"sadd", -3, write | deny_oom | fast, 1, 1, 1, commands::sadd},
    {"save", 1, no_script | admin | no_multi, 0, 0, 0, commands::save},
    {"scan", -2, read_only, 0, 0, 0, commands::scan},
    {"scard", 2, read_only | fast, 1, 1, 1, commands::scard},
    {"script", -2, container, 0, 0, 0, nullptr},
    {"script|exists", -3, no_script, 0, 0, 0, commands::script_exists},
    {"script|flush", -2, no_script, 0, 0, 0, commands::script_flush},
    {"script|kill", 2, no_script | allow_busy, 0, 0, 0, commands::script_kill},
    {"script|load", 3, no_script | stale, 0, 0, 0, commands::script_load},
    {"sdiff", -2, read_only, 1, -1, 1, commands::sdiff},
    {"sdiffstore", -3, write | deny_oom, 1, -1, 1, commands::sdiffstore},
    {"select", 2, loading | stale | fast, 0, 0, 0, commands::select},
    {"set", -3, write | deny_oom, 1, 1, 1, commands::set},
    {"setbit", 4, write | deny_oom, 1, 1, 1, commands::setbit},
    {"setex", 4, write | deny_oom, 1, 1, 1, commands::setex},
    {"setnx", 3, write | deny_oom | fast, 1, 1, 1, commands::setnx},
    {"setrange", 4, write | deny_oom, 1, 1, 1, commands::setrange},
    {"sinter", -2, read_only, 1, -1, 1, commands::sinter},
    {"sintercard", -3, read_only, 0, 0, 0, commands::sintercard, 1},
    {"sinterstore", -3, write | deny_oom, 1, -1, 1, commands::sinterstore},
    {"sismember", 3, read_only | fast, 1, 1, 1, commands::sismember},
    {"slaveof", 3, no_script | admin | stale, 0, 0, 0, commands::replicaof},
    {"smembers", 2, read_only, 1, 1, 1, commands::smembers},
    {"smismember", -3, read_only | fast, 1, 1, 1, commands::smismember},
    {"smove", 4, write | fast, 1, 2, 1, commands::smove},
    {"sort", -2, write | deny_oom, 1, 1, 1, commands::sort},
    {"sort_ro", -2, read_only, 1, 1, 1, commands::sort_ro},
    {"spop", -2, write | fast, 1, 1, 1, commands::spop},
    {"spublish", 3, loading | stale | fast | may_replicate | shard_channel, 1, 1, 1, commands::spublish},
    {"srandmember", -2, read_only, 1, 1, 1, commands::srandmember},
    {"srem", -3, write | fast, 1, 1, 1, commands::srem},
    {"sscan", -3, read_only, 1, 1, 1, commands::sscan},
    {"ssubscribe", -2, no_script | loading | stale | subscriber | shard_channel, 1, -1, 1,
     commands::ssubscribe},
    {"strlen", 2, read_only | fast, 1, 1, 1, commands::strlen},
    {"subscribe", -2, no_script | loading | stale | subscriber, 0, 0, 0, commands::subscribe_channels},
    {"substr", 4, read_only, 1, 1, 1, commands::getrange},
    {"sunion", -2, read_only, 1, -1, 1, commands::sunion},
    {"sunionstore", -3, write | deny_oom, 1, -1, 1, commands::sunionstore},
    {"sunsubscribe", -1, no_script | loading | stale | subscriber | shard_channel, 1, -1, 1,
     commands::sunsubscribe},
    {"sync", 1, no_script | admin | no_multi, 0, 0, 0, commands::psync_from_client},
    {"time", 1, loading | stale | fast, 0, 0, 0, commands::time},
    {"touch", -2, read_only | fast, 1, -1, 1, commands::exists},
    {"ttl", 2, read_only | fast, 1, 1, 1, commands::ttl},
    {"type", 2, read_only | fast, 1, 1, 1, commands::type},
    {"unlink", -2, write | fast, 1, -1, 1, commands::del},
    {"unsubscribe", -1, no_script | loading | stale | subscriber, 0, 0, 0, commands::unsubscribe_channels},
    {"unwatch", 1, no_script | loading | stale | fast | allow_busy, 0, 0, 0, commands::unwatch},
    {"wait", 3, no_script, 0, 0, 0, commands::wait},
    {"watch", -2, no_script | loading | stale | fast | no_queue | allow_busy, 1, -1, 1, commands::watch},
    {"zadd", -4, write | deny_oom | fast, 1, 1, 1, commands::zadd},
    {"zcard", 2, read_only | fast, 1, 1, 1, commands::zcard},
    {"zcount", 4, read_only | fast, 1, 1, 1, commands::zcount},
    {"zdiff", -3, read_only, 0, 0, 0, commands::zdiff, 1},
    {"zdiffstore", -4, write | deny_oom, 1, 1, 1, commands::zdiffstore, 2},
    {"zincrby", 4, write | deny_oom | fast, 1, 1, 1, commands::zincrby},
    {"zinter", -3, read_only, 0, 0, 0, commands::zinter, 1},
    {"zintercard", -3, read_only, 0, 0, 0, commands::zintercard, 1},
    {"zinterstore", -4, write | deny_oom, 1, 1, 1, commands::zinterstore, 2},
    {"zlexcount", 4, read_only | fast, 1, 1, 1, commands::zlexcount},
    {"zmpop", -4, write, 0, 0, 0, commands::zmpop, 1},
    {"zmscore", -3, read_only | fast, 1, 1, 1, commands::zmscore},
    {"zpopmax", -2, write | fast, 1, 1, 1, commands::zpopmax},
    {"zpopmin", -2, write | fast, 1, 1, 1, commands::zpopmin},
    {"zrandmember", -2, read_only, 1, 1, 1, commands::zrandmember},
    {"zrange", -4, read_only, 1, 1, 1, commands::zrange},
    {"zrangebylex", -4, read_only, 1, 1, 1, commands::zrangebylex},
    {"zrangebyscore", -4, read_only, 1, 1, 1, commands::zrangebyscore},
    {"zrangestore", -5, write | deny_oom, 1, 2, 1, commands::zrangestore},
    {"zrank", 3, read_only | fast, 1, 1, 1, commands::zrank},
    {"zrem", -3, write | fast, 1, 1, 1, commands::zrem},
    {"zremrangebylex", 4, write, 1, 1, 1, commands::zremrangebylex},
    {"zremrangebyrank", 4, write, 1, 1, 1, commands::zremrangebyrank},
    {"zremrangebyscore", 4, write, 1, 1, 1, commands::zremrangebyscore},
    {"zrevrange", -4, read_only, 1, 1, 1, commands::zrevrange},
    {"zrevrangebylex", -4, read_only, 1, 1, 1, commands::zrevrangebylex},
    {"zrevrangebyscore", -4, read_only, 1, 1, 1, commands::zrevrangebyscore},
    {"zrevrank", 3, read_only | fast, 1, 1, 1, commands::zrevrank},
    {"zscan", -3, read_only, 1, 1, 1, commands::zscan},
    {"zscore", 3, read_only | fast, 1, 1, 1, commands::zscore},
    {"zunion", -3, read_only, 0, 0, 0, commands::zunion, 1},
    {"zunionstore", -4, write | deny_oom, 1, 1, 1, commands::zunionstore, 2},
};

constexpr bool by_name(const Spec& a, const Spec& b) { return a.name < b.name; }
static_assert(std::is_sorted(std::begin(data_rows), std::end(data_rows), by_name));
static_assert(std::is_sorted(std::begin(server_rows), std::end(server_rows), by_name));

constexpr auto table = [] {
  std::array<Spec, std::size(data_rows) + std::size(server_rows)> all{};
  std::merge(std::begin(data_rows), std::end(data_rows), std::begin(server_rows), std::end(server_rows),
             all.begin(), by_name);
  for (Spec& spec : all) {
    if (spec.name.find('|') != std::string_view::npos) spec.flags |= subcommand;
  }
  return all;
}();

// Where each row is, by a hash of its name, with linear probing. Every call of a script asks, so the hash
// looks at no more than the length and three of the letters, in whatever case.
constexpr std::size_t slots = 2048;
static_assert(std::size(table) < slots / 4);

constexpr std::size_t slot_of(std::string_view name) {
  const auto letter = [&](std::size_t at) { return static_cast<std::size_t>(name[at] | 0x20); };
  const std::size_t size = name.size();
  return (255 * size + 5 * letter(0) + 64 * letter(size / 2) + 16 * letter(size - 1)) % slots;
}

constexpr auto index_by_name = [] {
  std::array<std::uint16_t, slots> index{};  // the number of a row, counted from 1; 0: free
  for (std::size_t row = 0; row < std::size(table); ++row) {
    std::size_t slot = slot_of(table[row].name);
    while (index[slot] != 0) slot = (slot + 1) % slots;
    index[slot] = static_cast<std::uint16_t>(row + 1);
  }
  return index;
}();

/// Whether every row is in its slot or not far behind; if not, slot_of needs other factors.
constexpr bool rows_are_found_soon = [] {
  constexpr std::size_t far = 3;
  for (const Spec& spec : table) {
    std::size_t slot = slot_of(spec.name), steps = 0;
    while (table[index_by_name[slot] - 1].name != spec.name) slot = (slot + 1) % slots, ++steps;
    if (steps >= far) return false;
  }
  return true;
}();
static_assert(rows_are_found_soon);

/// The row of this name, in whatever case.
const Spec* find_name(std::string_view name) {
  if (name.empty()) return nullptr;
  for (std::size_t slot = slot_of(name); index_by_name[slot] != 0; slot = (slot + 1) % slots) {
    const Spec& spec = table[index_by_name[slot] - 1];
    if (name == spec.name || is_option(name, spec.name)) return &spec;  // most are in lower case
  }
  return nullptr;
}

}  // namespace

std::span<const Spec> all_commands() { return table; }

namespace {

/// Behind a number of keys, which may have anything behind its digits (db.c, genericGetKeys).
std::vector<std::string_view> counted_keys(const Spec& spec, Words words) {
  const auto first = static_cast<std::size_t>(spec.numkeys) + 1;
  if (first > words.size()) return {};
  const auto count = leading_integer(words[first - 1]);
  if (count < 1 || static_cast<std::size_t>(count) > words.size() - first) return {};
  const Words counted = words.subspan(first, static_cast<std::size_t>(count));
  std::vector<std::string_view> keys(counted.begin(), counted.end());
  if (spec.first_key != 0) keys.push_back(words[static_cast<std::size_t>(spec.first_key)]);
  return keys;
}

/// The list, and where the last STORE says that the result goes (db.c, sortGetKeys).
std::vector<std::string_view> keys_of_sort(Words words) {
  std::vector<std::string_view> keys{words[1]};
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (is_option(words[i], "limit")) {
      i += 2;
    } else if (is_option(words[i], "get") || is_option(words[i], "by")) {
      ++i;
    } else if (is_option(words[i], "store") && i + 1 < words.size()) {
      keys.resize(1);
      keys.push_back(words[i + 1]);
    }
  }
  return keys;
}

}  // namespace

std::vector<std::string_view> keys_of(const Spec& spec, Words words) {
  if (spec.numkeys != 0) return counted_keys(spec, words);
  if (spec.name == "sort") return keys_of_sort(words);
  std::vector<std::string_view> keys;
  const int size = static_cast<int>(words.size());
  const int last = spec.last_key < 0 ? size + spec.last_key : spec.last_key;
  for (int at = spec.first_key; at > 0 && at <= last && at < size; at += spec.key_step)
    keys.push_back(words[static_cast<std::size_t>(at)]);
  return keys;
}

const Spec* find_command(Words words) {
  const Spec* const spec = find_name(words[0]);
  if (!spec || spec->has(subcommand)) return nullptr;
  if (!spec->has(container) || words.size() == 1) return spec;
  return find_name(std::string(words[0]).append("|").append(words[1]));
}

bool is_container(std::string_view word) {
  const Spec* const spec = find_name(word);
  return spec && spec->has(container);
}

}  // namespace lockstep::redis
