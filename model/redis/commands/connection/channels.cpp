// Publish and subscribe. A message goes to the listeners of the channel first, then to those of each pattern
// that matches; a connection that listens in both ways gets it twice (pubsub.c,
// pubsubPublishMessageInternal).
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"
#include "model/redis/data/glob.h"
#include "model/redis/pubsub/notifications.h"

namespace lockstep::redis::commands {

namespace {

std::size_t push_to_shard(Call& call, Words words) {
  const PubSub::Listeners& listeners = call.pubsub().shard_channels;
  const auto at = listeners.find(words[1]);
  if (at == listeners.end()) return 0;
  for (const ConnectionId to : at->second)
    call.outcome().pushes.push_back({to, Reply::Array{bulk("smessage"), bulk(words[1]), bulk(words[2])}});
  return at->second.size();
}

}  // namespace

Reply publish(Call& call, Words words) {
  const std::size_t receivers = deliver(call.pubsub(), words[1], words[2], call.outcome().pushes);
  call.replicate(words, Target::replicas);  // with or without receivers here: a replica has its own
  return count(receivers);
}

Reply spublish(Call& call, Words words) {
  const std::size_t receivers = push_to_shard(call, words);
  call.replicate(words, Target::replicas);
  return count(receivers);
}

namespace {

using ListenedTo = PubSub::Listeners PubSub::*;

/// What SUBSCRIBE and UNSUBSCRIBE count: channels and patterns together, shard channels apart.
std::size_t total(Call& call, ListenedTo kind) {
  const PubSub& pubsub = call.pubsub();
  if (kind == &PubSub::shard_channels) return count_subscriptions(pubsub.shard_channels, call.from());
  return count_subscriptions(pubsub.channels, call.from()) +
         count_subscriptions(pubsub.patterns, call.from());
}

/// One reply for each name: the first is the command's reply, the others follow it.
Reply split(Call& call, std::vector<Reply> replies) {
  Reply first = std::move(replies.front());
  replies.erase(replies.begin());
  call.outcome().more_replies = std::move(replies);
  return first;
}

Reply subscribe_to(Call& call, Words words, ListenedTo kind, std::string_view verb) {
  std::vector<Reply> replies;
  for (const std::string_view name : words.subspan(1)) {
    redis::subscribe(call.pubsub().*kind, name, call.from());
    replies.emplace_back(Reply::Array{bulk(verb), bulk(name), count(total(call, kind))});
  }
  return split(call, std::move(replies));
}

Reply unsubscribe_from(Call& call, Words words, ListenedTo kind, std::string_view verb) {
  std::vector<std::string> names(words.begin() + 1, words.end());
  if (names.empty()) names = subscriptions(call.pubsub().*kind, call.from());
  if (names.empty()) return Reply::Array{bulk(verb), Nil{}, count(total(call, kind))};
  std::vector<Reply> replies;
  for (const std::string& name : names) {
    redis::unsubscribe(call.pubsub().*kind, name, call.from());
    replies.emplace_back(Reply::Array{bulk(verb), bulk(name), count(total(call, kind))});
  }
  return split(call, std::move(replies));
}

}  // namespace

Reply subscribe_channels(Call& call, Words words) {
  return subscribe_to(call, words, &PubSub::channels, "subscribe");
}
Reply unsubscribe_channels(Call& call, Words words) {
  return unsubscribe_from(call, words, &PubSub::channels, "unsubscribe");
}
Reply psubscribe(Call& call, Words words) {
  return subscribe_to(call, words, &PubSub::patterns, "psubscribe");
}
Reply punsubscribe(Call& call, Words words) {
  return unsubscribe_from(call, words, &PubSub::patterns, "punsubscribe");
}
Reply ssubscribe(Call& call, Words words) {
  if (call.in_exec()) return Error{"ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client"};
  return subscribe_to(call, words, &PubSub::shard_channels, "ssubscribe");
}
Reply sunsubscribe(Call& call, Words words) {
  return unsubscribe_from(call, words, &PubSub::shard_channels, "sunsubscribe");
}

namespace {

Reply list_channels(const PubSub::Listeners& listeners, Words words) {
  Reply::Array names;
  for (const auto& [name, all] : listeners) {
    if (words.size() == 2 || glob_matches(words[2], name)) names.emplace_back(name);
  }
  return names;
}

Reply count_listeners(const PubSub::Listeners& listeners, Words words) {
  Reply::Array counts;
  for (const std::string_view name : words.subspan(2)) {
    const auto at = listeners.find(name);
    counts.push_back(bulk(name));
    counts.push_back(count(at == listeners.end() ? 0 : at->second.size()));
  }
  return counts;
}

/// PUBSUB CHANNELS a b is a wrong number of words, found only here: the table says "two or more".
bool has_one_pattern_at_most(Words words) { return words.size() <= 3; }

Reply unknown_pubsub(Words words) { return errors::unknown_subcommand("PUBSUB", words[1]); }

}  // namespace

Reply pubsub_channels(Call& call, Words words) {
  return has_one_pattern_at_most(words) ? list_channels(call.pubsub().channels, words)
                                        : unknown_pubsub(words);
}
Reply pubsub_shardchannels(Call& call, Words words) {
  return has_one_pattern_at_most(words) ? list_channels(call.pubsub().shard_channels, words)
                                        : unknown_pubsub(words);
}
Reply pubsub_numsub(Call& call, Words words) { return count_listeners(call.pubsub().channels, words); }
Reply pubsub_shardnumsub(Call& call, Words words) {
  return count_listeners(call.pubsub().shard_channels, words);
}
Reply pubsub_numpat(Call& call, Words) { return count(call.pubsub().patterns.size()); }

}  // namespace lockstep::redis::commands
