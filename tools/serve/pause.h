// pause.h: CLIENT PAUSE: for a while commands are held back, all of them or those that may write (Redis
// networking.c, pauseClients). A pause that is asked for while one lasts never makes it shorter or milder.
// One that would last beyond the end of time is over at once, because Redis's sum of the times wraps around.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "model/redis/command.h"
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

  bool holds(const model::Command& command, std::int64_t now_ms) const {
    if (!lasts(now_ms)) return false;
    if (!writes_only_) return true;
    const std::vector<std::string_view> words(command.begin(), command.end());
    const redis::Spec* const spec = redis::find_command(words);
    return spec && (spec->has(redis::write) || spec->has(redis::may_replicate));
  }

 private:
  std::int64_t until_ms_ = std::numeric_limits<std::int64_t>::min();
  bool writes_only_ = false;
};

}  // namespace lockstep::tools::serve
