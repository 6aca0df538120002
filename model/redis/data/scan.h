// scan.h: one step of SCAN and its kin through elements that are kept by name.
//
// The cursor is Redis's own (dict.c, dictScan): it walks the buckets of a hash table whose size is a power of
// two, with the bits of the bucket's number counted from the highest. So the promise holds although nothing
// is remembered between two calls: an element that is there from the first call to the last is returned,
// even if the table grows or shrinks meanwhile; one may be returned twice. The table here is that of a hash
// of the names which is the same in every run, where Redis seeds its own anew in each server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::redis {

struct ScanStep {
  std::vector<std::size_t> places;  // of the names that this step returns
  std::uint64_t cursor = 0;         // where the next one begins; 0: all were seen
};

/// `wanted` is COUNT: the step ends with the bucket that makes it so many, or after ten times as many
/// buckets.
ScanStep scan_step(std::span<const std::string_view> names, std::uint64_t cursor, std::uint64_t wanted);

}  // namespace lockstep::redis
