#include "model/redis/commands/sort_scores.h"

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

}  // namespace lockstep::redis::commands
