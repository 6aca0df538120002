// seen_states.h: when two states count as the same state, for one search.
//
// By digest (the default) or by whole encoding; literally, or up to the names of interchangeable actors. A
// system may bring a normal form (system.h); then it is the normal forms that are compared.
#pragma once

#include <optional>

#include "sim/search/seen_set.h"
#include "sim/search/symmetry.h"
#include "sim/system.h"

namespace lockstep::sim {

enum class StateKey {
  digest,  // 128 bits: 24 bytes a state, a collision is possible in principle
  exact,   // the whole encoding
};

namespace detail {
struct NoSymmetry {};
template <System S>
struct CanonicalOf { using type = NoSymmetry; };
template <SymmetricSystem S>
struct CanonicalOf<S> { using type = Canonical<S>; };
}  // namespace detail

/// What states are told apart by.
template <System S>
class StateKeys {
 public:
  using State = typename S::State;

  /// `symmetry` is a wish: systems without it are taken literally.
  StateKeys(const S& rules, bool symmetry) : rules_(rules) {
    if constexpr (SymmetricSystem<S>) {
      if (symmetry) canonical_.emplace(rules);
    }
  }

  bool uses_symmetry() const { return canonical_.has_value(); }

  /// A system may tell the digest of a normal form without making it.
  Digest digest(const State& state) {
    if constexpr (requires { rules_.normal_digest(state); })
      if (!canonical_) return rules_.normal_digest(state);
    return in_normal_form(state, [&](const State& normal) {
      if constexpr (SymmetricSystem<S>) {
        if (canonical_) return canonical_->digest(normal);
      }
      return rules_.digest(normal);
    });
  }

  std::string encoding(const State& state) {
    return in_normal_form(state, [&](const State& normal) {
      if constexpr (SymmetricSystem<S>) {
        if (canonical_) return canonical_->encoding(normal);
      }
      Encoder out;
      rules_.encode_state(normal, out);
      return std::string(out.bytes());
    });
  }

 private:
  template <class Visit>
  auto in_normal_form(const State& state, Visit visit) {
    if constexpr (NormalisingSystem<S>) return visit(rules_.normal(state));
    else return visit(state);
  }

  const S& rules_;
  std::optional<typename detail::CanonicalOf<S>::type> canonical_;
};

template <System S>
class SeenStates {
 public:
  using State = typename S::State;

  SeenStates(const S& rules, StateKey key, bool symmetry) : keys_(rules, symmetry), key_(key) {}

  bool uses_symmetry() const { return keys_.uses_symmetry(); }

  Seen insert(const State& state) { return insert(state, expect(state)); }
  /// The state will be put in soon: its digest, if states are told apart by digests.
  Digest expect(const State& state) {
    if (key_ != StateKey::digest) return {};
    const Digest key = keys_.digest(state);
    digests_.expect(key);
    return key;
  }
  Seen insert(const State& state, const Digest& expected) {
    if (key_ == StateKey::digest) return insert(expected);
    return encodings_.insert(keys_.encoding(state));
  }
  std::optional<std::uint32_t> find(const State& state) {
    if (key_ == StateKey::digest) return find(keys_.digest(state));
    return encodings_.find(keys_.encoding(state));
  }

  // By its digest, for searches that go by digests.
  void expect(const Digest& key) const { digests_.expect(key); }
  void expect_met(const Digest& key) const { digests_.expect_met(key); }
  Seen insert(const Digest& key) { return digests_.insert(key); }
  std::optional<std::uint32_t> find(const Digest& key) const { return digests_.find(key); }

  /// All digests that were met; for many new ones at once, and for another search over the same states.
  DigestSet& digests() { return digests_; }

  std::size_t bytes() const { return digests_.bytes() + encodings_.bytes(); }
  std::size_t growth_ahead(std::size_t keys) const {
    return digests_.growth_ahead(keys) + encodings_.growth_ahead(keys);
  }

 private:
  StateKeys<S> keys_;
  StateKey key_;
  DigestSet digests_;
  EncodingSet encodings_;
};

}  // namespace lockstep::sim
