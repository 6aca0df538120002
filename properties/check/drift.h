// drift.h: whether the instants that a lock stores run away from the clock.
//
// Instants are told from now on (model/world/rebasing.h), so a lock whose queue never empties comes back to
// the same situation only if its deadlines keep their distance from the clock. If each round puts them
// further ahead than it takes time, no two rounds are alike, and a search over rounds without an end has no
// end. This notes how far ahead they are, for the sentence that says so: they drift if the farthest of all
// that were met is farther than that of the first half. That proves nothing; it says where to look.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/time.h"

namespace lockstep::properties {

class Drift {
 public:
  /// Something was met that stores an instant so far ahead: "the queue of fair:orders".
  void note(const std::string& where, sim::Duration ahead);

  struct Found {
    std::string where;
    sim::Duration ahead{};
    bool operator==(const Found&) const = default;
  };
  /// What is farthest ahead of all that drift.
  std::optional<Found> found() const;

 private:
  static constexpr std::uint64_t enough = 256;  // fewer say nothing

  struct Series {
    std::uint64_t count = 0;
    sim::Duration farthest{};
    std::vector<sim::Duration> after;  // the farthest of the first 1, 2, 4 …
  };
  std::map<std::string, Series> all_;
};

}  // namespace lockstep::properties
