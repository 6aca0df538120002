// mutex_spec.h: a lock that one thread holds at a time, and that its holder is not given again.
//
// Who may give it back is whoever holds it. A call that was refused was refused while somebody held it.
#pragma once

#include "properties/histories/held.h"

namespace lockstep::histories {

struct MutexSpec {
  static constexpr bool has_leases = false, has_tokens = false, has_queue = false;

  Held held;

  std::vector<MutexSpec> step(const Call& call, const Answer& answer) const {
    std::vector<MutexSpec> next;
    for (const Held& one : next_of(held, call, answer, Reentry::refused)) next.push_back({one});
    return next;
  }
  std::string told(const Names& names) const { return histories::told(held, names); }

  bool operator==(const MutexSpec&) const = default;
  static auto fields(auto& s) { return std::tie(s.held); }
};
static_assert(sim::State<MutexSpec>);

}  // namespace lockstep::histories
