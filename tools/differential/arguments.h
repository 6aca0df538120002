// arguments.h: what the command line of lockstep-differential asks for.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "tools/differential/both_sides.h"
#include "tools/differential/random_steps.h"

namespace lockstep::differential {

struct Request {
  std::uint64_t commands = 0, client_commands = 0, event_commands = 0, cluster_commands = 0;
  std::uint64_t scripts = 0, lock_scripts = 0;
  std::uint64_t seed = 1;
  std::size_t differences_max = 1;
  std::vector<Family> chosen;  // empty: all
  Watch::Effects effects = Watch::Effects::none;
  std::string server = "redis-server";
};

extern const char* const usage;

/// The request, or one sentence about what is wrong with the words. None: a default run of everything.
std::variant<Request, std::string> parse_request(const std::vector<std::string>& words);

}  // namespace lockstep::differential
