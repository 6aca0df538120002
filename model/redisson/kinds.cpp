// kinds.cpp: the lock kinds that come with the program, one row each. The first is what a name without a kind
// means.
#include <array>

#include "model/redisson/locks/plain.h"

namespace lockstep::redisson {

extern const model::LockKind spin, read, write;

}  // namespace lockstep::redisson

namespace lockstep::model {

namespace {

constexpr std::array shipped{
    &redisson::plain,
    &redisson::spin,
    &redisson::read,
    &redisson::write,
};

}  // namespace

std::span<const LockKind* const> shipped_kinds() { return shipped; }

const LockKind* find_kind(std::string_view name) {
  for (const LockKind* kind : shipped)
    if (kind->name == name) return kind;
  return nullptr;
}

}  // namespace lockstep::model
