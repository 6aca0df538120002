// BITFIELD and BITFIELD_RO: integers of any width inside a string (bitops.c, bitfieldGeneric).
#include <limits>

#include "model/redis/arguments.h"
#include "model/redis/commands/strings/bit_arrays.h"
#include "model/redis/commands/handlers.h"
#include "model/redis/errors.h"

namespace lockstep::redis::commands {

namespace {

enum class Kind : std::uint8_t { get, set, increment };
enum class Overflow : std::uint8_t { wrap, saturate, fail };
enum class BitAccess : std::uint8_t { read_write, read_only };

struct Field {
  bool has_sign = false;
  unsigned bits = 0;
  std::uint64_t offset = 0;

  std::int64_t most() const {
    const unsigned digits = has_sign ? bits - 1 : bits;
    return digits == 63 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << digits) - 1;
  }
  std::int64_t least() const { return has_sign ? -most() - 1 : 0; }

  /// The number that the lowest bits make.
  std::int64_t wrapped(std::uint64_t value) const {
    if (bits == 64) return static_cast<std::int64_t>(value);
    const std::uint64_t above = ~std::uint64_t{0} << bits;
    const bool negative = has_sign && (value >> (bits - 1) & 1) != 0;
    return static_cast<std::int64_t>(negative ? value | above : value & ~above);
  }
};

struct Step {
  Kind kind;
  Overflow overflow;
  Field field;
  std::int64_t operand = 0;
};

bool parse_type(std::string_view word, Field& field) {
  if (word.empty() || (word[0] != 'i' && word[0] != 'u')) return false;
  field.has_sign = word[0] == 'i';
  const auto bits = parse_integer(word.substr(1));
  if (!bits || *bits < 1 || *bits > (field.has_sign ? 64 : 63)) return false;
  field.bits = static_cast<unsigned>(*bits);
  return true;
}

/// An offset in bits, or behind a '#' in widths of the field.
std::optional<std::uint64_t> parse_offset(const Call& call, std::string_view word, unsigned bits) {
  if (word.empty() || word[0] != '#') return parse_bit_offset(call, word);
  const auto given = parse_integer(word.substr(1));
  if (!given) return std::nullopt;
  const auto product = static_cast<std::int64_t>(static_cast<std::uint64_t>(*given) * bits);
  return parse_bit_offset(call, std::to_string(product));
}

std::optional<Overflow> parse_overflow(std::string_view word) {
  if (is_option(word, "wrap")) return Overflow::wrap;
  if (is_option(word, "sat")) return Overflow::saturate;
  if (is_option(word, "fail")) return Overflow::fail;
  return std::nullopt;
}

/// GET has two words behind it, SET and INCRBY three.
std::optional<Kind> parse_kind(std::string_view word, std::size_t left) {
  if (is_option(word, "get") && left >= 2) return Kind::get;
  if (is_option(word, "set") && left >= 3) return Kind::set;
  if (is_option(word, "incrby") && left >= 3) return Kind::increment;
  return std::nullopt;
}

/// Returns an error reply, or Nil if all is well.
Reply parse_steps(const Call& call, Words words, std::vector<Step>& steps) {
  Overflow overflow = Overflow::wrap;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::size_t left = words.size() - i - 1;
    if (is_option(words[i], "overflow") && left >= 1) {
      const auto given = parse_overflow(words[++i]);
      if (!given) return Error{"ERR Invalid OVERFLOW type specified"};
      overflow = *given;
      continue;
    }
    const auto kind = parse_kind(words[i], left);
    if (!kind) return errors::syntax();
    Step step{*kind, overflow, {}, 0};
    if (!parse_type(words[i + 1], step.field)) {
      return Error{
          "ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is."};
    }
    const auto offset = parse_offset(call, words[i + 2], step.field.bits);
    if (!offset) return bad_bit_offset();
    step.field.offset = *offset;
    if (*kind != Kind::get) {
      const auto operand = parse_integer(words[i + 3]);
      if (!operand) return errors::not_an_integer();
      step.operand = *operand;
    }
    steps.push_back(step);
    i += *kind == Kind::get ? 2 : 3;
  }
  return Nil{};
}

