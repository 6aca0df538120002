// lease_spec.h: a reentrant lock whose grants end by themselves, some time after their leases.
//
// A grant that names a lease may be over that long after it was given, and never sooner; the last grant of a
// holder counts, as with PEXPIRE. That it is over soon after is no promise of a sequential specification: the
// property free-after-crash asks for that.
#pragma once

#include "properties/histories/held.h"

namespace lockstep::histories {

struct LeaseSpec {
  static constexpr bool has_leases = true, has_tokens = false, has_queue = false;

  Held held;

  std::vector<LeaseSpec> step(const Call& call, const Answer& answer) const {
    std::vector<LeaseSpec> next;
    for (const Held& one : next_of(held, call, answer, Reentry::counted)) next.push_back({one});
    return next;
  }
  std::string told(const Names& names) const { return histories::told(held, names); }

  bool operator==(const LeaseSpec&) const = default;
  static auto fields(auto& s) { return std::tie(s.held); }
};
static_assert(sim::State<LeaseSpec>);

}  // namespace lockstep::histories
