// pieces.h: a list that grows at its end, piece by piece.
//
// Nothing is moved and nothing doubled when it grows, so a search that counts what it holds knows what it
// will hold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace lockstep::sim {

template <class T>
class Pieces {
 public:
  Pieces() = default;
  Pieces(Pieces&& other) noexcept { swap(other); }
  Pieces& operator=(Pieces&& other) noexcept {
    Pieces taken(std::move(other));
    swap(taken);
    return *this;
  }

  void push_back(T value) {
    if (room_ == 0) add_room();
    *next_++ = std::move(value);
    --room_;
    ++size_;
  }

  T& operator[](std::size_t i) { return pieces_[i / length][i % length]; }
  const T& operator[](std::size_t i) const { return pieces_[i / length][i % length]; }
  T& back() { return next_[-1]; }
  const T& back() const { return next_[-1]; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// A piece is kept for what comes, unless values hold something.
  void clear() {
    const bool keeps = std::is_trivially_destructible_v<T> && dropped_ == 0;
    pieces_.resize(keeps ? std::min<std::size_t>(pieces_.size(), 1) : 0);
    dropped_ = 0;
    next_ = pieces_.empty() ? nullptr : pieces_.front().get();
    room_ = pieces_.empty() ? 0 : length;
    size_ = 0;
  }
  void swap(Pieces& other) noexcept {
    pieces_.swap(other.pieces_);
    std::swap(next_, other.next_);
    std::swap(room_, other.room_);
    std::swap(size_, other.size_);
    std::swap(dropped_, other.dropped_);
  }

  /// Told of each value in turn: those before it are not asked for any more. Their pieces are given back.
  void drop_before(std::size_t i) {
    if (i % length == 0 && i != 0) pieces_[dropped_++].reset();
  }

  std::uint64_t bytes() const { return (pieces_.size() - dropped_) * length * sizeof(T); }

 private:
  static constexpr std::size_t length = sizeof(T) <= 16 ? 4096 : 256;

  void add_room() {
    pieces_.push_back(std::make_unique_for_overwrite<T[]>(length));
    next_ = pieces_.back().get();
    room_ = length;
  }

  std::vector<std::unique_ptr<T[]>> pieces_;
  T* next_ = nullptr;  // where the next value belongs, in the last piece
  std::size_t room_ = 0, size_ = 0;
  std::size_t dropped_ = 0;  // the first so many pieces are gone
};

}  // namespace lockstep::sim
