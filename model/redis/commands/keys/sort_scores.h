// sort_scores.h: how SORT compares two elements: by their scores, which are numbers, or as text.
//
// Text is compared byte by byte, as strcoll does in the C locale; a NUL ends it unless the result is stored.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::redis::commands {

struct SortItem {
  std::string element;
  std::optional<std::string> weight;  // what is compared; nothing counts as 0, or comes before all text
  double score = 0;                   // its number, if numbers are compared
};

struct SortOrder {
  bool descending = false, text = false, stored = false;
};

/// Reads the weight as strtod reads a whole word: "" is 0, and blanks may stand in front. Returns false if it
/// is no number.
bool read_score(SortItem& item);

/// Sorts all of them. Of equal ones the earlier stays the earlier, as with the merge sort of the C library.
void sort_items(std::vector<SortItem>& items, const SortOrder& order);

/// Sorts so far that the places first … last have what they would have if all were sorted; what is equal lies
/// as Redis's own partial quicksort leaves it (pqsort.c).
void sort_part(std::vector<SortItem>& items, const SortOrder& order, std::size_t first, std::size_t last);

}  // namespace lockstep::redis::commands
