#include "sim/search/recall.h"

#include <algorithm>

#include "sim/base/verify.h"

namespace lockstep::sim {

void Recall::note(Function function, const Row& row, Slots slots, std::uint32_t result) {
  constexpr std::size_t words_of_one = sizeof(Kept) / sizeof(std::uint32_t);
  if (words_of_one * (size_ + 1) + numbers_.size() + Row::slots_max > words_max_) {
    const std::size_t max = words_max_;
    *this = Recall(max);
  }
  if (function >= functions_.size())
    functions_.resize(std::max<std::size_t>(function + 1, 2 * functions_.size()));
  functions_max_ = functions_.size();
  Known& known = functions_[function];
  ++known.noted;
  known.asked = std::max<std::uint64_t>(known.asked, known.noted);
  const Shape shape = widened(known, slots);
  if (2 * (size_ + 1) > kept_.size()) grow();
  const std::uint64_t key = key_of(shape, row);
  Kept& kept = kept_[place_of(shape, key, row)];
  VERIFY(kept.shape == none);
  kept = {key, shape.number, result};
  ++size_;
  if ((key & is_hash) == 0) return;
  kept.result = static_cast<std::uint32_t>(numbers_.size());
  numbers_.push_back(result);
  for_each_slot(shape.slots, [&](std::size_t slot) { numbers_.push_back(row[slot]); });
}

const std::uint32_t* Recall::result_in(const Shape& shape, const Row& row) const {
  if (shape.number == none) return nullptr;
  const std::uint64_t key = key_of(shape, row);
  const Kept& kept = kept_[place_of(shape, key, row)];
  if (kept.shape == none) return nullptr;
  return (key & is_hash) == 0 ? &kept.result : &numbers_[kept.result];
}

std::optional<std::uint32_t> Recall::find_in_all(Known& known, const Row& row) const {
  if (const std::uint32_t* result = result_in(known.first, row)) return *result;
  Shape* before = &known.first;
  for (Shape& shape : known.others) {
    if (const std::uint32_t* result = result_in(shape, row)) {
      std::swap(shape, *before);  // it is looked for earlier next time
      return *result;
    }
    before = &shape;
  }
  return std::nullopt;
}

Recall::Shape Recall::shape_of(Slots slots) {
  Shape shape{.slots = slots, .number = shapes_++};
  const auto count = static_cast<std::size_t>(std::popcount(slots));
  shape.few = count <= shape.places.size();
  std::size_t i = 0;
  for_each_slot(slots, [&](std::size_t slot) {
    if (i == shape.places.size()) return;
    shape.masks[i] = none;
    shape.places[i++] = static_cast<std::uint8_t>(slot);
  });
  return shape;
}

/// A result may be kept under more than was read. A function that reads a few slots, now more, now less, is
/// asked for under one shape then; what was kept under the narrower one is not found again.
Recall::Shape Recall::widened(Known& known, Slots slots) {
  constexpr int few = 3;
  if (known.first.number == none) return known.first = shape_of(slots);
  const auto widen = [&](Shape& shape) {
    if (shape.slots == slots) return true;
    if (std::popcount(shape.slots | slots) > few) return false;
    if ((shape.slots | slots) != shape.slots) shape = shape_of(shape.slots | slots);
    return true;
  };
  if (widen(known.first)) return known.first;
  for (Shape& shape : known.others)
    if (widen(shape)) return shape;
  return known.others.emplace_back(shape_of(slots));
}

void Recall::grow() {
  std::vector<Kept> before(2 * kept_.size());
  before.swap(kept_);
  mask_ = kept_.size() - 1;
  --shift_;
  for (const Kept& kept : before) {
    if (kept.shape == none) continue;
    std::size_t place = first_place(kept.shape, kept.key);
    while (kept_[place].shape != none) place = next(place);
    kept_[place] = kept;
  }
}

}  // namespace lockstep::sim
