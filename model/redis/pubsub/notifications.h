// notifications.h: what is published about keys, where notify-keyspace-events asks for it (Redis notify.c).
//
// An event has a class, which the setting names by a letter: g generic, $ string, l list, s set, h hash, z
// sorted set, x expired, m missed, n new. It is published under the key's name ("__keyspace@0__:key", with
// the event) if the setting has K, and under its own ("__keyevent@0__:del", with the key) if it has E. Only
// this server's own subscribers are told.
#pragma once

#include "model/redis/command.h"
#include "model/redis/node.h"

namespace lockstep::redis {

class Call;

/// Those that the setting may have.
inline constexpr std::string_view event_letters = "AKEg$lshzxetdmn";
/// The letters of the setting as bits.
std::uint16_t event_bits(std::string_view letters);

/// Sends a message to who listens to the channel and then, by patterns, to who listens to its like. Returns
/// how many that are.
std::size_t deliver(const PubSub& pubsub, std::string_view channel, std::string_view message,
                    std::vector<Push>& pushes);

struct KeyEvent {
  char kind;
  std::string_view name;
};
void publish_event(const Node& node, std::uint8_t database, KeyEvent event, std::string_view key,
                   std::vector<Push>& pushes);

/// What the write that is about to be replicated in these words tells of its keys. What does not show in the
/// words (DEL, MSET, SMOVE, COPY, MOVE, SORT) those commands tell themselves.
void publish_write(Call& call, Words words);

/// What eager expiry tells of the keys that it removed (`advance`).
std::vector<Push> publish_deaths(const Node& node, const std::vector<Effects>& removals);

}  // namespace lockstep::redis
