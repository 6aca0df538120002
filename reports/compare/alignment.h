// alignment.h: two lists of numbers beside each other, so that as much as possible of what is equal stands in
// one row.
//
// The rows are those of a shortest edit script (E. W. Myers, An O(ND) difference algorithm, 1986): each row
// is an item of both, of the first alone, or of the second alone, in the order of both lists. Lists that
// differ in more than `edits_max` items are aligned at their common ends only, and what lies between stands
// first of the one, then of the other; `whole` says whether that was needed.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace lockstep::reports {

struct AlignedRow {
  std::optional<std::size_t> a, b;  // places in the lists; at least one is there
  bool operator==(const AlignedRow&) const = default;
};

struct Alignment {
  std::vector<AlignedRow> rows;
  bool whole = true;  // a shortest one
};

Alignment align(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b,
                std::size_t edits_max = 2'000);

}  // namespace lockstep::reports
