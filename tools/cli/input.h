// input.h: reads a file that a user names, whole, within a limit.
//
// Whatever is wrong with it (missing, a directory, unreadable, too large) comes back as one sentence that
// begins with the name as the user wrote it. "-" is standard input. Nothing is assumed about the content.
// A folder that cannot be read is told by its own name, however deep it lies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/result.h"

namespace lockstep::tools {

inline constexpr std::uint64_t input_bytes_max = 256ull << 20;  // a trace of some million events

sim::Result<std::string> read_input(const std::string& path, std::uint64_t bytes_max = input_bytes_max);

/// What lies in a folder and below it, sorted.
sim::Result<std::vector<std::string>> paths_below(const std::string& folder);

}  // namespace lockstep::tools
