// fenced_spec.h: a reentrant lock, each of whose grants comes with a greater token than every earlier one.
//
// A grant whose token nobody knows had one that was greater by one or more: that is all that follows from it.
#pragma once

#include <fmt/format.h>

#include "properties/histories/held.h"

namespace lockstep::histories {

struct FencedSpec {
  static constexpr bool has_leases = false, has_tokens = true, has_queue = false;
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();

  Held held;
  std::int64_t last = none;  // the least that the last token can have been

  std::vector<FencedSpec> step(const Call& call, const Answer& answer) const {
    std::vector<FencedSpec> next;
    const bool grants =
        is_acquire(call.verb) && (answer.said == Said::granted || answer.said == Said::unknown);
    if (grants && last == std::numeric_limits<std::int64_t>::max()) return next;
    const std::int64_t token = !grants ? last : answer.token.value_or(last + 1);
    if (grants && token <= last) return next;
    for (const Held& one : next_of(held, call, answer, Reentry::counted)) next.push_back({one, token});
    return next;
  }
  std::string told(const Names& names) const {
    const std::string text = histories::told(held, names);
    return last == none ? text : text + fmt::format(", after the token {}", last);
  }

  bool operator==(const FencedSpec&) const = default;
  static auto fields(auto& s) { return std::tie(s.held, s.last); }
};
static_assert(sim::State<FencedSpec>);

}  // namespace lockstep::histories
