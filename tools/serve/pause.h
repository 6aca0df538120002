// pause.h: CLIENT PAUSE: for a while commands are held back, all of them or those that may write (Redis
// networking.c, pauseClients; what is held back the node decides, dispatch.cpp). A pause that is asked for
// while one lasts never makes it shorter or milder. One that would last beyond the end of time is over at
// once, because Redis's sum of the times wraps around.
#pragma once

#include <algorithm>
#include <limits>

#include "model/redis/node.h"

namespace lockstep::tools::serve {

class Pause {
 public:
  void begin(const redis::Orders::Pause& asked, std::int64_t now_ms) {
    constexpr std::int64_t earliest = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();
    const bool wraps = asked.at_most.count() > latest - now_ms;
    const std::int64_t end_ms = wraps ? earliest : now_ms + asked.at_most.count();
    const bool lasted = !asked.ends && lasts(now_ms);
    until_ms_ = asked.ends ? earliest : lasted ? std::max(until_ms_, end_ms) : end_ms;
    writes_only_ = lasted ? writes_only_ && asked.writes_only : asked.writes_only;
  }

  bool lasts(std::int64_t now_ms) const { return now_ms < until_ms_; }

  redis::Paused at(std::int64_t now_ms) const {
    if (!lasts(now_ms)) return redis::Paused::nothing;
    return writes_only_ ? redis::Paused::writes : redis::Paused::all;
  }

 private:
  std::int64_t until_ms_ = std::numeric_limits<std::int64_t>::min();
  bool writes_only_ = false;
};

}  // namespace lockstep::tools::serve
