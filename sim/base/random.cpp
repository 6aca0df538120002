#include "sim/base/random.h"

#include "sim/base/verify.h"

namespace lockstep::sim {

namespace {
// The constants of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15;

constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
}  // namespace

std::uint64_t Random::next() {
  state_ += golden_gamma;
  return mix(state_);
}

std::uint64_t Random::below(std::uint64_t bound) {
  VERIFY(bound != 0);
  // 2^64 is not a multiple of most bounds; the lowest 2^64 mod bound numbers are refused so that the rest
  // divides evenly.
  const std::uint64_t refused = (0 - bound) % bound;
  std::uint64_t drawn = next();
  while (drawn < refused) drawn = next();
  return drawn % bound;
}

Random Random::split() { return Random{mix(next() ^ golden_gamma)}; }

}  // namespace lockstep::sim
