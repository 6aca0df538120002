// list_ends.h: the two ends of a list, for the commands that push, pop and move.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "model/redis/data/sequence.h"

namespace lockstep::redis::commands {

enum class ListEnd : std::uint8_t { head, tail };

/// Removes the item at this end; there must be one.
inline std::string take(Sequence<std::string>& items, ListEnd end) {
  const auto at = end == ListEnd::head ? items.begin() : items.end() - 1;
  std::string item = std::move(*at);
  items.erase(at);
  return item;
}

}  // namespace lockstep::redis::commands
