// cmd_check_history.h: `lockstep check-history FILE --lock KIND` asks whether a lock of this kind can have
// given the answers of a recorded history.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "properties/histories/history.h"
#include "sim/base/time.h"
#include "tools/cli/verb.h"

namespace lockstep::tools {

struct CheckHistoryOptions {
  std::string file;
  std::optional<histories::LockSpec> spec;
  std::optional<sim::Duration> lease, clock_error, time_limit;
  std::uint64_t states_max = 1'000'000;
  Format format = Format::human;
};

Verb check_history_verb();

}  // namespace lockstep::tools
