#include "lua/sha1.h"

#include <array>
#include <bit>
#include <cstdint>

namespace lockstep::lua {
namespace {

using State = std::array<std::uint32_t, 5>;
constexpr std::size_t block_size = 64;

std::uint32_t byte_at(std::string_view bytes, std::size_t index) {
  return static_cast<unsigned char>(bytes[index]);
}

struct Round {
  std::uint32_t mix, constant;
};

Round round(int t, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if (t < 20) return {(b & c) | (~b & d), 0x5a827999};
  if (t < 40) return {b ^ c ^ d, 0x6ed9eba1};
  if (t < 60) return {(b & c) | (b & d) | (c & d), 0x8f1bbcdc};
  return {b ^ c ^ d, 0xca62c1d6};
}

void absorb(State& state, std::string_view block) {
  std::array<std::uint32_t, 80> w;
  for (std::size_t t = 0; t < 16; ++t) {
    w[t] = byte_at(block, 4 * t) << 24 | byte_at(block, 4 * t + 1) << 16 | byte_at(block, 4 * t + 2) << 8 |
           byte_at(block, 4 * t + 3);
  }
  for (std::size_t t = 16; t < 80; ++t) w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);

  auto [a, b, c, d, e] = state;
  for (int t = 0; t < 80; ++t) {
    const auto [mix, constant] = round(t, b, c, d);
    const std::uint32_t next = std::rotl(a, 5) + mix + e + constant + w[static_cast<std::size_t>(t)];
    e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

}  // namespace

std::string sha1_hex(std::string_view bytes) {
  State state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  std::string_view rest = bytes;
  for (; rest.size() >= block_size; rest.remove_prefix(block_size))
    absorb(state, rest.substr(0, block_size));

  // The message ends with a one bit, zeros up to a block's last eight bytes, and its length in bits.
  std::string tail(rest);
  tail += '\x80';
  while (tail.size() % block_size != block_size - 8) tail += '\0';
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) tail += static_cast<char>(bits >> shift & 0xff);
  for (std::size_t at = 0; at < tail.size(); at += block_size) {
    absorb(state, std::string_view(tail).substr(at, block_size));
  }

  std::string hex;
  for (const std::uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[word >> shift & 0xf];
  }
  return hex;
}

}  // namespace lockstep::lua
