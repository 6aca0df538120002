// truth.h: who holds a lock, read off what is stored.
//
// A holder is called by the name that the client stores for it ("uuid:1"); how often, in which mode, and
// until when, is what the shape of the lock's data says (model/client/lock_kind.h). A thread may hold one
// lock in both modes; these are two holds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/time.h"

namespace lockstep::model {

/// What a hold keeps others from: from every hold, or only from those that are not shared.
enum class Mode : std::uint8_t { exclusive, shared };

struct Hold {
  std::string holder;
  std::int64_t count = 1;
  std::optional<sim::Duration> left;  // until it ends by itself; absent: it does not
  Mode mode = Mode::exclusive;
  bool lapsed = false;  // its own time is over, and it is stored only as long as a hold of another is
  bool operator==(const Hold&) const = default;
};

struct Truth {
  std::vector<Hold> holds;
  std::vector<std::string> queue;  // who is in line, first come first
  /// Until when the places in the queue are kept, in ms since 1970 by the clients' clocks.
  std::map<std::string, std::int64_t> deadlines;
  bool unreadable = false;         // something is stored that is not of the lock's shape
  bool nobodys = false;            // it is of that shape, and names no holder

  bool free() const { return holds.empty(); }
  /// Whether nobody who holds it keeps a newcomer from it who wants it in this mode.
  bool open_to(Mode wanted) const {
    for (const Hold& hold : holds)
      if (wanted == Mode::exclusive || hold.mode == Mode::exclusive) return false;
    return true;
  }
  const Hold* find(const std::string& holder, Mode mode = Mode::exclusive) const {
    for (const Hold& hold : holds)
      if (hold.holder == holder && hold.mode == mode) return &hold;
    return nullptr;
  }
  std::int64_t count_of(const std::string& holder, Mode mode = Mode::exclusive) const {
    const Hold* hold = find(holder, mode);
    return hold == nullptr ? 0 : hold->count;
  }
  bool operator==(const Truth&) const = default;
};

}  // namespace lockstep::model
