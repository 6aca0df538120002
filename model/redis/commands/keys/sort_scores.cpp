#include "model/redis/commands/keys/sort_scores.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace lockstep::redis::commands {

namespace {

std::string_view until_nul(std::string_view text) { return text.substr(0, text.find('\0')); }

int compare(const SortItem& a, const SortItem& b, const SortOrder& order) {
  if (!order.text) {
    if (a.score != b.score) return a.score < b.score ? -1 : 1;
    return a.element.compare(b.element);
  }
  if (!a.weight || !b.weight) {
    return static_cast<int>(a.weight.has_value()) - static_cast<int>(b.weight.has_value());
  }
  return order.stored ? a.weight->compare(*b.weight) : until_nul(*a.weight).compare(until_nul(*b.weight));
}

/// Quicksort as Bentley and McIlroy engineered it ("Engineering a Sort Function", 1993), where parts that
/// are not asked for stay unsorted. Each step is theirs, because the places of equal items show it.
class PartialSort {
 public:
  PartialSort(std::vector<SortItem>& items, const SortOrder& order, std::size_t first, std::size_t last)
      : items_(items), order_(order), first_(first), last_(last) {}

  void sort(std::size_t begin, std::size_t size) {
    if (size < few) return insert_one_by_one(begin, size);
    std::swap(items_[begin], items_[median(begin, size)]);
    const std::size_t end = begin + size;
    const Partition parts = partition(begin, size);
    // What equals the pivot was gathered at both ends; now it goes between the less and the greater.
    const std::size_t less = parts.greater - parts.less, greater = parts.equal - parts.greater;
    swap_ranges(begin, parts.greater, std::min(parts.less - begin, less));
    swap_ranges(parts.greater, end, std::min(greater, end - parts.equal));
    if (less > 1 && wanted(begin, less)) sort(begin, less);
    if (greater > 1 && wanted(end - greater, greater)) sort(end - greater, greater);
  }

 private:
  static constexpr std::size_t few = 7, many = 40;

  /// Where the parts equal, less, greater, equal begin; the first one at the pivot.
  struct Partition {
    std::size_t less, greater, equal;
  };

  int compare_at(std::size_t a, std::size_t b) const {
    const int result = compare(items_[a], items_[b], order_);
    return order_.descending ? -result : result;
  }
  bool wanted(std::size_t begin, std::size_t size) const { return first_ < begin + size && last_ >= begin; }

  void insert_one_by_one(std::size_t begin, std::size_t size) {
    for (std::size_t i = begin + 1; i < begin + size; ++i) {
      for (std::size_t j = i; j > begin && compare_at(j - 1, j) > 0; --j) std::swap(items_[j], items_[j - 1]);
    }
  }

  std::size_t median_of(std::size_t a, std::size_t b, std::size_t c) const {
    if (compare_at(a, b) < 0) return compare_at(b, c) < 0 ? b : compare_at(a, c) < 0 ? c : a;
    return compare_at(b, c) > 0 ? b : compare_at(a, c) < 0 ? a : c;
  }

  std::size_t median(std::size_t begin, std::size_t size) const {
    std::size_t low = begin, middle = begin + size / 2, high = begin + size - 1;
    if (size == few) return middle;
    if (size > many) {
      const std::size_t step = size / 8;
      low = median_of(low, low + step, low + 2 * step);
      middle = median_of(middle - step, middle, middle + step);
      high = median_of(high - 2 * step, high - step, high);
    }
    return median_of(low, middle, high);
  }

  /// The pivot is at `begin`.
  Partition partition(std::size_t begin, std::size_t size) {
    std::size_t equal_end = begin + 1, low = begin + 1;           // low: the next from the left
    std::size_t high = begin + size, equal_begin = begin + size;  // high: behind the next from the right
    while (true) {
      for (int result = 0; low < high && (result = compare_at(low, begin)) <= 0; ++low) {
        if (result == 0) std::swap(items_[equal_end++], items_[low]);
      }
      for (int result = 0; low < high && (result = compare_at(high - 1, begin)) >= 0; --high) {
        if (result == 0) std::swap(items_[high - 1], items_[--equal_begin]);
      }
      if (low >= high) return {equal_end, low, equal_begin};
      std::swap(items_[low++], items_[--high]);
    }
  }

  /// Swaps so many items from `begin` on with those before `end`.
  void swap_ranges(std::size_t begin, std::size_t end, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) std::swap(items_[begin + i], items_[end - size + i]);
  }

  std::vector<SortItem>& items_;
  const SortOrder& order_;
  std::size_t first_, last_;
};

}  // namespace

bool read_score(SortItem& item) {
  if (!item.weight) return true;
  char* end = nullptr;
  errno = 0;
  item.score = std::strtod(item.weight->c_str(), &end);
  return *end == '\0' && errno != ERANGE && !std::isnan(item.score);
}

void sort_items(std::vector<SortItem>& items, const SortOrder& order) {
  std::stable_sort(items.begin(), items.end(), [&](const SortItem& a, const SortItem& b) {
    const int result = compare(a, b, order);
    return order.descending ? result > 0 : result < 0;
  });
}

void sort_part(std::vector<SortItem>& items, const SortOrder& order, std::size_t first, std::size_t last) {
  PartialSort(items, order, first, last).sort(0, items.size());
}

}  // namespace lockstep::redis::commands
