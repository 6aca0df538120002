#include "model/redis/data/scan.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace lockstep::redis {

namespace {

constexpr unsigned cursor_bits = 64;
/// The smallest hash table of Redis has four buckets.
constexpr unsigned table_bits_min = 2;
constexpr std::uint64_t buckets_for_each_wanted = 10;

std::uint64_t reversed(std::uint64_t bits) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < cursor_bits; ++i) result |= (bits >> i & 1) << (cursor_bits - 1 - i);
  return result;
}

/// FNV-1a, and a last round that spreads it to the highest bits, which number the buckets.
std::uint64_t hash_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return (hash ^ hash >> 32) * 0x9e3779b97f4a7c15;
}

unsigned table_bits(std::size_t elements) {
  const auto needed = static_cast<unsigned>(std::bit_width(std::max<std::size_t>(elements, 1) - 1));
  return std::max(needed, table_bits_min);
}

}  // namespace

ScanStep scan_step(std::span<const std::string_view> names, std::uint64_t cursor, std::uint64_t wanted) {
  // Buckets are numbered here in the order in which they are visited: by the highest bits of the hash.
  const unsigned shift = cursor_bits - table_bits(names.size());
  const std::uint64_t buckets = std::uint64_t{1} << table_bits(names.size());
  const std::uint64_t start = reversed(cursor) >> shift;
  std::vector<std::pair<std::uint64_t, std::size_t>> ahead;  // bucket, place
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::uint64_t bucket = hash_of(names[i]) >> shift;
    if (bucket >= start) ahead.emplace_back(bucket, i);
  }
  std::sort(ahead.begin(), ahead.end());

  const bool to_the_end = wanted > buckets / buckets_for_each_wanted;
  const std::uint64_t limit =
      to_the_end ? buckets : std::min(buckets, start + wanted * buckets_for_each_wanted);
  ScanStep step;
  std::uint64_t next = start;
  auto at = ahead.begin();
  do {
    for (; at != ahead.end() && at->first == next; ++at) step.places.push_back(at->second);
    ++next;
  } while (next < limit && step.places.size() < wanted);
  step.cursor = next == buckets ? 0 : reversed(next << shift);
  return step;
}

}  // namespace lockstep::redis
