#include "model/redis/cluster/slots.h"

#include <algorithm>
#include <array>

#include "sim/base/verify.h"

namespace lockstep::redis::cluster {

namespace {

constexpr std::uint16_t polynomial = 0x1021;

constexpr std::array<std::uint16_t, 256> remainders() {
  std::array<std::uint16_t, 256> table{};
  for (unsigned byte = 0; byte < table.size(); ++byte) {
    unsigned rest = byte << 8;
    for (int bit = 0; bit < 8; ++bit) {
      const bool carry = (rest & 0x8000) != 0;
      rest = (rest << 1) & 0xffff;
      if (carry) rest ^= polynomial;
    }
    table[byte] = static_cast<std::uint16_t>(rest);
  }
  return table;
}
constexpr auto table = remainders();

}  // namespace

std::uint16_t crc16(std::string_view bytes) {
  unsigned rest = 0;
  for (const char c : bytes) {
    const unsigned index = (rest >> 8) ^ static_cast<unsigned char>(c);
    rest = ((rest << 8) & 0xffff) ^ table[index];
  }
  return static_cast<std::uint16_t>(rest);
}

std::string_view hash_tag(std::string_view key) {
  const std::size_t open = key.find('{');
  if (open == std::string_view::npos) return key;
  const std::size_t close = key.find('}', open + 1);
  if (close == std::string_view::npos || close == open + 1) return key;
  return key.substr(open + 1, close - open - 1);
}

Slot slot_of(std::string_view key) { return static_cast<Slot>(crc16(hash_tag(key)) % slots_total); }

bool SlotSet::contains(Slot slot) const {
  const auto before = [](Slot wanted, const SlotRange& range) { return wanted < range.first; };
  const auto behind = std::upper_bound(ranges.begin(), ranges.end(), slot, before);
  return behind != ranges.begin() && slot <= std::prev(behind)->last;
}

std::size_t SlotSet::size() const {
  std::size_t count = 0;
  for (const SlotRange& range : ranges) count += range.last - range.first + std::size_t{1};
  return count;
}

void SlotSet::insert(SlotRange range) {
  VERIFY(range.first <= range.last && range.last < slots_total);
  std::vector<SlotRange> joined;
  for (const SlotRange& old : ranges) {
    const bool apart = old.last + 1 < range.first || range.last + 1 < old.first;
    if (apart) joined.push_back(old);
    else range = {std::min(old.first, range.first), std::max(old.last, range.last)};
  }
  joined.insert(std::upper_bound(joined.begin(), joined.end(), range), range);
  ranges = std::move(joined);
}

void SlotSet::erase(SlotRange range) {
  VERIFY(range.first <= range.last && range.last < slots_total);
  std::vector<SlotRange> left;
  for (const SlotRange& old : ranges) {
    if (old.last < range.first || range.last < old.first) {
      left.push_back(old);
      continue;
    }
    if (old.first < range.first) left.push_back({old.first, static_cast<Slot>(range.first - 1)});
    if (range.last < old.last) left.push_back({static_cast<Slot>(range.last + 1), old.last});
  }
  ranges = std::move(left);
}

bool SlotSet::meets(const SlotSet& other) const {
  auto mine = ranges.begin();
  auto theirs = other.ranges.begin();
  while (mine != ranges.end() && theirs != other.ranges.end()) {
    if (mine->last < theirs->first) ++mine;
    else if (theirs->last < mine->first) ++theirs;
    else return true;
  }
  return false;
}

SlotSet slots_between(Slot first, Slot last) {
  SlotSet slots;
  slots.insert({first, last});
  return slots;
}

SlotSet without(SlotSet a, const SlotSet& b) {
  for (const SlotRange& range : b.ranges) a.erase(range);
  return a;
}

SlotSet common(const SlotSet& a, const SlotSet& b) { return without(a, without(a, b)); }

}  // namespace lockstep::redis::cluster
