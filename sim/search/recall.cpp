#include "sim/search/recall.h"

#include <algorithm>

#include "sim/base/verify.h"

namespace lockstep::sim {

void Recall::note(Function function, const Row& row, Slots slots, std::uint32_t result) {
  if (words_.size() + 3 + Row::slots_max > words_max_) {
    const std::size_t max = words_max_;
    *this = Recall(max);
  }
  if (function >= functions_.size())
    functions_.resize(std::max<std::size_t>(function + 1, 2 * functions_.size()));
  Known& known = functions_[function];
  ++known.noted;
  known.asked = std::max(known.asked, known.noted);
  slots = widened(known, slots);
  if (2 * (size_ + 1) > places_.size()) grow();
  std::uint32_t& at = places_[place_of(function, slots, row)];
  VERIFY(at == none);
  at = static_cast<std::uint32_t>(words_.size());
  ++size_;
  for (const std::uint32_t word : {function, slots, result}) words_.push_back(word);
  for_each_slot(slots, [&](std::size_t slot) { words_.push_back(row[slot]); });
}

/// A result may be kept under more than was read. A function that reads a few slots, now more, now less, is
/// asked for under one shape then.
Slots Recall::widened(Known& known, Slots slots) {
  constexpr int few = 3;
  for (Slots& shape : known.shapes) {
    if (shape != slots && std::popcount(shape | slots) > few) continue;
    return shape |= slots;
  }
  known.shapes.push_back(slots);
  return slots;
}

void Recall::grow() {
  places_.assign(places_.size() * 2, none);
  const std::size_t mask = places_.size() - 1;
  for (std::uint32_t at = 0; at < words_.size();) {
    const Slots slots = words_[at + 1];
    std::uint32_t next = at + 3;
    const std::uint64_t hash = hash_of(words_[at], slots, [&](std::size_t) { return words_[next++]; });
    std::size_t place = hash & mask;
    while (places_[place] != none) place = (place + 1) & mask;
    places_[place] = at;
    at = next;
  }
}

}  // namespace lockstep::sim
