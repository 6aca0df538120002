// seen_set.h: which states a search has met, and their numbers in the order in which they were met.
//
// Keys lie densely in that order; a flat table of 32-bit numbers with linear probing finds them. That is
// about 24 bytes a state with 128-bit digests. Nothing is ever removed, and no order but that of insertion
// can be observed.
//
// Two kinds of key: Digests (DigestSet), or the encodings themselves (EncodingSet), which leave no caveat
// about collisions and cost the length of an encoding each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/digest.h"
#include "sim/search/pieces.h"

namespace lockstep::sim {

struct Seen {
  std::uint32_t id = 0;  // 0, 1, 2, … in the order of insertion
  bool fresh = false;    // it had not been met before
};

/// The dense store of a DigestSet.
class DigestKeys {
 public:
  using Key = const Digest&;
  std::size_t size() const { return keys_.size(); }
  std::uint64_t hash(std::uint32_t id) const { return keys_[id].low; }
  static std::uint64_t hash_of(const Digest& key) { return key.low; }
  bool is(std::uint32_t id, const Digest& key) const { return keys_[id] == key; }
  void append(const Digest& key) { keys_.push_back(key); }
  std::size_t bytes() const { return keys_.bytes(); }
  const Digest& operator[](std::uint32_t id) const { return keys_[id]; }

 private:
  Pieces<Digest> keys_;
};

/// The dense store of an EncodingSet.
class EncodingKeys {
 public:
  using Key = std::string_view;
  std::size_t size() const { return places_.size(); }
  std::uint64_t hash(std::uint32_t id) const { return hash_of(key(id)); }
  static std::uint64_t hash_of(std::string_view key) { return digest_bytes(key).low; }
  bool is(std::uint32_t id, std::string_view other) const { return key(id) == other; }
  void append(std::string_view key);
  std::size_t bytes() const { return blocks_.size() * block_bytes + places_.bytes(); }

 private:
  static constexpr std::size_t block_bytes = std::size_t{1} << 18;
  struct Place {
    std::uint32_t block = 0, begin = 0, length = 0;
  };

  std::string_view key(std::uint32_t id) const;

  std::vector<std::string> blocks_;  // encodings, one after the other
  Pieces<Place> places_;
};

template <class Keys>
class SeenSet {
 public:
  using Key = typename Keys::Key;

  SeenSet() : slots_(1024, empty) {}

  Seen insert(Key key) {
    if (is_full_with(keys_.size() + 1)) grow();
    std::uint32_t& slot = slots_[place_of(key)];
    if (slot != empty) return {slot, false};
    slot = static_cast<std::uint32_t>(keys_.size());
    keys_.append(key);
    return {slot, true};
  }

  std::optional<std::uint32_t> find(Key key) const {
    const std::uint32_t slot = slots_[place_of(key)];
    if (slot == empty) return std::nullopt;
    return slot;
  }

  const Keys& keys() const { return keys_; }
  std::size_t size() const { return keys_.size(); }
  std::size_t bytes() const { return slots_.capacity() * sizeof(std::uint32_t) + keys_.bytes(); }
  /// What will be needed besides, for a moment, while so many keys more are put in.
  std::size_t growth_ahead(std::size_t keys) const {
    return is_full_with(keys_.size() + keys) ? slots_.capacity() * sizeof(std::uint32_t) : 0;
  }

 private:
  static constexpr std::uint32_t empty = ~std::uint32_t{0};

  bool is_full_with(std::size_t keys) const { return keys * 10 > slots_.size() * 7; }

  /// Where `key` is, or the free slot where it belongs.
  std::size_t place_of(Key key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = Keys::hash_of(key) & mask;
    while (slots_[place] != empty && !keys_.is(slots_[place], key)) place = (place + 1) & mask;
    return place;
  }

  /// The keys say all; so what there was is given back first.
  void grow() {
    const std::size_t before = slots_.size();
    std::vector<std::uint32_t>().swap(slots_);
    slots_.assign(2 * before, empty);
    const std::size_t mask = slots_.size() - 1;
    for (std::uint32_t id = 0; id < keys_.size(); ++id) {
      std::size_t place = keys_.hash(id) & mask;
      while (slots_[place] != empty) place = (place + 1) & mask;
      slots_[place] = id;
    }
  }

  Keys keys_;
  std::vector<std::uint32_t> slots_;  // a power of two, at most seven tenths full
};

using DigestSet = SeenSet<DigestKeys>;
using EncodingSet = SeenSet<EncodingKeys>;

}  // namespace lockstep::sim
