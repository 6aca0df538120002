// truth.h: who holds a lock, read off what is stored.
//
// A holder is called by the name that the client stores for it ("uuid:1"); how often, and until when, is what
// the shape of the lock's data says (model/client/lock_kind.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/time.h"

namespace lockstep::model {

struct Hold {
  std::string holder;
  std::int64_t count = 1;
  std::optional<sim::Duration> left;  // until it ends by itself; absent: it does not
  bool operator==(const Hold&) const = default;
};

struct Truth {
  std::vector<Hold> holds;
  std::vector<std::string> queue;  // who is in line, first come first
  bool unreadable = false;         // something is stored that is not of the lock's shape
  bool nobodys = false;            // it is of that shape, and names no holder

  bool free() const { return holds.empty(); }
  const Hold* find(const std::string& holder) const {
    for (const Hold& hold : holds)
      if (hold.holder == holder) return &hold;
    return nullptr;
  }
  std::int64_t count_of(const std::string& holder) const {
    const Hold* hold = find(holder);
    return hold == nullptr ? 0 : hold->count;
  }
  bool operator==(const Truth&) const = default;
};

}  // namespace lockstep::model
