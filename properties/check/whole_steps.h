// whole_steps.h: steps of remembered states as a whole: what a move changes, and what monitors make of it.
//
// A step is put together from several functions, each remembered for itself (recollection.h). What all of
// them read together is little as well: a few slots, and of processes that lie in no such slot what they wait
// for, and whether all of them are silent, or have ended (looked_at.h). So for what was met lately the outcome
// of all is kept under that. It is a cache that does not grow for ever: what is not found is put together
// again.
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

  explicit WholeSteps(const Stage& stage)
      : first_process_(stage.process(0)),
        other_(stage.other()),
        wait_bits_(62 / static_cast<unsigned>(other_ - first_process_ + 1)) {}

  /// What the move does in a row, of which this is known.
  const Outcome* find(std::uint32_t move, const sim::Row& row, const Views::Whole& whole) const {
    if (move >= read_.size() || read_[move] == 0) return nullptr;
    Key key;
    if (!find_key(move, row, whole, key)) return nullptr;
    const Kept& kept = kept_[place_of(key)];
    return kept.key == key ? &kept.outcome : nullptr;
  }

  /// It was put together from these slots.
  void keep(std::uint32_t move, const sim::Row& row, const Views::Whole& whole, sim::Slots read,
            const Outcome& outcome) {
    if (move >= read_.size()) read_.resize(2 * std::size_t{move} + 1);
    if (std::popcount(read_[move] | read) > slots_max) return;
    read_[move] |= read;
    Key key;
    if (!find_key(move, row, whole, key)) return;
    if (++changed_ > kept_.size() && kept_.size() < kept_max) grow();
    kept_[place_of(key)] = {key, outcome};
  }

  void forget() {
    read_.clear();
    kept_.assign(kept_.size(), {});
  }
  std::uint64_t bytes() const { return kept_.size() * sizeof(Kept) + read_.capacity() * sizeof(sim::Slots); }

 private:
  static constexpr int slots_max = 8;
  static constexpr std::size_t kept_max = std::size_t{1} << 14;
  static constexpr unsigned number_bits = 16;

  struct Key {
    std::uint64_t move = ~std::uint64_t{0};  // and what it was seen to read
    std::uint64_t others = 0;  // processes
    std::uint64_t first = 0, rest = 0;  // what was read, four numbers in each
    bool operator==(const Key&) const = default;
  };
  struct Kept {
    Key key;
    Outcome outcome;
  };

  /// False if not all fits into a key.
  bool find_key(std::uint32_t move, const sim::Row& row, const Views::Whole& whole, Key& key) const {
    const sim::Slots read = read_[move];
    std::uint32_t numbers = 0;
    key = {std::uint64_t{read} << 32 | move, 0, 0, 0};
    sim::for_each_slot(read, [&](std::size_t slot) {
      numbers |= row[slot];
      key.rest = key.rest << number_bits | key.first >> (64 - number_bits);
      key.first = key.first << number_bits | row[slot];
    });
    std::uint32_t all = 3;
    for (std::size_t slot = first_process_; slot < other_; ++slot) {
      if ((read >> slot & 1) != 0) continue;
      key.others = key.others << wait_bits_ | Views::Situation::of(whole.situations[slot]).waits;
      all &= whole.situations[slot];
    }
    key.others = key.others << 2 | all;
    return numbers >> number_bits == 0 && Views::Situation::of(whole.any).waits >> wait_bits_ == 0;
  }
  std::size_t place_of(const Key& key) const {
    constexpr std::uint64_t odd = 0x9e37'79b9'7f4a'7c15;
    std::uint64_t hash = (key.first ^ std::rotl(key.rest, 32)) * odd;
    hash = (hash ^ hash >> 32 ^ key.others ^ key.move << 20) * odd;
    return hash >> 40 & (kept_.size() - 1);
  }
  void grow() {
    std::vector<Kept> before(2 * kept_.size());
    before.swap(kept_);
    for (const Kept& kept : before)
      if (kept.key != Key{}) kept_[place_of(kept.key)] = kept;
  }

  std::size_t first_process_, other_;
  unsigned wait_bits_;
  std::vector<sim::Slots> read_;                      // by move: what it was ever seen to read
  std::vector<Kept> kept_ = std::vector<Kept>(1024);  // a power of two
  std::uint64_t changed_ = 0;
};

}  // namespace lockstep::properties
