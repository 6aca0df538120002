// recall.h: results of functions of a state, remembered under exactly what they read.
//
// A state is a row of numbers: its components are interned, so that equal ones have one number. A function of
// a state reads some of them, and which ones may depend on what it finds there. Its result is kept under the
// function, the slots that it read, and the numbers that it found there. A later state that agrees in these
// would be read alike, so the result is the same one. Nothing is assumed of the function but that it depends
// on what it reads alone, and that it tells every read.
//
// What is kept is forgotten as a whole when it grows too large, and a function that hardly ever finds the
// same again is not worth keeping: results do not depend on it, only time does.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::sim {

/// The components of a state, by slot. Slots that a system does not have hold zero.
struct Row {
  static constexpr std::size_t slots_max = 20;
  std::array<std::uint32_t, slots_max> parts{};

  std::uint32_t operator[](std::size_t slot) const { return parts[slot]; }
  std::uint32_t& operator[](std::size_t slot) { return parts[slot]; }
  /// What lies in this slot and in the next, as one number.
  std::uint64_t two(std::size_t slot) const {
    std::uint64_t both = 0;
    std::memcpy(&both, parts.data() + slot, sizeof both);
    return both;
  }
  bool operator==(const Row&) const = default;
};
static_assert(Row::slots_max % 2 == 0);

/// Bit s: slot s.
using Slots = std::uint32_t;
static_assert(Row::slots_max <= 32);

template <class Visit>
void for_each_slot(Slots slots, Visit visit) {
  for (; slots != 0; slots &= slots - 1) visit(static_cast<std::size_t>(std::countr_zero(slots)));
}

class Recall {
 public:
  using Function = std::uint32_t;

  explicit Recall(std::size_t words_max = std::size_t{1} << 24)
      : words_max_(words_max), kept_(std::size_t{1} << first_bits) {}

  /// Functions are numbered from 0 on.
  std::optional<std::uint32_t> find(Function function, const Row& row) {
    if (function >= functions_max_) return std::nullopt;
    Known& known = functions_[function];
    ++known.asked;
    const Shape& shape = known.first;
    if (const std::uint64_t key = short_key(shape, row); (key & is_hash) == 0)
      for (std::size_t place = first_place(shape.number, key);; place = next(place)) {
        const Kept& kept = kept_[place];
        if (kept.key == key && kept.shape == shape.number) return kept.result;
        if (kept.shape == none) break;
      }
    return find_in_all(known, row);
  }

  /// Whether what is noted for this function is found again, often enough.
  bool is_worth_noting(Function function) const {
    constexpr std::uint64_t tried = 4096, rarely = 4;
    if (function >= functions_.size()) return true;
    const Known& known = functions_[function];
    return known.noted < tried || (known.asked - known.noted) * rarely >= known.noted;
  }

  /// The function was not known for this row; it read these slots.
  void note(Function function, const Row& row, Slots slots, std::uint32_t result);

  std::uint64_t bytes() const {
    return kept_.capacity() * sizeof(Kept) + numbers_.capacity() * sizeof(std::uint32_t);
  }
  /// How many results are kept.
  std::size_t size() const { return size_; }

 private:
  static constexpr unsigned first_bits = 10;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  static constexpr std::uint32_t id_bits = 21;
  static constexpr std::uint64_t odd = 0x9e37'79b9'7f4a'7c15, is_hash = std::uint64_t{1} << 63;

  /// What a function was seen to read. Few slots are also told by their places, with masks for those that
  /// there are.
  struct Shape {
    Slots slots = 0;
    std::uint32_t number = none;  // no other has had it
    std::array<std::uint32_t, 3> masks{};
    std::array<std::uint8_t, 3> places{};
    bool few = false;
  };
  /// A result, under a shape and what was read in it. Up to three numbers are the key itself; of more the key
  /// is a hash, and `numbers_` has the result, and them behind it.
  struct Kept {
    std::uint64_t key = 0;
    std::uint32_t shape = none, result = 0;
  };
  struct Known {
    Shape first;
    std::uint64_t asked = 0;
    std::uint32_t noted = 0;
    std::vector<Shape> others;
  };

  static std::uint64_t short_key(const Shape& shape, const Row& row) {
    const auto at = [&](std::size_t i) { return std::uint64_t{row[shape.places[i]] & shape.masks[i]}; };
    const std::uint64_t a = at(0), b = at(1), c = at(2);
    if (!shape.few || (a | b | c) >> id_bits != 0) return is_hash;
    return a | b << id_bits | c << 2 * id_bits;
  }

  static std::uint64_t key_of(const Shape& shape, const Row& row) {
    if (const std::uint64_t key = short_key(shape, row); (key & is_hash) == 0) return key;
    std::uint64_t hash = 0;
    for_each_slot(shape.slots, [&](std::size_t slot) { hash = (std::rotl(hash, 29) ^ row[slot]) * odd; });
    return hash | is_hash;
  }

  std::size_t first_place(std::uint32_t shape, std::uint64_t key) const {
    return (key ^ std::uint64_t{shape} << 32) * odd >> shift_;  // only the highest bits depend on all of it
  }
  std::size_t next(std::size_t place) const { return (place + 1) & mask_; }

  /// Where such a result is kept, or belongs.
  std::size_t place_of(const Shape& shape, std::uint64_t key, const Row& row) const {
    for (std::size_t place = first_place(shape.number, key);; place = next(place)) {
      const Kept& kept = kept_[place];
      if (kept.shape == none) return place;
      if (kept.key != key || kept.shape != shape.number) continue;
      if ((key & is_hash) == 0 || is_at(kept.result + 1, shape.slots, row)) return place;
    }
  }

  bool is_at(std::uint32_t at, Slots slots, const Row& row) const {
    bool same = true;
    for_each_slot(slots, [&](std::size_t slot) { same = same && numbers_[at++] == row[slot]; });
    return same;
  }

  const std::uint32_t* result_in(const Shape& shape, const Row& row) const;
  std::optional<std::uint32_t> find_in_all(Known& known, const Row& row) const;
  void grow();
  Shape shape_of(Slots slots);
  Shape widened(Known& known, Slots slots);

  std::size_t words_max_, size_ = 0, mask_ = (std::size_t{1} << first_bits) - 1;
  unsigned shift_ = 64 - first_bits;  // of a hash, to a place
  std::vector<Known> functions_;
  std::size_t functions_max_ = 0;       // how many
  std::vector<Kept> kept_;              // a power of two, at most half full
  std::vector<std::uint32_t> numbers_;  // results and what was read, where the key does not say it
  std::uint32_t shapes_ = 0;            // numbers of shapes that were given
};

}  // namespace lockstep::sim
