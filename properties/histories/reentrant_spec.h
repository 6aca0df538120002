// reentrant_spec.h: a lock that its holder is given again, and that is free after as many releases.
#pragma once

#include "properties/histories/held.h"

namespace lockstep::histories {

struct ReentrantSpec {
  static constexpr bool has_leases = false, has_tokens = false, has_queue = false;

  Held held;

  std::vector<ReentrantSpec> step(const Call& call, const Answer& answer) const {
    std::vector<ReentrantSpec> next;
    for (const Held& one : next_of(held, call, answer, Reentry::counted)) next.push_back({one});
    return next;
  }
  std::string told(const Names& names) const { return histories::told(held, names); }

  bool operator==(const ReentrantSpec&) const = default;
  static auto fields(auto& s) { return std::tie(s.held); }
};
static_assert(sim::State<ReentrantSpec>);

}  // namespace lockstep::histories
