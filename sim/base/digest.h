// digest.h: 128 bits that stand for a value.
//
// XXH3-128 of the canonical encoding (encode.h). At a billion states the chance of any collision is below
// 1e-20. Searches that must not carry even that caveat compare the encodings themselves (--exact).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/encode.h"

namespace lockstep::sim {

struct Digest {
  std::uint64_t high{};
  std::uint64_t low{};
  friend constexpr auto operator<=>(const Digest&, const Digest&) = default;
  static auto fields(auto& d) { return std::tie(d.high, d.low); }
};

/// XXH3-128 of raw bytes.
Digest digest_bytes(std::string_view bytes);

template <class T>
Digest digest_of(const T& value) {
  Encoder out;
  encode(out, value);
  return digest_bytes(out.bytes());
}

/// 32 lower-case hexadecimal digits, high word first.
std::string hex(const Digest& digest);

struct DigestHash {
  std::size_t operator()(const Digest& d) const { return static_cast<std::size_t>(d.low); }
};

}  // namespace lockstep::sim
