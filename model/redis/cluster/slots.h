// slots.h: which of the 16384 slots a key belongs to, and sets of slots.
//
// slot = CRC16-XMODEM(tag) mod 16384. The tag is what stands between the first '{' and the first '}' behind
// it, if that is not empty; otherwise it is the whole key (Redis cluster.c, keyHashSlot; crc16.c: polynomial
// 1021, start 0, not reflected).
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/base/fields.h"

namespace lockstep::redis::cluster {

using Slot = std::uint16_t;

inline constexpr std::size_t slots_total = 16'384;

/// CRC16-XMODEM of the bytes.
std::uint16_t crc16(std::string_view bytes);

/// The part of the key that decides its slot.
std::string_view hash_tag(std::string_view key);

Slot slot_of(std::string_view key);

/// Both ends belong to it.
struct SlotRange {
  Slot first = 0, last = 0;
  auto operator<=>(const SlotRange&) const = default;
  static auto fields(auto& r) { return std::tie(r.first, r.last); }
};

/// Invariant: the ranges ascend and neither overlap nor touch, so that equal sets are equal values.
struct SlotSet {
  std::vector<SlotRange> ranges;

  bool contains(Slot slot) const;
  bool empty() const { return ranges.empty(); }
  std::size_t size() const;
  void insert(SlotRange range);
  void erase(SlotRange range);
  /// Whether some slot is in both.
  bool meets(const SlotSet& other) const;

  bool operator==(const SlotSet&) const = default;
  static auto fields(auto& s) { return std::tie(s.ranges); }
};
static_assert(sim::State<SlotRange> && sim::State<SlotSet>);

SlotSet slots_between(Slot first, Slot last);

/// The slots in both.
SlotSet common(const SlotSet& a, const SlotSet& b);

/// The slots of `a` that are not in `b`.
SlotSet without(SlotSet a, const SlotSet& b);

}  // namespace lockstep::redis::cluster
