// cmd_serve.h: `lockstep serve` lets real clients talk to the model of a Redis server: redis-cli, hiredis,
// redis-py, ioredis.
//
// It prints one line when it is ready, and ends with 0 on SIGINT or SIGTERM.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/verb.h"

namespace lockstep::tools {

struct ServeOptions {
  std::optional<std::uint64_t> port;  // 0: any that is free; absent: Redis's own, or none beside --unix
  std::vector<std::string> bind;      // addresses; none: loopback
  std::string unix_path;              // a unix socket to listen on as well
  std::uint64_t clients_max = 10'000;
  bool virtual_time = false;
  bool running_time = false;  // time runs on within a command
  std::optional<std::uint64_t> epoch_ms;  // what a virtual clock shows first
  bool verbose = false;
};

Verb serve_verb();

}  // namespace lockstep::tools
