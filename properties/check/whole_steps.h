// whole_steps.h: steps of remembered states as a whole: what a move changes, and what monitors make of it.
//
// A step is put together from several functions, each remembered for itself (recollection.h). What all of
// them read together is little as well: a few slots, and of processes that lie in no such slot what they wait
// for, and whether all of them are silent, or have ended (looked_at.h). So for what was met lately the
// outcome of all is kept under that. It is a cache that does not grow for ever: what is not found is put
// together again.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "properties/check/views.h"
#include "sim/search/outcome.h"

namespace lockstep::properties {

class WholeSteps {
 public:
  static constexpr std::size_t changes_max = 4;

  struct Outcome {
    std::array<Stage::Change, changes_max> changes{};
    std::uint32_t count = 0;     // of changes
    std::uint32_t observed = 0;  // what the move showed, by number
    sim::WitnessMask shown = 0;
    sim::Digest added;  // to the sum of the normal forms of all processes and servers
  };

  /// These are slots: of the first process, of what is of nobody alone, of monitors.
  WholeSteps(std::size_t first_process, std::size_t other, std::size_t monitors)
      : first_process_(first_process),
        other_(other),
        monitors_(monitors),
        wait_bits_(62 / static_cast<unsigned>(other_ - first_process_ + 1)) {}

  /// Moves are asked about that may happen in this row, until the next one. False if they are not kept.
  bool begin(const sim::Row& row, const Views::Whole& whole) {
    waits_ = 0;
    busy_ = running_ = 0;
    for (std::size_t slot = first_process_; slot < other_; ++slot) {
      const Views::Situation its = Views::Situation::of(whole.situations[slot]);
      waits_ |= std::uint64_t{its.waits} << wait_bits_ * (slot - first_process_);
      busy_ |= sim::Slots{!its.silent} << slot;
      running_ |= sim::Slots{!its.ended} << slot;
    }
    const std::uint64_t key = ByNumbers<std::uint32_t>::key(0, row[other_], row[monitors_]);
    const std::uint32_t* known = surroundings_.find(key);
    if (known == nullptr) surroundings_.keep(key, static_cast<std::uint32_t>(surroundings_.size()));
    surrounding_ = known != nullptr ? *known : static_cast<std::uint32_t>(surroundings_.size() - 1);
    return Views::Situation::of(whole.any).waits >> wait_bits_ == 0;
  }

  /// What the move does in that row.
  const Outcome* find(std::uint32_t move, const sim::Row& row) const {
    if (move >= read_.size() || read_[move].shape == 0) return nullptr;
    const std::optional<Key> key = key_of(read_[move], row);
    if (!key) return nullptr;
    const Kept& kept = kept_[place_of(*key)];
    return kept.key == *key ? &kept.outcome : nullptr;
  }

  /// It was put together from these slots.
  void keep(std::uint32_t move, const sim::Row& row, sim::Slots slots, const Outcome& outcome) {
    if (move >= read_.size()) read_.resize(2 * std::size_t{move} + 1);
    Read& read = read_[move];
    slots &= ~(sim::Slots{1} << other_ | sim::Slots{1} << monitors_);
    if (read.shape == 0 || (slots & ~read.slots) != 0) widen(read, slots);
    if (read.shape == 0) return;
    const std::optional<Key> key = key_of(read, row);
    if (!key) return;
    if (++changed_ > 2 * kept_.size() && kept_.size() < kept_max) grow();
    kept_[place_of(*key)] = {*key, outcome};
  }

  void forget() {
    read_.clear();
    surroundings_.forget();
    kept_.assign(kept_.size(), {});
  }
  std::uint64_t bytes() const {
    return kept_.size() * sizeof(Kept) + read_.capacity() * sizeof(Read) + surroundings_.bytes();
  }

 private:
  static constexpr std::size_t slots_max = 4, kept_first = 512, kept_max = std::size_t{1} << 14;
  static constexpr unsigned number_bits = 16;

  /// What a move was ever seen to read, besides what is of nobody alone and monitors.
  struct Read {
    std::uint64_t waits = 0;  // a mask for those of all other processes
    sim::Slots slots = 0;
    std::uint32_t shape = 0;  // a number for the move with these slots; 0: none
    std::array<std::uint8_t, slots_max> places{};
    std::uint8_t count = 0;  // of places
    bool too_many = false;
  };
  struct Key {
    std::uint64_t shape = 0;  // and what surrounds the move
    std::uint64_t others = 0;  // what other processes wait for, and whether all of them are silent, or ended
    std::uint64_t numbers = 0;
    bool operator==(const Key&) const = default;
  };
  struct Kept {
    Key key;
    Outcome outcome;
  };

  /// Nothing if numbers do not fit.
  std::optional<Key> key_of(const Read& read, const sim::Row& row) const {
    std::uint64_t numbers = 0;
    std::uint32_t all = 0;
    for (std::size_t i = 0; i < read.count; ++i) {
      const std::uint32_t number = row[read.places[i]];
      all |= number;
      numbers = numbers << number_bits | number;
    }
    if (all >> number_bits != 0) return std::nullopt;
    const std::uint64_t silent = (busy_ & ~read.slots) == 0 ? 1 : 0;
    const std::uint64_t ended = (running_ & ~read.slots) == 0 ? 1 : 0;
    return Key{std::uint64_t{read.shape} << 32 | surrounding_,
               (waits_ & read.waits) << 2 | silent << 1 | ended, numbers};
  }
  void widen(Read& read, sim::Slots slots) {
    read.slots |= slots;
    read.too_many = static_cast<std::size_t>(std::popcount(read.slots)) > slots_max;
    read.shape = read.too_many ? 0 : ++shapes_;
    if (read.too_many) return;
    read.count = 0;
    read.waits = ~std::uint64_t{0};
    sim::for_each_slot(read.slots, [&](std::size_t slot) {
      read.places[read.count++] = static_cast<std::uint8_t>(slot);
      if (slot < first_process_ || slot >= other_) return;
      read.waits &= ~(((std::uint64_t{1} << wait_bits_) - 1) << wait_bits_ * (slot - first_process_));
    });
  }
  std::size_t place_of(const Key& key) const {
    constexpr std::uint64_t odd = 0x9e37'79b9'7f4a'7c15;
    const std::uint64_t hash = ((key.shape ^ std::rotl(key.others, 40)) * odd ^ key.numbers) * odd;
    return hash >> 40 & (kept_.size() - 1);
  }
  void grow() {
    std::vector<Kept> before(2 * kept_.size());
    before.swap(kept_);
    for (const Kept& kept : before)
      if (kept.key.shape != 0) kept_[place_of(kept.key)] = kept;
  }

  std::size_t first_process_, other_, monitors_;
  unsigned wait_bits_;
  // Of the row at hand: what processes wait for; who is not silent, and who has not ended; and a number for
  // what is of nobody alone and monitors.
  std::uint64_t waits_ = 0;
  sim::Slots busy_ = 0, running_ = 0;
  std::uint32_t surrounding_ = 0;
  ByNumbers<std::uint32_t> surroundings_;
  std::vector<Read> read_;                            // by move
  std::vector<Kept> kept_ = std::vector<Kept>(kept_first);  // a power of two
  std::uint32_t shapes_ = 0;
  std::uint64_t changed_ = 0;
};

}  // namespace lockstep::properties
