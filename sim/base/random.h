// random.h: the one source of chance, for policies that draw.
//
// SplitMix64: the whole generator is one 64-bit number, so a seed names a run on every platform and with
// every compiler. The distributions of <random> are not used, because their results differ between standard
// libraries. Nothing in a state or in `apply` draws; only policies do.
#pragma once

#include <cstdint>

namespace lockstep::sim {

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

  /// The next 64 random bits.
  std::uint64_t next();

  /// Uniform in 0 … bound - 1, without bias; `bound` must not be 0.
  std::uint64_t below(std::uint64_t bound);

  /// A generator of its own, so that what one part draws does not depend on how often another part did.
  Random split();

  bool operator==(const Random&) const = default;

 private:
  std::uint64_t state_;
};

}  // namespace lockstep::sim
