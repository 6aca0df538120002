// sequence.h: elements in an order, like a vector, of which many cost little to change at either end or in
// the middle.
//
// A few elements lie in one block and cost what a vector costs. More lie in several blocks of at most
// `block_max`, so that an insertion moves no more than those of one block, and finding a place by its number
// takes a look at each block. How the elements are divided is nobody's business: sequences with the same
// elements are equal, and are encoded as vectors are.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/encode.h"
#include "sim/base/parts.h"

namespace lockstep::redis {

template <class T>
class Sequence {
 public:
  using value_type = T;
  static constexpr std::size_t block_max = 512;

  /// Of random access, but a step of more than one takes a look at the blocks. A change ends all of them.
  template <bool is_const>
  class Iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = std::conditional_t<is_const, const T*, T*>;
    using reference = std::conditional_t<is_const, const T&, T&>;
    using Owner = std::conditional_t<is_const, const Sequence, Sequence>;

    Iterator() = default;
    Iterator(Owner* owner, std::size_t place) : owner_(owner), place_(place) { find(); }
    operator Iterator<true>() const { return {owner_, place_}; }  // NOLINT: as of any container

    reference operator*() const { return *at_; }
    pointer operator->() const { return at_; }
    reference operator[](difference_type n) const { return *(*this + n); }
    std::size_t place() const { return place_; }

    Iterator& operator++() {
      ++place_;
      if (++at_ == end_) find();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    Iterator& operator--() { return *this += -1; }
    Iterator operator--(int) {
      Iterator before = *this;
      --*this;
      return before;
    }
    Iterator& operator+=(difference_type n) {
      place_ = static_cast<std::size_t>(static_cast<difference_type>(place_) + n);
      const bool stays = n >= 0 ? n < end_ - at_ : -n <= at_ - begin_;
      if (stays) at_ += n;
      else find();
      return *this;
    }
    Iterator& operator-=(difference_type n) { return *this += -n; }
    friend Iterator operator+(Iterator it, difference_type n) { return it += n; }
    friend Iterator operator+(difference_type n, Iterator it) { return it += n; }
    friend Iterator operator-(Iterator it, difference_type n) { return it -= n; }
    friend difference_type operator-(const Iterator& a, const Iterator& b) {
      return static_cast<difference_type>(a.place_) - static_cast<difference_type>(b.place_);
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.place_ == b.place_; }
    friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.place_ <=> b.place_; }

   private:
    void find() {
      const auto [block, offset] = owner_->locate(place_);
      auto& all = owner_->block(block);
      begin_ = all.data();
      end_ = begin_ + all.size();
      at_ = begin_ + offset;
    }

    Owner* owner_ = nullptr;
    std::size_t place_ = 0;
    pointer at_ = nullptr, begin_ = nullptr, end_ = nullptr;  // of its block
  };
  using iterator = Iterator<false>;
  using const_iterator = Iterator<true>;

