// draws.h: what SPOP, SRANDMEMBER, ZRANDMEMBER and HRANDFIELD have in common: elements that are drawn, and
// how many.
//
// Redis draws from a hash table or an array by several methods, depending on the counts, which differ in
// nothing a client could rely on; here one serves them all, by Call::draw.
//
// A negative count asks for so many draws, however few elements there are. A reply that would take too much
// memory is refused before it is made.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "model/redis/commands/handlers.h"

namespace lockstep::redis::commands {

/// The largest count that a command takes; the smallest is its negative.
inline constexpr std::int64_t drawn_max = std::numeric_limits<std::int64_t>::max();

/// So many different places among `size`, ascending; each choice is as likely as any other.
inline std::vector<std::size_t> draw_different(Call& call, std::size_t size, std::size_t wanted) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < size && places.size() < wanted; ++i) {
    if (call.draw(size - i) < wanted - places.size()) places.push_back(i);
  }
  return places;
}

/// So many places, each drawn anew.
inline std::vector<std::size_t> draw_repeatedly(Call& call, std::size_t size, std::uint64_t wanted) {
  std::vector<std::size_t> places;
  for (; wanted > 0; --wanted) places.push_back(call.draw(size));
  return places;
}

/// What a count asks for: different places, or as many draws as its absolute value if it is negative.
inline std::vector<std::size_t> draw_counted(Call& call, std::size_t size, std::int64_t wanted) {
  if (wanted < 0) return draw_repeatedly(call, size, static_cast<std::uint64_t>(-wanted));
  return draw_different(call, size, static_cast<std::size_t>(wanted));
}

/// Whether the reply to so many draws among the elements fits into memory; `shown` is how many bytes of one
/// are shown.
template <class Elements, class Shown>
bool fits_in_a_reply(std::int64_t wanted, const Elements& elements, Shown shown) {
  if (wanted >= 0) return true;
  std::size_t most = 0;
  for (const auto& element : elements) most = std::max(most, shown(element));
  return static_cast<std::uint64_t>(-wanted) <= reply_bytes_max / (sizeof(Reply) + most);
}

}  // namespace lockstep::redis::commands
