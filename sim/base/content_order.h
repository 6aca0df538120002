// content_order.h: puts values whose order means nothing into the order of their encodings.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/encode.h"

namespace lockstep::sim {

template <class T>
void sort_by_content(std::vector<T>& values) {
  if (values.size() < 2) return;
  std::vector<std::pair<std::string, T>> rows;
  for (T& value : values) {
    Encoder content;
    encode(content, value);
    rows.emplace_back(content.bytes(), std::move(value));
  }
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < rows.size(); ++i) values[i] = std::move(rows[i].second);
}

}  // namespace lockstep::sim
