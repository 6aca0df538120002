// pieces.h: a list that grows at its end, piece by piece.
//
// Nothing is moved and nothing doubled when it grows, so a search that counts what it holds knows what it
// will hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace lockstep::sim {

template <class T>
class Pieces {
 public:
  void push_back(T value) {
    if (size_ == pieces_.size() * length) pieces_.push_back(std::make_unique<T[]>(length));
    (*this)[size_++] = std::move(value);
  }

  T& operator[](std::size_t i) { return pieces_[i / length][i % length]; }
  const T& operator[](std::size_t i) const { return pieces_[i / length][i % length]; }
  const T& back() const { return (*this)[size_ - 1]; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void clear() {
    pieces_.clear();
    size_ = 0;
  }
  void swap(Pieces& other) noexcept {
    pieces_.swap(other.pieces_);
    std::swap(size_, other.size_);
  }

  std::uint64_t bytes() const { return pieces_.size() * length * sizeof(T); }

 private:
  static constexpr std::size_t length = sizeof(T) <= 16 ? 4096 : 256;

  std::vector<std::unique_ptr<T[]>> pieces_;
  std::size_t size_ = 0;
};

}  // namespace lockstep::sim
