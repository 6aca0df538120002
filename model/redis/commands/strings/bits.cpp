// The commands that read a string as an array of bits: GETBIT, SETBIT, BITCOUNT, BITPOS, BITOP (bitops.c).
// Bit 0 is the highest of the first byte.
#include <bit>

#include "model/redis/arguments.h"
#include "model/redis/commands/strings/bit_arrays.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

std::optional<std::uint64_t> parse_bit_offset(const Call& call, std::string_view word) {
  const auto given = parse_integer(word);
  if (!given || *given < 0) return std::nullopt;
  const bool too_far = static_cast<std::uint64_t>(*given) / byte_bits >= string_bytes_max;
  if (too_far && call.source() != Call::Source::master) return std::nullopt;
  return static_cast<std::uint64_t>(*given);
}

Reply bad_bit_offset() { return Error{"ERR bit offset is not an integer or out of range"}; }

bool bit_at(std::string_view bytes, std::uint64_t offset) {
  const std::uint64_t byte = offset / byte_bits;
  return byte < bytes.size() &&
         (static_cast<unsigned char>(bytes[byte]) >> (7 - offset % byte_bits) & 1) != 0;
}

void set_bit(std::string& bytes, std::uint64_t offset, bool bit) {
  const auto mask = static_cast<unsigned char>(0x80U >> offset % byte_bits);
  char& byte = bytes[offset / byte_bits];
  const auto old = static_cast<unsigned char>(byte);
  byte = static_cast<char>(bit ? old | mask : old & ~mask);
}

BitArray open_bits(Call& call, std::string_view key, std::uint64_t last_bit) {
  String* const text = call.find_or_create<String>(key);
  if (!text) return {};
  const std::size_t needed = last_bit / byte_bits + 1;
  const bool grown = text->bytes.size() < needed;
  if (grown) text->bytes.resize(needed, '\0');
  text->form = Form::edited;
  return {text, grown};
}

Reply getbit(Call& call, Words words) {
  const auto offset = parse_bit_offset(call, words[2]);
  if (!offset) return bad_bit_offset();
  String* text = nullptr;
  if (!call.find(words[1], text)) return errors::wrong_type();
  return yes_no(text && bit_at(text->bytes, *offset));
}

Reply setbit(Call& call, Words words) {
  const auto offset = parse_bit_offset(call, words[2]);
  if (!offset) return bad_bit_offset();
  const auto given = parse_integer(words[3]);
  if (!given || (*given != 0 && *given != 1)) return Error{"ERR bit is not an integer or out of range"};
  const BitArray bits = open_bits(call, words[1], *offset);
  if (!bits.text) return errors::wrong_type();
  const bool old = bit_at(bits.text->bytes, *offset), wanted = *given == 1;
  set_bit(bits.text->bytes, *offset, wanted);
  if (bits.grown || old != wanted) call.replicate(words);
  return yes_no(old);
}

namespace {

/// A range of bits, the last one included; empty if first > last.
struct BitRange {
  std::int64_t first = 0, last = -1;
};

/// Reads BYTE or BIT, which say what a range counts. nullopt: neither.
std::optional<std::int64_t> parse_unit(std::string_view word) {
  if (is_option(word, "bit")) return 1;
  if (is_option(word, "byte")) return byte_bits;
  return std::nullopt;
}

/// Negative numbers count from the end of `size` bytes, in units of so many bits.
BitRange clamp_bits(std::int64_t first, std::int64_t last, std::size_t size, std::int64_t unit) {
  const std::int64_t units = static_cast<std::int64_t>(size) * byte_bits / unit;
  if (first < 0) first = std::max<std::int64_t>(first + units, 0);
  if (last < 0) last = std::max<std::int64_t>(last + units, 0);
  last = std::min(last, units - 1);
  return first > last ? BitRange{} : BitRange{first * unit, last * unit + unit - 1};
}

std::int64_t ones_in(std::string_view bytes, BitRange range) {
  std::int64_t ones = 0;
  for (std::int64_t i = range.first; i <= range.last;) {
    const auto at = static_cast<std::uint64_t>(i);
    if (at % byte_bits == 0 && range.last - i >= byte_bits - 1) {
      ones += std::popcount(static_cast<unsigned char>(bytes[at / byte_bits]));
      i += byte_bits;
    } else {
      ones += bit_at(bytes, at) ? 1 : 0;
      ++i;
    }
  }
  return ones;
}

/// The first such bit of the range, or -1.
std::int64_t first_of(std::string_view bytes, BitRange range, bool wanted) {
  const char no_hit = wanted ? '\0' : '\xff';
  for (std::int64_t i = range.first; i <= range.last;) {
    const auto at = static_cast<std::uint64_t>(i);
    if (at % byte_bits == 0 && bytes[at / byte_bits] == no_hit) {
      i += byte_bits;
    } else {
      if (bit_at(bytes, at) == wanted) return i;
      ++i;
    }
  }
  return -1;
}

}  // namespace

