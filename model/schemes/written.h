// written.h: schemes that are written, since a session or another server than Redis demands it; all others
// are described (kind.h).
#pragma once

#include <span>
#include <string_view>

#include "model/client/lock_kind.h"

namespace lockstep::schemes {

/// By their names, which `schemes` of a scenario may say.
std::span<const model::LockKind* const> kinds_of_servers();

/// What one of them keeps, and what something breaks: properties, as of a described scheme
/// (`model::Scheme::promises`).
struct WrittenPromises {
  const model::LockKind* kind = nullptr;
  std::span<const std::string_view> promises, weaknesses;
};
std::span<const WrittenPromises> promises_of_servers();

}  // namespace lockstep::schemes