  Sequence() = default;
  Sequence(std::vector<T> all) : Sequence(all.begin(), all.end(), Moving{}) {}  // NOLINT: a vector is one
  template <class It>
  Sequence(It first, It last) {
    for (; first != last; ++first) emplace(end(), *first);
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  iterator begin() { return {this, 0}; }
  iterator end() { return {this, size_}; }
  const_iterator begin() const { return {this, 0}; }
  const_iterator end() const { return {this, size_}; }
  T& operator[](std::size_t place) {
    const auto [number, offset] = locate(place);
    return block(number)[offset];
  }
  const T& operator[](std::size_t place) const {
    const auto [number, offset] = locate(place);
    return block(number)[offset];
  }
  const T& front() const { return first_.front(); }
  const T& back() const { return block(more_.size()).back(); }

  /// The first place whose element is not `before` it, if all that are come before all that are not.
  template <class Before>
  std::size_t place_after(Before before) const {
    std::size_t number = 0, behind = more_.size(), place = 0;
    while (number < behind) {
      const std::size_t middle = (number + behind) / 2;
      if (before(block(middle).back())) number = middle + 1;
      else behind = middle;
    }
    for (std::size_t i = 0; i < number; ++i) place += block(i).size();
    const auto& all = block(number);
    return place +
           static_cast<std::size_t>(std::partition_point(all.begin(), all.end(), before) - all.begin());
  }

  void push_back(T element) { emplace(end(), std::move(element)); }
  template <class It>
  void insert(It at, T element) {
    emplace(at, std::move(element));
  }
  template <class It, class... Args>
  void emplace(It at, Args&&... args) {
    auto [number, offset] = locate(at.place());
    if (block(number).size() == block_max) std::tie(number, offset) = divide(number, offset);
    auto& all = block(number);
    all.emplace(all.begin() + static_cast<std::ptrdiff_t>(offset), std::forward<Args>(args)...);
    ++size_;
  }

  template <class It>
  void erase(It at) {
    erase(at, at + 1);
  }
  template <class It>
  void erase(It first, It last) {
    std::size_t left = static_cast<std::size_t>(last - first);
    while (left > 0) {
      const auto [number, offset] = locate(first.place());
      auto& all = block(number);
      const std::size_t here = std::min(left, all.size() - offset);
      const auto from = all.begin() + static_cast<std::ptrdiff_t>(offset);
      all.erase(from, from + static_cast<std::ptrdiff_t>(here));
      left -= here, size_ -= here;
      unite(number);
    }
  }
  void clear() { *this = Sequence(); }
  void swap(Sequence& other) noexcept { std::swap(*this, other); }

  friend bool operator==(const Sequence& a, const Sequence& b) {
    return a.size_ == b.size_ && std::equal(a.begin(), a.end(), b.begin());
  }
  friend void encode(sim::Encoder& out, const Sequence& all) { sim::detail::encode_each(out, all); }

 private:
  struct Moving {};
  template <class It>
  Sequence(It first, It last, Moving) {
    for (; first != last; ++first) emplace(end(), std::move(*first));
  }

  struct Location {
    std::size_t block, offset;
  };

  std::vector<T>& block(std::size_t number) { return number == 0 ? first_ : more_[number - 1]; }
  const std::vector<T>& block(std::size_t number) const { return number == 0 ? first_ : more_[number - 1]; }

  /// Of the end: behind the last element of the last block.
  Location locate(std::size_t place) const {
    if (place < first_.size() || more_.empty()) return {0, place};
    if (place == size_) return {more_.size(), more_.back().size()};
    place -= first_.size();
    std::size_t number = 0;
    for (; place >= more_[number].size(); ++number) place -= more_[number].size();
    return {number + 1, place};
  }

  /// Makes room in a full block; where the place in it is now. What grows at an end keeps its blocks full.
  std::pair<std::size_t, std::size_t> divide(std::size_t number, std::size_t offset) {
    const bool at_end = number == more_.size() && offset == block_max;
    const bool at_front = number == 0 && offset == 0;
    const std::size_t kept = at_end ? block_max : at_front ? 0 : block_max / 2;
    auto& all = block(number);
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(kept);
    std::vector<T> behind(std::make_move_iterator(from), std::make_move_iterator(all.end()));
    all.erase(from, all.end());
    more_.insert(more_.begin() + static_cast<std::ptrdiff_t>(number), std::move(behind));
    if (offset <= kept && !at_end) return {number, offset};
    return {number + 1, offset - kept};
  }

  /// After something of this block has gone: no block is empty but that of an empty sequence, and small
  /// neighbours become one.
  void unite(std::size_t number) {
    if (number == more_.size() && number > 0) --number;
    if (number == more_.size()) return;
    auto &all = block(number), &next = more_[number];
    if (!all.empty() && !next.empty() && all.size() + next.size() > block_max / 2) return;
    all.insert(all.end(), std::make_move_iterator(next.begin()), std::make_move_iterator(next.end()));
    more_.erase(more_.begin() + static_cast<std::ptrdiff_t>(number));
  }

  std::vector<T> first_;
  std::vector<std::vector<T>> more_;
  std::size_t size_ = 0;
};

}  // namespace lockstep::redis

template <class T>
inline constexpr bool lockstep::sim::detail::is_sequence<lockstep::redis::Sequence<T>> = true;
