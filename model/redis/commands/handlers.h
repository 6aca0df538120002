// handlers.h: one function for each command, in the files named after the type they work on.
//
// A handler gets its words after their number was checked against the table. It parses its arguments, looks
// at the key, changes it, replicates what it did, and returns the reply; that order decides which of two
// errors is answered, so each follows Redis 7.0.15 (t_string.c, t_hash.c, t_list.c, t_set.c, t_zset.c,
// expire.c, db.c, pubsub.c, eval.c, server.c).
#pragma once

#include "model/redis/call.h"

namespace lockstep::redis::commands {

using lua::Error;
using lua::Nil;
using lua::Status;

#define LOCKSTEP_HANDLER(name) Reply name(Call& call, Words words)

// keys.cpp
LOCKSTEP_HANDLER(exists);
LOCKSTEP_HANDLER(del);
LOCKSTEP_HANDLER(type);
LOCKSTEP_HANDLER(keys);
LOCKSTEP_HANDLER(dbsize);
LOCKSTEP_HANDLER(flush);
LOCKSTEP_HANDLER(rename);
LOCKSTEP_HANDLER(renamenx);
LOCKSTEP_HANDLER(randomkey);

// copies.cpp
LOCKSTEP_HANDLER(copy);
LOCKSTEP_HANDLER(move);

// scans.cpp
LOCKSTEP_HANDLER(scan);
LOCKSTEP_HANDLER(hscan);

// objects.cpp
LOCKSTEP_HANDLER(object_encoding);
LOCKSTEP_HANDLER(object_freq);
LOCKSTEP_HANDLER(object_idletime);
LOCKSTEP_HANDLER(object_refcount);

// sort.cpp
LOCKSTEP_HANDLER(sort);
LOCKSTEP_HANDLER(sort_ro);

// transactions.cpp
LOCKSTEP_HANDLER(multi);
LOCKSTEP_HANDLER(exec);
LOCKSTEP_HANDLER(discard);
LOCKSTEP_HANDLER(watch);
LOCKSTEP_HANDLER(unwatch);

// cluster.cpp
LOCKSTEP_HANDLER(asking);
LOCKSTEP_HANDLER(readonly);
LOCKSTEP_HANDLER(readwrite);
LOCKSTEP_HANDLER(cluster_addslots);
LOCKSTEP_HANDLER(cluster_addslotsrange);
LOCKSTEP_HANDLER(cluster_countkeysinslot);
LOCKSTEP_HANDLER(cluster_delslots);
LOCKSTEP_HANDLER(cluster_delslotsrange);
LOCKSTEP_HANDLER(cluster_flushslots);
LOCKSTEP_HANDLER(cluster_getkeysinslot);
LOCKSTEP_HANDLER(cluster_info);
LOCKSTEP_HANDLER(cluster_keyslot);
LOCKSTEP_HANDLER(cluster_myid);
LOCKSTEP_HANDLER(cluster_nodes);
LOCKSTEP_HANDLER(cluster_replicas);
LOCKSTEP_HANDLER(cluster_help);
LOCKSTEP_HANDLER(cluster_saveconfig);
LOCKSTEP_HANDLER(cluster_unmodelled);
LOCKSTEP_HANDLER(cluster_setslot);
LOCKSTEP_HANDLER(cluster_shards);
LOCKSTEP_HANDLER(cluster_slots);

// expiry.cpp
LOCKSTEP_HANDLER(expire);
LOCKSTEP_HANDLER(pexpire);
LOCKSTEP_HANDLER(expireat);
LOCKSTEP_HANDLER(pexpireat);
LOCKSTEP_HANDLER(ttl);
LOCKSTEP_HANDLER(pttl);
LOCKSTEP_HANDLER(expiretime);
LOCKSTEP_HANDLER(pexpiretime);
LOCKSTEP_HANDLER(persist);

// strings.cpp
LOCKSTEP_HANDLER(get);
LOCKSTEP_HANDLER(setnx);
LOCKSTEP_HANDLER(getset);
LOCKSTEP_HANDLER(getdel);
LOCKSTEP_HANDLER(mget);
LOCKSTEP_HANDLER(mset);
LOCKSTEP_HANDLER(msetnx);
LOCKSTEP_HANDLER(strlen);

// string_ranges.cpp
LOCKSTEP_HANDLER(getrange);
LOCKSTEP_HANDLER(append);
LOCKSTEP_HANDLER(setrange);

// longest_common.cpp
LOCKSTEP_HANDLER(lcs);

// bits.cpp
LOCKSTEP_HANDLER(getbit);
LOCKSTEP_HANDLER(setbit);
LOCKSTEP_HANDLER(bitcount);
LOCKSTEP_HANDLER(bitpos);
LOCKSTEP_HANDLER(bitop);

// bitfields.cpp
LOCKSTEP_HANDLER(bitfield);
LOCKSTEP_HANDLER(bitfield_ro);

// strings_set.cpp
LOCKSTEP_HANDLER(set);
LOCKSTEP_HANDLER(setex);
LOCKSTEP_HANDLER(psetex);
LOCKSTEP_HANDLER(getex);

// counters.cpp
LOCKSTEP_HANDLER(incr);
LOCKSTEP_HANDLER(incrby);
LOCKSTEP_HANDLER(decr);
LOCKSTEP_HANDLER(decrby);
LOCKSTEP_HANDLER(incrbyfloat);
LOCKSTEP_HANDLER(hincrby);
LOCKSTEP_HANDLER(hincrbyfloat);

// hashes.cpp
LOCKSTEP_HANDLER(hset);
LOCKSTEP_HANDLER(hmset);
LOCKSTEP_HANDLER(hsetnx);
LOCKSTEP_HANDLER(hget);
LOCKSTEP_HANDLER(hmget);
LOCKSTEP_HANDLER(hgetall);
LOCKSTEP_HANDLER(hdel);
LOCKSTEP_HANDLER(hexists);
LOCKSTEP_HANDLER(hlen);
LOCKSTEP_HANDLER(hkeys);
LOCKSTEP_HANDLER(hvals);
LOCKSTEP_HANDLER(hstrlen);
LOCKSTEP_HANDLER(hrandfield);

// lists.cpp
LOCKSTEP_HANDLER(lpush);
LOCKSTEP_HANDLER(rpush);
LOCKSTEP_HANDLER(lpushx);
LOCKSTEP_HANDLER(rpushx);
LOCKSTEP_HANDLER(lpop);
LOCKSTEP_HANDLER(rpop);
LOCKSTEP_HANDLER(llen);
LOCKSTEP_HANDLER(lindex);
LOCKSTEP_HANDLER(lrange);
LOCKSTEP_HANDLER(lrem);
LOCKSTEP_HANDLER(lset);
LOCKSTEP_HANDLER(ltrim);
LOCKSTEP_HANDLER(linsert);

// list_moves.cpp
LOCKSTEP_HANDLER(lmove);
LOCKSTEP_HANDLER(rpoplpush);
LOCKSTEP_HANDLER(lmpop);
LOCKSTEP_HANDLER(lpos);

// sets.cpp
LOCKSTEP_HANDLER(sadd);
LOCKSTEP_HANDLER(srem);
LOCKSTEP_HANDLER(sismember);
LOCKSTEP_HANDLER(smismember);
LOCKSTEP_HANDLER(smembers);
LOCKSTEP_HANDLER(scard);
LOCKSTEP_HANDLER(smove);
LOCKSTEP_HANDLER(sscan);

// set_operations.cpp
LOCKSTEP_HANDLER(sinter);
LOCKSTEP_HANDLER(sinterstore);
LOCKSTEP_HANDLER(sintercard);
LOCKSTEP_HANDLER(sunion);
LOCKSTEP_HANDLER(sunionstore);
LOCKSTEP_HANDLER(sdiff);
LOCKSTEP_HANDLER(sdiffstore);

// set_draws.cpp
LOCKSTEP_HANDLER(spop);
LOCKSTEP_HANDLER(srandmember);

// sorted_sets.cpp
LOCKSTEP_HANDLER(zadd);
LOCKSTEP_HANDLER(zincrby);
LOCKSTEP_HANDLER(zrem);
LOCKSTEP_HANDLER(zscore);
LOCKSTEP_HANDLER(zmscore);
LOCKSTEP_HANDLER(zcard);
LOCKSTEP_HANDLER(zrank);
LOCKSTEP_HANDLER(zrevrank);
LOCKSTEP_HANDLER(zscan);

// sorted_set_pops.cpp
LOCKSTEP_HANDLER(zpopmin);
LOCKSTEP_HANDLER(zpopmax);
LOCKSTEP_HANDLER(zmpop);
LOCKSTEP_HANDLER(zrandmember);

// sorted_set_operations.cpp
LOCKSTEP_HANDLER(zunion);
LOCKSTEP_HANDLER(zunionstore);
LOCKSTEP_HANDLER(zinter);
LOCKSTEP_HANDLER(zinterstore);
LOCKSTEP_HANDLER(zintercard);
LOCKSTEP_HANDLER(zdiff);
LOCKSTEP_HANDLER(zdiffstore);

// sorted_set_ranges.cpp
LOCKSTEP_HANDLER(zcount);
LOCKSTEP_HANDLER(zlexcount);
LOCKSTEP_HANDLER(zrange);
LOCKSTEP_HANDLER(zrangestore);
LOCKSTEP_HANDLER(zrevrange);
LOCKSTEP_HANDLER(zrangebyscore);
LOCKSTEP_HANDLER(zrevrangebyscore);
LOCKSTEP_HANDLER(zrangebylex);
LOCKSTEP_HANDLER(zrevrangebylex);
LOCKSTEP_HANDLER(zremrangebyscore);
LOCKSTEP_HANDLER(zremrangebyrank);
LOCKSTEP_HANDLER(zremrangebylex);

// channels.cpp
LOCKSTEP_HANDLER(publish);
LOCKSTEP_HANDLER(spublish);
LOCKSTEP_HANDLER(subscribe_channels);
LOCKSTEP_HANDLER(unsubscribe_channels);
LOCKSTEP_HANDLER(psubscribe);
LOCKSTEP_HANDLER(punsubscribe);
LOCKSTEP_HANDLER(ssubscribe);
LOCKSTEP_HANDLER(sunsubscribe);
LOCKSTEP_HANDLER(pubsub_channels);
LOCKSTEP_HANDLER(pubsub_numsub);
LOCKSTEP_HANDLER(pubsub_numpat);
LOCKSTEP_HANDLER(pubsub_shardchannels);
LOCKSTEP_HANDLER(pubsub_shardnumsub);

// scripting.cpp
LOCKSTEP_HANDLER(eval);
LOCKSTEP_HANDLER(evalsha);
LOCKSTEP_HANDLER(eval_ro);
LOCKSTEP_HANDLER(evalsha_ro);
LOCKSTEP_HANDLER(script_load);
LOCKSTEP_HANDLER(script_exists);
LOCKSTEP_HANDLER(script_flush);
LOCKSTEP_HANDLER(script_kill);

// server.cpp
LOCKSTEP_HANDLER(ping);
LOCKSTEP_HANDLER(echo);
LOCKSTEP_HANDLER(time);
LOCKSTEP_HANDLER(save);
LOCKSTEP_HANDLER(bgsave);

// replicas.cpp
LOCKSTEP_HANDLER(wait);
LOCKSTEP_HANDLER(role);
LOCKSTEP_HANDLER(replicaof);
LOCKSTEP_HANDLER(replconf);
LOCKSTEP_HANDLER(psync_from_client);

// info.cpp
LOCKSTEP_HANDLER(info);

// acl.cpp
LOCKSTEP_HANDLER(acl_cat);
LOCKSTEP_HANDLER(acl_deluser);
LOCKSTEP_HANDLER(acl_dryrun);
LOCKSTEP_HANDLER(acl_genpass);
LOCKSTEP_HANDLER(acl_getuser);
LOCKSTEP_HANDLER(acl_list);
LOCKSTEP_HANDLER(acl_load);
LOCKSTEP_HANDLER(acl_log);
LOCKSTEP_HANDLER(acl_save);
LOCKSTEP_HANDLER(acl_users);
LOCKSTEP_HANDLER(acl_whoami);

// client_list.cpp
LOCKSTEP_HANDLER(client_info);
LOCKSTEP_HANDLER(client_kill);
LOCKSTEP_HANDLER(client_list);

// clients.cpp
LOCKSTEP_HANDLER(auth);
LOCKSTEP_HANDLER(client_getname);
LOCKSTEP_HANDLER(client_id);
LOCKSTEP_HANDLER(client_no_evict);
LOCKSTEP_HANDLER(client_pause);
LOCKSTEP_HANDLER(client_reply);
LOCKSTEP_HANDLER(client_setname);
LOCKSTEP_HANDLER(client_unblock);
LOCKSTEP_HANDLER(client_unpause);
LOCKSTEP_HANDLER(hello);
LOCKSTEP_HANDLER(quit);
LOCKSTEP_HANDLER(reset);

// config.cpp
LOCKSTEP_HANDLER(config_get);
LOCKSTEP_HANDLER(config_resetstat);
LOCKSTEP_HANDLER(config_rewrite);
LOCKSTEP_HANDLER(config_set);

// databases.cpp
LOCKSTEP_HANDLER(select);
LOCKSTEP_HANDLER(swapdb);

// debug.cpp
LOCKSTEP_HANDLER(debug);

// functions.cpp
LOCKSTEP_HANDLER(fcall);
LOCKSTEP_HANDLER(fcall_ro);
LOCKSTEP_HANDLER(function_delete);
LOCKSTEP_HANDLER(function_flush);
LOCKSTEP_HANDLER(function_kill);
LOCKSTEP_HANDLER(function_list);
LOCKSTEP_HANDLER(function_load);
LOCKSTEP_HANDLER(function_stats);

// introspection.cpp
LOCKSTEP_HANDLER(command);
LOCKSTEP_HANDLER(command_count);
LOCKSTEP_HANDLER(command_docs);
LOCKSTEP_HANDLER(command_getkeys);
LOCKSTEP_HANDLER(command_getkeysandflags);
LOCKSTEP_HANDLER(command_info);
LOCKSTEP_HANDLER(command_list);
LOCKSTEP_HANDLER(help);

// observation.cpp
LOCKSTEP_HANDLER(bgrewriteaof);
LOCKSTEP_HANDLER(lastsave);
LOCKSTEP_HANDLER(latency_doctor);
LOCKSTEP_HANDLER(latency_graph);
LOCKSTEP_HANDLER(latency_histogram);
LOCKSTEP_HANDLER(latency_history);
LOCKSTEP_HANDLER(latency_latest);
LOCKSTEP_HANDLER(latency_reset);
LOCKSTEP_HANDLER(lolwut);
LOCKSTEP_HANDLER(memory_doctor);
LOCKSTEP_HANDLER(memory_purge);
LOCKSTEP_HANDLER(memory_usage);
LOCKSTEP_HANDLER(module_list);
LOCKSTEP_HANDLER(module_refused);
LOCKSTEP_HANDLER(monitor);
LOCKSTEP_HANDLER(shutdown);
LOCKSTEP_HANDLER(slowlog_get);
LOCKSTEP_HANDLER(slowlog_len);
LOCKSTEP_HANDLER(slowlog_reset);

// scripting.cpp
LOCKSTEP_HANDLER(script_debug);

// tracking.cpp
LOCKSTEP_HANDLER(client_caching);
LOCKSTEP_HANDLER(client_getredir);
LOCKSTEP_HANDLER(client_tracking);
LOCKSTEP_HANDLER(client_trackinginfo);

#undef LOCKSTEP_HANDLER

/// The words as bulk strings.
template <class Texts>
Reply::Array bulks(const Texts& texts) {
  Reply::Array replies;
  replies.reserve(texts.size());
  for (const std::string& text : texts) replies.emplace_back(text);
  return replies;
}

/// Whether a command is in a category of the ACL (introspection.cpp).
bool is_in_category(std::string_view command, std::string_view category);

inline Reply empty_array() { return Reply::Array{}; }
inline Reply count(std::size_t n) { return static_cast<std::int64_t>(n); }
inline Reply yes_no(bool answer) { return static_cast<std::int64_t>(answer ? 1 : 0); }
inline Reply bulk(std::string_view text) { return std::string(text); }

/// Whether a string of `size` bytes may grow by `more`, for this caller: proto-max-bulk-len is 512 MiB, and
/// what a master sent is never refused (t_string.c, checkStringLength).
inline constexpr std::uint64_t string_bytes_max = std::uint64_t{512} << 20;
inline bool fits_in_a_string(const Call& call, std::uint64_t size, std::uint64_t more) {
  if (call.source() == Call::Source::master) return true;
  return size <= string_bytes_max && more <= string_bytes_max - size;
}

/// A reply that would take more memory is refused, if it may be longer than what is stored.
inline constexpr std::uint64_t reply_bytes_max = std::uint64_t{512} << 20;

/// Start and stop of LRANGE, LTRIM, ZRANGE and ZREMRANGEBYRANK on `size` elements: negative numbers count
/// from the end.
struct IndexRange {
  std::size_t first = 0, count = 0;
};
inline IndexRange clamp_range(std::int64_t start, std::int64_t stop, std::size_t elements) {
  const auto size = static_cast<std::int64_t>(elements);
  if (start < 0) start = start + size < 0 ? 0 : start + size;
  if (stop < 0) stop += size;
  if (start > stop || start >= size) return {};
  if (stop >= size) stop = size - 1;
  return {static_cast<std::size_t>(start), static_cast<std::size_t>(stop - start + 1)};
}

}  // namespace lockstep::redis::commands
