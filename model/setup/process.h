// process.h: a process of a scenario, and how its clients are set.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lua/scripts/script_set.h"
#include "model/redisson/settings.h"
#include "model/setup/program.h"

namespace lockstep::model {

/// The scripts that clients send, and the settings of each client library; another library adds a member.
struct ClientSetup {
  lua::ScriptSet scripts;
  redisson::Settings redisson;
  bool operator==(const ClientSetup&) const = default;
};

struct ProcessSetup {
  std::string name;       // "A"
  std::string client_id;  // the UUID of this Redisson instance
  Duration clock_offset{};
  std::uint16_t alike =
      0;  // processes with the same number are interchangeable (same programs, clients, clock and faults)
  std::optional<ClientSetup> own;  // absent: its clients are those of the scenario
  std::optional<std::uint16_t> wait;  // for so many replicas; absent: as the scenario says
  std::vector<ThreadId> threads;   // derived by complete()
  bool operator==(const ProcessSetup&) const = default;
};

}  // namespace lockstep::model
