// id.h: a number that remembers what it numbers.
//
// Ids are indices into the tables of one scenario, in the order in which the scenario names things, so they
// are the same in every run. They are ordered, hashable through `fields`, and never converted into each other
// by accident.
#pragma once

#include <compare>
#include <cstdint>

namespace lockstep::sim {

template <class Tag>
struct Id {
  std::uint16_t value{};

  friend constexpr auto operator<=>(Id, Id) = default;
  constexpr std::size_t index() const { return value; }
};

using NodeId = Id<struct NodeTag>;        // one Redis server
using ProcessId = Id<struct ProcessTag>;  // one JVM running Redisson
using ThreadId = Id<struct ThreadTag>;    // one thread, numbered across all processes
using PlaceId = Id<struct PlaceTag>;      // one thread among those of its process

/// Stands for any thread, where which one makes no difference. Renaming leaves it alone.
inline constexpr ThreadId no_thread{0xffff};

template <class SomeId>
constexpr SomeId make_id(std::size_t index) {
  return SomeId{static_cast<std::uint16_t>(index)};
}

}  // namespace lockstep::sim
