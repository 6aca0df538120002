// pause.h: CLIENT PAUSE: for a while commands are held back, all of them or those that may write (Redis
// networking.c, pauseClients). A pause that is asked for while one lasts never makes it shorter or milder.
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
    if (asked.at_most == sim::Duration::zero()) {
      until_ms_ = now_ms;
      return;
    }
    const bool lasted = lasts(now_ms);
    constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();
    const std::int64_t length = std::min(asked.at_most.count(), latest - now_ms);
    until_ms_ = lasted ? std::max(until_ms_, now_ms + length) : now_ms + length;
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
