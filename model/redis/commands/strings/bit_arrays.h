// bit_arrays.h: strings as arrays of bits, for SETBIT, BITFIELD and their kin. Bit 0 is the highest bit of
// the first byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/redis/call.h"

namespace lockstep::redis::commands {

inline constexpr std::int64_t byte_bits = 8;

/// The number of a bit. nullopt: no integer, negative, or in a byte that a string cannot have.
std::optional<std::uint64_t> parse_bit_offset(const Call& call, std::string_view word);
Reply bad_bit_offset();

/// Beyond the end are zeros.
bool bit_at(std::string_view bytes, std::uint64_t offset);
/// The bit must be there.
void set_bit(std::string& bytes, std::uint64_t offset, bool bit);

struct BitArray {
  String* text = nullptr;  // nullptr: the key holds another type
  bool grown = false;
};
/// The string under the key, made so long that it has this bit.
BitArray open_bits(Call& call, std::string_view key, std::uint64_t last_bit);

}  // namespace lockstep::redis::commands
