// command.h: what a command is, as data: one row of the table in commands/table.cpp.
//
// Arity, flags and key positions are those that COMMAND INFO of Redis 7.0.15 prints (commands/facts.h has all
// that it prints).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lua/engine/reply.h"

namespace lockstep::redis {

class Call;

/// The words of one command, its name first. They outlive the call.
using Words = std::span<const std::string_view>;

using Handler = lua::Reply (*)(Call&, Words);

enum Flag : std::uint32_t {
  write = 1 << 0,  // refused to clients of a replica
  read_only = 1 << 1,
  no_script = 1 << 2,   // refused inside scripts
  subscriber = 1 << 3,  // allowed to a connection in subscriber mode
  container = 1 << 4,   // has sub-commands, with rows of their own: "script|load"
  deny_oom = 1 << 5,    // refused when memory is short
  fast = 1 << 6,
  admin = 1 << 7,
  no_queue = 1 << 8,        // runs at once inside MULTI: EXEC, DISCARD, MULTI, WATCH, QUIT, RESET
  no_multi = 1 << 9,        // refused inside MULTI
  may_replicate = 1 << 10,  // no write, but it may send something to replicas: EVAL, PUBLISH
  stale = 1 << 11,          // allowed on a replica that lost its master and does not serve stale data
  loading = 1 << 12,
  no_auth = 1 << 13,        // allowed before AUTH
  blocking = 1 << 14,       // may make its client wait
  runs_script = 1 << 15,    // EVAL, FCALL: what it may do depends on the script
  shard_channel = 1 << 16,  // its keys are shard channels: SPUBLISH, SSUBSCRIBE
  allow_busy = 1 << 17,     // allowed while a script has run for too long
  subcommand = 1 << 18      // "script|load": found by two words only, and set by the table itself
};

struct Spec {
  std::string_view name;  // in lower case; sub-commands as "script|load"
  int arity;              // number of words with the name; negative: at least so many
  unsigned flags;
  int first_key, last_key, key_step;  // positions of words; last_key -1: the last word
  Handler handler;
  int numkeys = 0;  // the word that says how many keys follow it (EVAL, ZUNION); 0: there is none

  bool has(Flag flag) const { return (flags & flag) != 0; }
  bool takes(std::size_t words) const {
    return arity >= 0 ? words == static_cast<std::size_t>(arity) : words >= static_cast<std::size_t>(-arity);
  }
};

/// The whole table, sorted by name.
std::span<const Spec> all_commands();

/// The row for a command or, for a container with a second word, its sub-command; nullptr if there is none.
const Spec* find_command(Words words);

/// The keys among the words of a command, in order (Redis getKeysFromCommand). Numbers that make no sense
/// give no keys.
std::vector<std::string_view> keys_of(const Spec& spec, Words words);

/// Whether the word names a container, so that what is unknown is its sub-command.
bool is_container(std::string_view word);

}  // namespace lockstep::redis
