// seen_set.h: which states a search has met, and their numbers in the order in which they were met.
//
// Keys lie densely in that order; a flat table of 32-bit numbers with linear probing finds them. That is
// about 24 bytes a state with 128-bit digests. Nothing is ever removed but all, and no order but that of
// insertion can be observed.
//
// The numbers in a table of 2^k slots have k bits at most; the bits that are left in a slot are of its key's
// hash. So a key is hardly ever looked at that is not the one looked for: most of what a look-up takes is to
// wait for memory, and the table is one place there, each key another.
//
// Two kinds of key: Digests (DigestSet), or the encodings themselves (EncodingSet), which leave no caveat
// about collisions and cost the length of an encoding each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/digest.h"
#include "sim/base/prefetch.h"
#include "sim/search/pieces.h"
#include "sim/search/workers.h"

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
  void expect(std::uint32_t id) const { prefetch(&keys_[id]); }

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

  SeenSet() : slots_(slots_first, empty) {}

  Seen insert(Key key) {
    if (is_full_with(keys_.size() + 1)) grow();
    const std::uint64_t hash = Keys::hash_of(key);
    std::uint32_t& slot = slots_[place_of(key, hash)];
    if (slot != empty) return {number_in(slot), false};
    const auto number = static_cast<std::uint32_t>(keys_.size());
    slot = tag_of(hash) | number;
    keys_.append(key);
    return {number, true};
  }

  /// Several workers may put keys in at once, under numbers of their own choice from size() on: claims, whose
  /// keys stand elsewhere, and which the end of their work makes what they are to be (settle). Until then
  /// nothing but claim() may be asked.
  struct Claim {
    std::uint32_t number = 0;
    bool fresh = false;  // nobody had claimed it, and it had not been met before
    std::size_t place = 0;
  };
  /// `is_claimed(n)`: whether the claim n, of whomever, is for this key. There must be room for `number`.
  template <class IsClaimed>
  Claim claim(Key key, std::uint32_t number, const IsClaimed& is_claimed) {
    const std::uint64_t hash = Keys::hash_of(key);
    const std::uint32_t tag = tag_of(hash);
    for (std::size_t place = hash & mask();; place = (place + 1) & mask()) {
      std::uint32_t slot = look_at_shared(slots_[place]);
      if (slot == empty && change_shared(slots_[place], slot, tag | number)) return {number, true, place};
      const std::uint32_t known = number_in(slot);
      if ((slot ^ known) != tag) continue;
      if (known < keys_.size() ? keys_.is(known, key) : is_claimed(known)) return {known, false, place};
    }
  }
  /// The key will be claimed, or found, very soon. `claimed(n)`: where the key of the claim n stands.
  template <class Claimed>
  void expect_claimed(Key key, const Claimed& claimed) {
    const std::uint64_t hash = Keys::hash_of(key);
    const std::uint32_t slot = look_at_shared(slots_[hash & mask()]), number = number_in(slot);
    if (slot == empty || (slot ^ number) != tag_of(hash)) return;
    if (number < keys_.size()) keys_.expect(number);
    else prefetch(claimed(number));
  }
  /// Room for all numbers below this one. If there was none claims are gone, to be made again; true then.
  bool make_room(std::size_t numbers) {
    if (!is_full_with(numbers)) return false;
    while (is_full_with(numbers)) empty_twice_as_large();
    place_all();
    return true;
  }
  std::size_t claim_again(Key key, std::uint32_t number) {
    const std::uint64_t hash = Keys::hash_of(key);
    const std::size_t place = free_from(hash & mask());
    slots_[place] = tag_of(hash) | number;
    return place;
  }
  /// The keys that were claimed are appended in the order of their numbers, and each claim gets its number.
  /// Different claims may be settled side by side. If some are not wanted, drop_claims() comes last.
  void append(Key key) { keys_.append(key); }
  void settle(std::size_t place, std::uint32_t number) {
    slots_[place] = (slots_[place] & ~static_cast<std::uint32_t>(mask())) | number;
  }
  void expect_to_settle(std::size_t place) const { prefetch(&slots_[place]); }
  void drop_claims() {
    std::fill(slots_.begin(), slots_.end(), empty);
    place_all();
  }

  std::optional<std::uint32_t> find(Key key) const {
    const std::uint32_t slot = slots_[place_of(key, Keys::hash_of(key))];
    if (slot == empty) return std::nullopt;
    return number_in(slot);
  }

  /// The key will be asked for soon: what takes longest begins now. And somewhat later the same again, which
  /// helps if it was met before.
  void expect(Key key) const { prefetch(&slots_[Keys::hash_of(key) & mask()]); }
  void expect_met(Key key) const {
    const std::uint64_t hash = Keys::hash_of(key);
    const std::uint32_t slot = slots_[hash & mask()];
    if (slot != empty && (slot ^ number_in(slot)) == tag_of(hash)) keys_.expect(number_in(slot));
  }

  /// For about as many keys as there were.
  void clear() {
    std::size_t slots = slots_.size();
    while (slots > slots_first && slots > 4 * keys_.size()) slots /= 2;
    keys_ = {};
    slots_.assign(slots, empty);
  }

  const Keys& keys() const { return keys_; }
  std::size_t size() const { return keys_.size(); }
  std::size_t bytes() const { return slots_.capacity() * sizeof(std::uint32_t) + keys_.bytes(); }
  /// What will be needed besides, for a moment, while so many keys more are put in.
  std::size_t growth_ahead(std::size_t keys) const {
    return is_full_with(keys_.size() + keys) ? slots_.capacity() * sizeof(std::uint32_t) : 0;
  }

 private:
  static constexpr std::size_t slots_first = 1024;
  static constexpr std::size_t ahead = 16;                   // so many keys from now is soon
  static constexpr std::uint32_t empty = ~std::uint32_t{0};  // no number: there are fewer than slots

  bool is_full_with(std::size_t keys) const { return keys * 10 > slots_.size() * 7; }

  std::size_t mask() const { return slots_.size() - 1; }
  std::uint32_t number_in(std::uint32_t slot) const { return slot & static_cast<std::uint32_t>(mask()); }
  /// What a slot says of a hash besides the number: nothing that its place says already.
  std::uint32_t tag_of(std::uint64_t hash) const {
    return static_cast<std::uint32_t>(hash >> 32) & ~static_cast<std::uint32_t>(mask());
  }

  /// Where `key` is, or the free slot where it belongs.
  std::size_t place_of(Key key, std::uint64_t hash) const {
    const std::uint32_t tag = tag_of(hash);
    std::size_t place = hash & mask();
    for (;; place = (place + 1) & mask()) {
      const std::uint32_t slot = slots_[place], number = number_in(slot);
      if (slot == empty || ((slot ^ number) == tag && keys_.is(number, key))) return place;
    }
  }

  std::size_t home_of(std::size_t number) const {
    return keys_.hash(static_cast<std::uint32_t>(number)) & mask();
  }
  std::size_t free_from(std::size_t place) const {
    while (slots_[place] != empty) place = (place + 1) & mask();
    return place;
  }
  void put(std::size_t number, std::size_t place) {
    const auto id = static_cast<std::uint32_t>(number);
    slots_[place] = tag_of(keys_.hash(id)) | id;
  }

  void grow() {
    empty_twice_as_large();
    place_all();
  }

  void place_all() {
    for (std::size_t number = 0; number < keys_.size(); ++number) {
      if (number + ahead < keys_.size()) prefetch(&slots_[home_of(number + ahead)]);
      put(number, free_from(home_of(number)));
    }
  }

  /// The keys say all; so what there was is given back first.
  void empty_twice_as_large() {
    const std::size_t before = slots_.size();
    std::vector<std::uint32_t>().swap(slots_);
    slots_.assign(2 * before, empty);
  }

  Keys keys_;
  std::vector<std::uint32_t> slots_;  // a power of two, at most seven tenths full
};

using DigestSet = SeenSet<DigestKeys>;
using EncodingSet = SeenSet<EncodingKeys>;

}  // namespace lockstep::sim
