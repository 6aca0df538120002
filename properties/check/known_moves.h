// known_moves.h: moves that were met, by number.
#pragma once

#include <bit>
#include <cstdint>
#include <variant>
#include <vector>

#include "model/world/move.h"
#include "sim/base/overloaded.h"

namespace lockstep::properties {

/// One of them, with what a search asks of each.
struct KnownMove {
  std::uint32_t number = 0;
  bool fault = false, passes = false;

  static KnownMove of(std::uint32_t number, const model::Move& move) {
    return {number, move.is_fault(), move.passes_time()};
  }
  bool is_fault() const { return fault; }
  bool passes_time() const { return passes; }
};

class KnownMoves {
 public:
  /// The number of a move; the next one if it was not met before.
  std::uint32_t number_of(const model::Move& move) {
    if (2 * (moves_.size() + 1) > places_.size()) grow();
    std::uint32_t& place = place_of(move);
    if (place == none) {
      place = static_cast<std::uint32_t>(moves_.size());
      moves_.push_back(move);
    }
    return place;
  }
  const model::Move& operator[](std::uint32_t number) const { return moves_[number]; }
  std::size_t size() const { return moves_.size(); }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  static std::uint64_t hash_of(const model::Move& move) {
    using namespace model;
    constexpr std::uint64_t odd = 0x9e37'79b9'7f4a'7c15;
    const auto joined = [](const auto&... words) {
      std::uint64_t all = 0;
      ((all = std::rotl(all, 16) ^ words), ...);
      return all;
    };
    const auto carried = [&](const Carried& on) {
      return joined(on.link.process.value, on.link.node.value, static_cast<std::uint64_t>(on.lane),
                    on.connection.value);
    };
    const std::uint64_t on =
        std::visit(sim::overloaded{
                       [](std::monostate) { return std::uint64_t{0}; },
                       [](ThreadId id) { return std::uint64_t{id.value}; },
                       [](ProcessId id) { return std::uint64_t{id.value}; },
                       [](NodeId id) { return std::uint64_t{id.value}; },
                       [&](const LinkId& id) { return joined(id.process.value, id.node.value); },
                       [&](const Carried& id) { return carried(id); },
                       [&](const StreamId& id) { return joined(id.from.value, id.to.value); },
                       [&](const TimerId& id) { return joined(id.process.value, id.number); },
                       [&](const PartOfNode& id) { return joined(id.node.value, id.number); },
                       [](const FixedId& id) { return std::uint64_t{id.number}; },
                       [&](const FixedMessage& id) {
                         return carried(id.carried) ^ std::uint64_t{id.fault.number} << 48;
                       },
                       [&](const Follower& id) { return joined(id.process.value, id.group.value); },
                   },
                   move.on);
    const std::uint64_t verb =
        joined(move.verb.fault.value, static_cast<std::uint64_t>(move.verb.act), move.on.index());
    std::uint64_t hash = verb * odd ^ on;
    hash = hash * odd ^ static_cast<std::uint64_t>(move.by);
    hash *= odd;
    return hash ^ hash >> 32;
  }

  std::uint32_t& place_of(const model::Move& move) {
    const std::size_t mask = places_.size() - 1;
    std::size_t place = hash_of(move) & mask;
    while (places_[place] != none && !(moves_[places_[place]] == move)) place = (place + 1) & mask;
    return places_[place];
  }

  void grow() {
    places_.assign(places_.size() * 2, none);
    for (std::uint32_t number = 0; number < moves_.size(); ++number) place_of(moves_[number]) = number;
  }

  std::vector<model::Move> moves_;
  std::vector<std::uint32_t> places_ = std::vector<std::uint32_t>(256, none);  // a power of two
};

}  // namespace lockstep::properties
