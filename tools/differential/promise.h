// promise.h: what of a reply Redis promises, so that two servers must agree on it.
//
// Nearly always every byte. But a hash table answers in an order that each server seeds anew, and some
// commands draw. The compact forms (listpack, intset) have an order, and it is compared.
#pragma once

#include <string_view>

#include "model/redis/node.h"

namespace lockstep::differential {

enum class Promise : std::uint8_t {
  everything,
  items,   // an array in any order; fields stay with their values
  page,    // of SCAN and its kin: all items if it is the only page
  shape,   // drawn: how many there are, and of which kind
  nothing  // the clock's own command
};

/// For a command that this client is about to send to this node.
Promise promise_of(const redis::Node& node, model::ConnectionId from, const model::Command& command);

bool agree(Promise promise, const model::Command& command, const model::Reply& one,
           const model::Reply& other);

/// Whether every server is left in the same state by it. It is not where Redis draws what it removes, where it
/// stores what it could not put in order, and where random levels of a skip list decide what a lexicographic
/// range over different scores is. Such commands are not sent.
bool is_settled(const redis::Node& node, model::ConnectionId from, const model::Command& command);

/// Whether the command, by its lower-case name, always answers in the same order. Those that do not can be
/// sorted by a script.
bool keeps_order(std::string_view name);
/// Whether it answers with the same items, in whatever order, on every server.
bool keeps_items(std::string_view name);
/// Whether it asks for a lexicographic range of a sorted set.
bool is_lexicographic(const model::Command& command);

}  // namespace lockstep::differential