Reply bitcount(Call& call, Words words) {
  String* text = nullptr;
  if (!call.find(words[1], text)) return errors::wrong_type();
  if (!text) return count(0);
  const std::string& bytes = text->bytes;
  if (words.size() == 2) return ones_in(bytes, clamp_bits(0, -1, bytes.size(), byte_bits));
  if (words.size() == 3 || words.size() > 5) return errors::syntax();
  const auto first = parse_integer(words[2]), last = parse_integer(words[3]);
  if (!first || !last) return errors::not_an_integer();
  if (*first < 0 && *last < 0 && *first > *last) return count(0);
  const auto unit = words.size() == 5 ? parse_unit(words[4]) : std::optional<std::int64_t>(byte_bits);
  if (!unit) return errors::syntax();
  return ones_in(bytes, clamp_bits(*first, *last, bytes.size(), *unit));
}

Reply bitpos(Call& call, Words words) {
  const auto bit = parse_integer(words[2]);
  if (!bit) return errors::not_an_integer();
  if (*bit != 0 && *bit != 1) return Error{"ERR The bit argument must be 1 or 0."};
  String* text = nullptr;
  if (!call.find(words[1], text)) return errors::wrong_type();
  if (!text) return std::int64_t{*bit == 1 ? -1 : 0};  // an endless array of zeros
  if (words.size() > 6) return errors::syntax();
  std::optional<std::int64_t> first = 0, last = -1, unit = byte_bits;
  if (words.size() > 3) first = parse_integer(words[3]);
  if (!first) return errors::not_an_integer();
  if (words.size() > 5) unit = parse_unit(words[5]);
  if (!unit) return errors::syntax();
  const bool ends = words.size() > 4;
  if (ends) last = parse_integer(words[4]);
  if (!last) return errors::not_an_integer();
  const BitRange range = clamp_bits(*first, *last, text->bytes.size(), *unit);
  if (range.first > range.last) return std::int64_t{-1};
  const std::int64_t found = first_of(text->bytes, range, *bit == 1);
  // Without an end, zeros follow the string.
  return found < 0 && *bit == 0 && !ends ? range.last + 1 : found;
}

namespace {

enum class Operation : std::uint8_t { conjunction, disjunction, exclusion, negation };

std::optional<Operation> parse_operation(std::string_view word) {
  if (is_option(word, "and")) return Operation::conjunction;
  if (is_option(word, "or")) return Operation::disjunction;
  if (is_option(word, "xor")) return Operation::exclusion;
  if (is_option(word, "not")) return Operation::negation;
  return std::nullopt;
}

/// Shorter strings are followed by zeros.
void combine(std::string& result, std::string_view other, Operation operation) {
  for (std::size_t i = 0; i < result.size(); ++i) {
    const unsigned a = static_cast<unsigned char>(result[i]);
    const unsigned b = i < other.size() ? static_cast<unsigned char>(other[i]) : 0U;
    const unsigned both = operation == Operation::conjunction   ? a & b
                          : operation == Operation::disjunction ? a | b
                                                                : a ^ b;
    result[i] = static_cast<char>(both);
  }
}

}  // namespace

Reply bitop(Call& call, Words words) {
  const auto operation = parse_operation(words[1]);
  if (!operation) return errors::syntax();
  if (operation == Operation::negation && words.size() != 4) {
    return Error{"ERR BITOP NOT must be called with a single source key."};
  }
  std::vector<std::string> sources;
  std::size_t longest = 0;
  for (const std::string_view key : words.subspan(3)) {
    String* text = nullptr;
    if (!call.find(key, text)) return errors::wrong_type();
    if (!text) call.missed(key);
    sources.push_back(text ? text->bytes : std::string());
    longest = std::max(longest, sources.back().size());
  }
  if (longest == 0) {
    if (call.db().erase(words[2])) call.replicate(words);  // a dead key, too, goes by the BITOP
    return count(0);
  }
  call.entry(words[2]);  // a dead key's DEL goes ahead
  std::string result = sources[0];
  result.resize(longest, '\0');
  if (operation == Operation::negation) combine(result, std::string(longest, '\xff'), Operation::exclusion);
  for (std::size_t i = 1; i < sources.size(); ++i) combine(result, sources[i], *operation);
  call.overwrite(words[2], String{std::move(result), Form::edited});
  call.replicate(words);
  return count(longest);
}

}  // namespace lockstep::redis::commands
