#include "model/redis/pubsub/notifications.h"

#include <algorithm>

#include "model/redis/arguments.h"
#include "model/redis/call.h"
#include "model/redis/data/glob.h"
#include "model/redis/resp/resp3.h"

namespace lockstep::redis {

namespace {

Reply bulk(std::string_view text) { return std::string(text); }

constexpr std::string_view letters_of_bits = "g$lshzxetdKEmn", letters_of_all = "g$lshzxetd";

std::uint16_t bit(char letter) { return static_cast<std::uint16_t>(1u << letters_of_bits.find(letter)); }

struct Rule {
  std::string_view command;
  KeyEvent event;
};

/// Writes to their first key, which is gone afterwards if nothing is left in it. Sorted by name.
constexpr Rule rules[] = {
    {"append", {'$', "append"}},
    {"bitfield", {'$', "setbit"}},
    {"decr", {'$', "incrby"}},
    {"decrby", {'$', "incrby"}},
    {"expire", {'g', "expire"}},
    {"expireat", {'g', "expire"}},
    {"hdel", {'h', "hdel"}},
    {"hincrby", {'h', "hincrby"}},
    {"hmset", {'h', "hset"}},
    {"hset", {'h', "hset"}},
    {"hsetnx", {'h', "hset"}},
    {"incr", {'$', "incrby"}},
    {"incrby", {'$', "incrby"}},
    {"linsert", {'l', "linsert"}},
    {"lpop", {'l', "lpop"}},
    {"lpush", {'l', "lpush"}},
    {"lpushx", {'l', "lpush"}},
    {"lrem", {'l', "lrem"}},
    {"lset", {'l', "lset"}},
    {"ltrim", {'l', "ltrim"}},
    {"persist", {'g', "persist"}},
    {"pexpire", {'g', "expire"}},
    {"pexpireat", {'g', "expire"}},
    {"rpop", {'l', "rpop"}},
    {"rpush", {'l', "rpush"}},
    {"rpushx", {'l', "rpush"}},
    {"sadd", {'s', "sadd"}},
    {"sdiffstore", {'s', "sdiffstore"}},
    {"set", {'$', "set"}},
    {"setbit", {'$', "setbit"}},
    {"setnx", {'$', "set"}},
    {"setrange", {'$', "setrange"}},
    {"sinterstore", {'s', "sinterstore"}},
    {"srem", {'s', "srem"}},
    {"sunionstore", {'s', "sunionstore"}},
    {"zadd", {'z', "zadd"}},
    {"zdiffstore", {'z', "zdiffstore"}},
    {"zincrby", {'z', "zincr"}},
    {"zinterstore", {'z', "zinterstore"}},
    {"zpopmax", {'z', "zpopmax"}},
    {"zpopmin", {'z', "zpopmin"}},
    {"zrangestore", {'z', "zrangestore"}},
    {"zrem", {'z', "zrem"}},
    {"zremrangebylex", {'z', "zremrangebylex"}},
    {"zremrangebyrank", {'z', "zremrangebyrank"}},
    {"zremrangebyscore", {'z', "zremrangebyscore"}},
    {"zunionstore", {'z', "zunionstore"}},
};

/// The event of a write whose words Redis rewrote, or whose options make it another one.
KeyEvent event_of(const Rule& rule, std::string_view running, Words words) {
  if (running == "incrbyfloat" || running == "hincrbyfloat") return {rule.event.kind, running};
  if (rule.command != "zadd") return rule.event;
  const auto is_other_option = [](std::string_view word) {
    return is_option(word, "nx") || is_option(word, "xx") || is_option(word, "gt") || is_option(word, "lt") ||
           is_option(word, "ch");
  };
  const auto option = std::find_if_not(words.begin() + 2, words.end(), is_other_option);
  return option != words.end() && is_option(*option, "incr") ? KeyEvent{'z', "zincr"} : rule.event;
}

bool has_time(Words words) {
  return std::any_of(words.begin() + 3, words.end(), [](std::string_view word) {
    return is_option(word, "pxat") || is_option(word, "px") || is_option(word, "ex") ||
           is_option(word, "exat");
  });
}

void publish_by_rule(Call& call, const Rule& rule, Words words) {
  const bool stores = rule.command.ends_with("store");
  if (!stores || call.db().find(words[1])) call.tell(event_of(rule, call.name(), words), words[1]);
  if (rule.command == "set" && has_time(words)) call.tell({'g', "expire"}, words[1]);
  call.tell_if_gone(words[1]);
}

/// The item appears before its old place is told of.
void publish_move(Call& call, Words words) {
  const bool by_name = words.size() == 3;  // RPOPLPUSH
  const bool from_head = !by_name && is_option(words[3], "left"),
             to_head = by_name || is_option(words[4], "left");
  call.tell({'l', to_head ? "lpush" : "rpush"}, words[2]);
  call.tell({'l', from_head ? "lpop" : "rpop"}, words[1]);
  call.tell_if_gone(words[1]);
}

}  // namespace

std::uint16_t event_bits(std::string_view letters) {
  std::uint16_t bits = 0;
  for (const char letter : letters) {
    if (letter == 'A') bits |= event_bits(letters_of_all);
    else bits |= bit(letter);
  }
  return bits;
}

std::size_t deliver(const PubSub& pubsub, std::string_view channel, std::string_view message,
                    std::vector<Push>& pushes) {
  std::size_t receivers = 0;
  if (const auto at = pubsub.channels.find(channel); at != pubsub.channels.end()) {
    for (const ConnectionId to : at->second)
      pushes.push_back({to, Reply::Array{bulk("message"), bulk(channel), bulk(message)}});
    receivers += at->second.size();
  }
  for (const auto& [pattern, all] : pubsub.patterns) {
    if (!glob_matches(pattern, channel)) continue;
    for (const ConnectionId to : all)
      pushes.push_back({to, Reply::Array{bulk("pmessage"), Reply(pattern), bulk(channel), bulk(message)}});
    receivers += all.size();
  }
  return receivers;
}

void publish_event(const Node& node, std::uint8_t database, KeyEvent event, std::string_view key,
                   std::vector<Push>& pushes) {
  const std::uint16_t wanted = node.settings->events;
  if ((wanted & bit(event.kind)) == 0) return;
  const std::string place = "@" + std::to_string(database) + "__:";
  if ((wanted & bit('K')) != 0)
    deliver(node.pubsub, "__keyspace" + place + std::string(key), event.name, pushes);
  if ((wanted & bit('E')) != 0)
    deliver(node.pubsub, "__keyevent" + place + std::string(event.name), key, pushes);
}

void publish_write(Call& call, Words words) {
  const Spec* const spec = find_command(words);
  if (!spec || !spec->has(write)) return;
  const std::string_view name = spec->name;
  const auto at =
      std::lower_bound(std::begin(rules), std::end(rules), name,
                       [](const Rule& rule, std::string_view wanted) { return rule.command < wanted; });
  if (at != std::end(rules) && at->command == name) {
    if (call.name() != "spop") publish_by_rule(call, *at, words);  // which tells of all members at once
  } else if (name == "del") {
    for (const std::string_view key : words.subspan(1)) call.tell({'g', "del"}, key);
  } else if (name == "rename" || name == "renamenx") {
    call.tell({'g', "rename_from"}, words[1]);
    call.tell({'g', "rename_to"}, words[2]);
  } else if (name == "lmove" || name == "rpoplpush") {
    publish_move(call, words);
  } else if (name == "bitop") {
    if (call.db().find(words[2])) call.tell({'$', "set"}, words[2]);
    call.tell_if_gone(words[2]);
  }
}

std::vector<Push> publish_deaths(const Node& node, const std::vector<Effects>& removals) {
  std::vector<Push> pushes;
  if (node.settings->events == 0) return pushes;
  for (const Effects& removal : removals) {
    for (const Effect& effect : removal)
      publish_event(node, effect.database, {'x', "expired"}, effect.words[1], pushes);
  }
  translate(node, pushes, 0);
  return pushes;
}

}  // namespace lockstep::redis
