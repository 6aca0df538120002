// kinds.cpp: the kinds that come with the program, one row each. The first is what a name without a kind
// means; those that are no locks come last.
#include <array>

#include "model/client/outside.h"
#include "model/redisson/locks/plain.h"

namespace lockstep::redisson {

extern const model::LockKind fair, spin, read, write, fenced, non_reentrant, non_reentrant_fair, multi, red,
    faster_multi;

}  // namespace lockstep::redisson

namespace lockstep::model {

namespace {

constexpr std::array shipped{
    &redisson::plain,
    &redisson::fair,
    &redisson::spin,
    &redisson::read,
    &redisson::write,
    &redisson::fenced,
    &redisson::non_reentrant,
    &redisson::non_reentrant_fair,
    &redisson::multi,
    &redisson::red,
    &redisson::faster_multi,
    &operator_commands,
    &resources,
};

}  // namespace

std::span<const LockKind* const> shipped_kinds() { return shipped; }

const LockKind* find_kind(std::string_view name) {
  for (const LockKind* kind : shipped)
    if (kind->is_taken() && kind->name == name) return kind;
  return nullptr;
}

}  // namespace lockstep::model
