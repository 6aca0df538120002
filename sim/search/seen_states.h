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

template <System S>
class SeenStates {
 public:
  using State = typename S::State;

  /// `symmetry` is a wish: systems without it are taken literally.
  SeenStates(const S& rules, StateKey key, bool symmetry) : rules_(rules), key_(key) {
    if constexpr (SymmetricSystem<S>) {
      if (symmetry) canonical_.emplace(rules);
    }
  }

  bool uses_symmetry() const { return canonical_.has_value(); }

  Seen insert(const State& state) {
    return in_normal_form(state, [&](const State& normal) {
      if (key_ == StateKey::digest) return digests_.insert(digest(normal));
      return encodings_.insert(encoding(normal));
    });
  }

  std::optional<std::uint32_t> find(const State& state) {
    return in_normal_form(state, [&](const State& normal) {
      if (key_ == StateKey::digest) return digests_.find(digest(normal));
      return encodings_.find(encoding(normal));
    });
  }

  std::size_t bytes() const { return digests_.bytes() + encodings_.bytes(); }
  std::size_t growth_ahead(std::size_t keys) const {
    return digests_.growth_ahead(keys) + encodings_.growth_ahead(keys);
  }

 private:
  template <class Visit>
  auto in_normal_form(const State& state, Visit visit) {
    if constexpr (NormalisingSystem<S>) return visit(rules_.normal(state));
    else return visit(state);
  }

  Digest digest(const State& state) {
    if constexpr (SymmetricSystem<S>) {
      if (canonical_) return canonical_->digest(state);
    }
    return rules_.digest(state);
  }

  std::string encoding(const State& state) {
    if constexpr (SymmetricSystem<S>) {
      if (canonical_) return canonical_->encoding(state);
    }
    Encoder out;
    rules_.encode_state(state, out);
    return std::string(out.bytes());
  }

  const S& rules_;
  StateKey key_;
  std::optional<typename detail::CanonicalOf<S>::type> canonical_;
  DigestSet digests_;
  EncodingSet encodings_;
};

}  // namespace lockstep::sim