std::int64_t read(std::string_view bytes, const Field& field) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < field.bits; ++i) value = value << 1 | (bit_at(bytes, field.offset + i) ? 1U : 0U);
  return field.wrapped(value);
}

void write_field(std::string& bytes, const Field& field, std::int64_t value) {
  for (unsigned i = 0; i < field.bits; ++i) {
    const bool bit = (static_cast<std::uint64_t>(value) >> (field.bits - 1 - i) & 1) != 0;
    set_bit(bytes, field.offset + i, bit);
  }
}

enum class Beyond : std::uint8_t { nothing, most, least };

/// What SET or INCRBY stores; nullopt: it does not fit and the step is to fail.
std::optional<std::int64_t> stored_value(const Step& step, std::int64_t old) {
  const Field& field = step.field;
  const std::int64_t base = step.kind == Kind::increment ? old : 0;
  std::int64_t sum = 0;
  Beyond beyond = Beyond::nothing;
  if (__builtin_add_overflow(base, step.operand, &sum)) {
    beyond = step.operand > 0 ? Beyond::most : Beyond::least;
  } else if (sum > field.most()) {
    beyond = Beyond::most;
  } else if (sum < field.least()) {
    beyond = Beyond::least;
    // A negative number that is SET without a sign is a large one, and one so low that its distance to the
    // upper limit does not fit into 64 bits counts as too large (checkSignedBitfieldOverflow).
    std::int64_t distance = 0;
    const bool too_far = __builtin_sub_overflow(field.most(), step.operand, &distance);
    if (step.kind == Kind::set && (!field.has_sign || too_far)) beyond = Beyond::most;
  }
  if (beyond == Beyond::nothing) return sum;
  if (step.overflow == Overflow::fail) return std::nullopt;
  if (step.overflow == Overflow::saturate) return beyond == Beyond::most ? field.most() : field.least();
  return field.wrapped(static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(step.operand));
}

Reply read_only_steps(Call& call, Words words, const std::vector<Step>& steps) {
  String* text = nullptr;
  if (!call.find(words[1], text)) return errors::wrong_type();
  if (!text) call.missed(words[1]);
  Reply::Array results;
  for (const Step& step : steps) results.emplace_back(text ? read(text->bytes, step.field) : 0);
  return results;
}

Reply writing_steps(Call& call, Words words, const std::vector<Step>& steps, std::uint64_t last_bit) {
  const BitArray bits = open_bits(call, words[1], last_bit);
  if (!bits.text) return errors::wrong_type();
  Reply::Array results;
  bool changed = false;
  for (const Step& step : steps) {
    const std::int64_t old = read(bits.text->bytes, step.field);
    if (step.kind == Kind::get) {
      results.emplace_back(old);
    } else if (const auto value = stored_value(step, old)) {
      write_field(bits.text->bytes, step.field, *value);
      changed = changed || bits.grown || *value != old;
      results.emplace_back(step.kind == Kind::set ? old : *value);
    } else {
      results.emplace_back(Nil{});
    }
  }
  if (changed) call.replicate(words);
  return results;
}

Reply bitfield_generic(Call& call, Words words, BitAccess access) {
  std::vector<Step> steps;
  if (Reply problem = parse_steps(call, words, steps); !problem.is_nil()) return problem;
  bool writes = false;
  std::uint64_t last_bit = 0;
  for (const Step& step : steps) {
    if (step.kind == Kind::get) continue;
    writes = true;
    last_bit = std::max(last_bit, step.field.offset + step.field.bits - 1);
  }
  if (!writes) return read_only_steps(call, words, steps);
  if (access == BitAccess::read_only) return Error{"ERR BITFIELD_RO only supports the GET subcommand"};
  return writing_steps(call, words, steps, last_bit);
}

}  // namespace

Reply bitfield(Call& call, Words words) { return bitfield_generic(call, words, BitAccess::read_write); }
Reply bitfield_ro(Call& call, Words words) { return bitfield_generic(call, words, BitAccess::read_only); }

}  // namespace lockstep::redis::commands
