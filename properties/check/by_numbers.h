// by_numbers.h: answers that follow from a few numbers alone.
//
// Recollection learns what a function reads, and looks an answer up under that. Where it is known that an
// answer follows from numbers that fit into one key, it is kept here: a look-up is a few instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::properties {

template <class Answer>
class ByNumbers {
 public:
  static constexpr unsigned number_bits = 28;  // more things are never kept

  /// Of two numbers, and a small one for what is asked (less than 256).
  static constexpr std::uint64_t key(std::uint64_t asked, std::uint32_t one, std::uint32_t other) {
    return asked << 2 * number_bits | std::uint64_t{one} << number_bits | other;
  }

  /// Until the next one is kept.
  const Answer* find(std::uint64_t key) const {
    const Kept* const all = kept_.data();
    for (std::size_t place = first_place(key);; place = (place + 1) & mask_) {
      if (all[place].key == key) return &all[place].answer;
      if (all[place].key == nothing) return nullptr;
    }
  }

  /// There was none under this key.
  void keep(std::uint64_t key, const Answer& answer) {
    if (2 * ++size_ > kept_.size()) grow();
    put({key, answer});
  }

  std::size_t size() const { return size_; }
  std::uint64_t bytes() const { return kept_.capacity() * sizeof(Kept); }
  void forget() { *this = {}; }

 private:
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};
  struct Kept {
    std::uint64_t key = nothing;
    Answer answer{};
  };

  std::size_t first_place(std::uint64_t key) const {
    return key * 0x9e37'79b9'7f4a'7c15 >> shift_;  // only the highest bits depend on all of the key
  }
  void put(const Kept& kept) {
    std::size_t place = first_place(kept.key);
    while (kept_[place].key != nothing) place = (place + 1) & mask_;
    kept_[place] = kept;
  }
  void grow() {
    std::vector<Kept> before(2 * kept_.size());
    before.swap(kept_);
    mask_ = kept_.size() - 1;
    --shift_;
    for (const Kept& kept : before)
      if (kept.key != nothing) put(kept);
  }

  static constexpr unsigned first_bits = 6;

  std::vector<Kept> kept_ = std::vector<Kept>(std::size_t{1} << first_bits);  // at most half full
  std::size_t mask_ = (std::size_t{1} << first_bits) - 1, size_ = 0;
  unsigned shift_ = 64 - first_bits;  // of a hash, to a place
};

}  // namespace lockstep::properties
