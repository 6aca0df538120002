// input.h: reads a file that a user names, whole, within a limit.
//
// Whatever is wrong with it (missing, a directory, unreadable, too large) comes back as one sentence that
// begins with the name as the user wrote it. "-" is standard input. Nothing is assumed about the content.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/result.h"

namespace lockstep::tools {

inline constexpr std::uint64_t input_bytes_max = 256ull << 20;  // a trace of some million events

sim::Result<std::string> read_input(const std::string& path, std::uint64_t bytes_max = input_bytes_max);

}  // namespace lockstep::tools
