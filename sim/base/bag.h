// bag.h: values without an order, some of them equal perhaps.
//
// Kept sorted, so that equal bags are equal values: by `<` where the type has it, by the canonical encoding
// otherwise. Elements are read only; what changes one takes it out and puts it back.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/encode.h"
#include "sim/base/passing.h"
#include "sim/base/rename.h"

namespace lockstep::sim {

template <class T>
class Bag {
 public:
  Bag() = default;
  explicit Bag(std::vector<T> values) : sorted_(std::move(values)) { sort(); }

  void insert(T value) {
    const auto at = std::upper_bound(sorted_.begin(), sorted_.end(), value, precedes);
    sorted_.insert(at, std::move(value));
  }
  /// Removes the element at this position and returns it.
  T take(std::size_t position) {
    T taken = std::move(sorted_[position]);
    sorted_.erase(sorted_.begin() + static_cast<std::ptrdiff_t>(position));
    return taken;
  }
  template <class Unwanted>
  std::size_t erase_if(Unwanted unwanted) { return std::erase_if(sorted_, unwanted); }
  void clear() { sorted_.clear(); }

  const T& operator[](std::size_t position) const { return sorted_[position]; }
  std::size_t size() const { return sorted_.size(); }
  bool empty() const { return sorted_.empty(); }
  auto begin() const { return sorted_.cbegin(); }
  auto end() const { return sorted_.cend(); }

  void pass(const Passed& passed) {
    sim::pass(sorted_, passed);
    sort();
  }
  bool counts_down() const { return sim::counts_down(sorted_); }
  void renamed() { sort(); }

  bool operator==(const Bag&) const = default;
  static auto fields(auto& b) { return std::tie(b.sorted_); }

 private:
  static bool precedes(const T& a, const T& b) {
    if constexpr (std::totally_ordered<T>) return a < b;
    else return encoded(a) < encoded(b);
  }
  static std::string encoded(const T& value) {
    Encoder out;
    encode(out, value);
    return std::string(out.bytes());
  }
  void sort() { std::sort(sorted_.begin(), sorted_.end(), precedes); }

  std::vector<T> sorted_;
};

}  // namespace lockstep::sim
