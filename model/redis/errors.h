// errors.h: the error replies that many commands share, word for word as Redis 7.0.15 has them (server.c,
// createSharedObjects; networking.c). Texts that one command has to itself stand with that command.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lua/engine/reply.h"
#include "model/redis/arguments.h"

namespace lockstep::redis::errors {

using lua::Error;
using lua::Reply;

inline Reply wrong_type() {
  return Error{"WRONGTYPE Operation against a key holding the wrong kind of value"};
}
inline Reply not_an_integer() { return Error{"ERR value is not an integer or out of range"}; }
inline Reply not_a_float() { return Error{"ERR value is not a valid float"}; }
inline Reply not_positive() { return Error{"ERR value is out of range, must be positive"}; }
inline Reply syntax() { return Error{"ERR syntax error"}; }
inline Reply no_such_key() { return Error{"ERR no such key"}; }
inline Reply index_out_of_range() { return Error{"ERR index out of range"}; }
inline Reply same_object() { return Error{"ERR source and destination objects are the same"}; }
inline Reply database_out_of_range() { return Error{"ERR DB index is out of range"}; }
inline Reply string_too_long() {
  return Error{"ERR string exceeds maximum allowed size (proto-max-bulk-len)"};
}
/// Errors of ours: Redis answers as long as there is memory, and ends when there is none.
inline Reply reply_too_long() { return Error{"ERR Lockstep refuses a reply of more than 512 MiB"}; }
inline Reply no_memory() { return Error{"ERR Lockstep has not enough memory for this command"}; }
inline Reply overflow() { return Error{"ERR increment or decrement would overflow"}; }
inline Reply not_finite() { return Error{"ERR increment would produce NaN or Infinity"}; }
inline Reply read_only_replica() { return Error{"READONLY You can't write against a read only replica."}; }
inline Reply too_few_replicas() { return Error{"NOREPLICAS Not enough good replicas to write."}; }
inline Reply out_of_memory() { return Error{"OOM command not allowed when used memory > 'maxmemory'."}; }
inline Reply loading() { return Error{"LOADING Redis is loading the dataset in memory"}; }
inline Reply not_authenticated() { return Error{"NOAUTH Authentication required."}; }
inline Reply master_down() {
  return Error{"MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."};
}
inline Reply busy(bool with_function) {
  return Error{"BUSY Redis is busy running a script. You can only call " +
               std::string(with_function ? "FUNCTION" : "SCRIPT") + " KILL or SHUTDOWN NOSAVE."};
}
inline Reply no_script() { return Error{"NOSCRIPT No matching script. Please use EVAL."}; }

inline Reply unknown_subcommand(std::string_view container, std::string_view word) {
  return Error{"ERR unknown subcommand or wrong number of arguments for '" + shown(word.substr(0, 128)) +
               "'. Try " + std::string(container) + " HELP."};
}
inline Reply wrong_arity(std::string_view command) {
  return Error{"ERR wrong number of arguments for '" + std::string(command) + "' command"};
}
inline Reply outside_range(std::int64_t least, std::int64_t most) {
  return Error{"ERR value is out of range, value must between " + std::to_string(least) + " and " +
               std::to_string(most)};
}
inline Reply invalid_expire_time(std::string_view command) {
  return Error{"ERR invalid expire time in '" + std::string(command) + "' command"};
}

}  // namespace lockstep::redis::errors
