// random48.h: the generator behind math.random in Redis (rand.c, pseudo-random lrand48).
//
// It starts afresh in every eval, as in the first script of a fresh server. Redis 7 lets it run on through
// all scripts; here that would be state that passes from one eval to the next.
#pragma once

#include <cstdint>

namespace lockstep::lua {

class Random48 {
 public:
  static constexpr std::int32_t max = 0x7fffffff;

  Random48() = default;
  explicit Random48(std::uint32_t seed) : state_(std::uint64_t{seed} << 16 | 0x330e) {}

  /// 0 .. 2^31 - 1.
  std::int32_t next() {
    state_ = (state_ * 0x5deece66d + 0xb) & 0xffffffffffff;
    return static_cast<std::int32_t>(state_ >> 17);
  }

 private:
  std::uint64_t state_ = 0x1234abcd330e;
};

}  // namespace lockstep::lua
