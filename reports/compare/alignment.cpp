#include "reports/compare/alignment.h"

#include <algorithm>

namespace lockstep::reports {

namespace {

using Items = std::vector<std::size_t>;
using Place = std::ptrdiff_t;

/// What lies between the common ends of both lists.
struct Middle {
  std::size_t begin = 0, a_end = 0, b_end = 0;
};

Middle middle_of(const Items& a, const Items& b) {
  Middle middle{0, a.size(), b.size()};
  while (middle.begin < std::min(a.size(), b.size()) && a[middle.begin] == b[middle.begin]) ++middle.begin;
  while (middle.a_end > middle.begin && middle.b_end > middle.begin &&
         a[middle.a_end - 1] == b[middle.b_end - 1]) {
    --middle.a_end;
    --middle.b_end;
  }
  return middle;
}

/// How far down each diagonal one comes with a number of edits; diagonal k lies at k + edits.
using Reach = std::vector<Place>;

/// Whether the way to diagonal k comes from above, by an item of b alone.
bool from_above(const Reach& before, Place k, Place edits) {
  const Place at = k + edits - 1;  // of diagonal k in `before`, which has two diagonals less
  if (k == -edits) return true;
  return k != edits && before[static_cast<std::size_t>(at - 1)] < before[static_cast<std::size_t>(at + 1)];
}

Place start_of(const Reach& before, Place k, Place edits) {
  const bool above = from_above(before, k, edits);
  const Place from = (above ? k + 1 : k - 1) + edits - 1;
  return before[static_cast<std::size_t>(from)] + (above ? 0 : 1);
}

/// The reaches for 0, 1, 2 … edits until both middles are used up; nothing if that takes more than allowed.
std::optional<std::vector<Reach>> reaches(const Items& a, const Items& b, const Middle& middle,
                                          std::size_t edits_max) {
  const auto a_count = static_cast<Place>(middle.a_end - middle.begin);
  const auto b_count = static_cast<Place>(middle.b_end - middle.begin);
  std::vector<Reach> all;
  for (Place edits = 0; edits <= static_cast<Place>(edits_max); ++edits) {
    Reach reach(static_cast<std::size_t>(2 * edits + 1));
    for (Place k = -edits; k <= edits; k += 2) {
      Place x = edits == 0 ? 0 : start_of(all.back(), k, edits);
      const auto equal = [&](Place one, Place other) {
        return a[middle.begin + static_cast<std::size_t>(one)] ==
               b[middle.begin + static_cast<std::size_t>(other)];
      };
      while (x < a_count && x - k < b_count && x - k >= 0 && equal(x, x - k)) ++x;
      reach[static_cast<std::size_t>(k + edits)] = x;
      if (x >= a_count && x - k >= b_count) {
        all.push_back(std::move(reach));
        return all;
      }
    }
    all.push_back(std::move(reach));
  }
  return std::nullopt;
}

/// The rows of the middle, found backwards from its end.
std::vector<AlignedRow> way_back(const std::vector<Reach>& all, const Middle& middle) {
  std::vector<AlignedRow> rows;
  auto x = static_cast<Place>(middle.a_end - middle.begin),
       y = static_cast<Place>(middle.b_end - middle.begin);
  const auto place = [&](Place at) { return middle.begin + static_cast<std::size_t>(at); };
  for (auto edits = static_cast<Place>(all.size()) - 1; edits >= 0; --edits) {
    const Place k = x - y;
    const Place start = edits == 0 ? 0 : start_of(all[static_cast<std::size_t>(edits - 1)], k, edits);
    for (; x > start; --x, --y) rows.push_back({place(x - 1), place(y - 1)});
    if (edits == 0) break;
    if (from_above(all[static_cast<std::size_t>(edits - 1)], k, edits)) rows.push_back({{}, place(--y)});
    else rows.push_back({place(--x), {}});
  }
  std::reverse(rows.begin(), rows.end());
  return rows;
}

}  // namespace

Alignment align(const Items& a, const Items& b, std::size_t edits_max) {
  const Middle middle = middle_of(a, b);
  Alignment aligned;
  for (std::size_t i = 0; i < middle.begin; ++i) aligned.rows.push_back({i, i});
  if (const auto all = reaches(a, b, middle, edits_max)) {
    for (const AlignedRow& row : way_back(*all, middle)) aligned.rows.push_back(row);
  } else {
    aligned.whole = false;
    for (std::size_t i = middle.begin; i < middle.a_end; ++i) aligned.rows.push_back({i, {}});
    for (std::size_t i = middle.begin; i < middle.b_end; ++i) aligned.rows.push_back({{}, i});
  }
  for (std::size_t i = 0; middle.a_end + i < a.size(); ++i)
    aligned.rows.push_back({middle.a_end + i, middle.b_end + i});
  return aligned;
}

}  // namespace lockstep::reports
