// quantity.h: numbers with units as users write them on the command line.
//
// Durations always have a unit ("500ms", "90s", "5m", "2h"), because a bare number would leave the reader to
// guess it. Sizes are bytes, with an optional K, M or G (powers of 1024). Counts may be grouped with
// underscores ("2_000_000"). Problems are half sentences that the caller completes with the option's name:
// "wants a duration such as 30s, not `x`".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/result.h"
#include "sim/base/time.h"

namespace lockstep::tools {

sim::Result<std::uint64_t> parse_count(std::string_view text);
sim::Result<sim::Duration> parse_duration(std::string_view text);
sim::Result<std::uint64_t> parse_size(std::string_view text);

}  // namespace lockstep::tools
