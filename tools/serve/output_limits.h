// output_limits.h: how many bytes may wait for a client that does not read, as CONFIG SET
// client-output-buffer-limit says (Redis networking.c, checkClientOutputBufferLimits).
//
// There are classes of clients; a monitor is a normal one. A limit of zero is none. A client that reaches the
// hard limit is disconnected at once, one that stays above the soft one when its seconds are over.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <sstream>
#include <string>

namespace lockstep::tools::serve {

struct OutputLimit {
  std::size_t hard = 0, soft = 0;  // bytes
  std::chrono::seconds wait_max{};
};

struct OutputLimits {
  OutputLimit normal, pubsub;

  /// Fewer bytes than this reach no limit.
  std::size_t least() const {
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const std::size_t limit : {normal.hard, normal.soft, pubsub.hard, pubsub.soft})
      if (limit > 0) least = std::min(least, limit);
    return least;
  }
};

/// From the value as CONFIG GET shows it: "normal 0 0 0 slave 268435456 67108864 60 pubsub …".
inline OutputLimits read_output_limits(const std::string& value) {
  OutputLimits limits;
  std::istringstream words(value);
  std::string name;
  OutputLimit limit;
  std::int64_t seconds = 0;
  while (words >> name >> limit.hard >> limit.soft >> seconds) {
    limit.wait_max = std::chrono::seconds(seconds);
    if (name == "normal") limits.normal = limit;
    if (name == "pubsub") limits.pubsub = limit;
  }
  return limits;
}

}  // namespace lockstep::tools::serve
