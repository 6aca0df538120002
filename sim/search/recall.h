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
  bool operator==(const Row&) const = default;
};

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

  explicit Recall(std::size_t words_max = std::size_t{1} << 24) : words_max_(words_max) {
    places_.assign(1024, none);
  }

  /// Functions are numbered from 0 on.
  std::optional<std::uint32_t> find(Function function, const Row& row) {
    if (function >= functions_.size()) return std::nullopt;
    Known& known = functions_[function];
    ++known.asked;
    for (std::size_t i = 0; i < known.shapes.size(); ++i) {
      const std::uint32_t at = places_[place_of(function, known.shapes[i], row)];
      if (at == none) continue;
      if (i > 0) std::swap(known.shapes[i], known.shapes[i - 1]);  // it is looked for earlier next time
      return words_[at + 2];
    }
    return std::nullopt;
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

  std::uint64_t bytes() const { return (words_.capacity() + places_.capacity()) * sizeof(std::uint32_t); }
  /// How many results are kept.
  std::size_t size() const { return size_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  static std::uint64_t hash_of(Function function, Slots slots, const auto& number_in) {
    constexpr std::uint64_t odd = 0x9e37'79b9'7f4a'7c15;
    std::uint64_t hash = (std::uint64_t{function} << 32 | slots) * odd;
    for_each_slot(slots, [&](std::size_t slot) { hash = (std::rotl(hash, 29) ^ number_in(slot)) * odd; });
    return hash ^ hash >> 32;
  }

  /// Where such a result is kept, or belongs.
  std::size_t place_of(Function function, Slots slots, const Row& row) const {
    const std::size_t mask = places_.size() - 1;
    std::size_t place = hash_of(function, slots, [&](std::size_t slot) { return row[slot]; }) & mask;
    while (places_[place] != none && !is_at(places_[place], function, slots, row)) place = (place + 1) & mask;
    return place;
  }

  bool is_at(std::uint32_t at, Function function, Slots slots, const Row& row) const {
    const std::uint32_t* const words = words_.data() + at;
    if (words[0] != function || words[1] != slots) return false;
    const std::uint32_t* next = words + 3;
    for (; slots != 0; slots &= slots - 1)
      if (*next++ != row[static_cast<std::size_t>(std::countr_zero(slots))]) return false;
    return true;
  }

  void grow();

  std::size_t words_max_, size_ = 0;
  struct Known {
    std::vector<Slots> shapes;  // what it was seen to read
    std::uint64_t asked = 0, noted = 0;
  };
  static Slots widened(Known& known, Slots slots);

  std::vector<Known> functions_;
  std::vector<std::uint32_t> words_;   // function, slots, result, and the number in each slot
  std::vector<std::uint32_t> places_;  // a power of two, at most half full
};

}  // namespace lockstep::sim
