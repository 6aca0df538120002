// edges.h: the moves of a search that are no faults, between states called by their numbers.
//
// What happens for ever, and what can never happen, are questions about this graph: a cycle without time
// (zeno.h), and states from which nothing leads to an end (dead_end.h). The adversary may do a thing or not,
// so its moves are no part of it.
//
// States are expanded in the order of their numbers, and get these in the order in which they are met. So
// most moves lead to the next number that nobody had, or some way back, and only how far is kept: one byte
// where it is the next one, two or three else, and about two for each state.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "sim/base/verify.h"
#include "sim/search/pieces.h"

namespace lockstep::sim {

class Edges {
 public:
  struct Edge {
    std::uint32_t to = 0;
    bool timeless = false;
    bool operator==(const Edge&) const = default;
  };

  /// Those of one state that are left, in the order in which they were given; until more are added.
  class OfState {
   public:
    OfState(const std::uint8_t* begin, const std::uint8_t* end, std::uint64_t next)
        : at_(begin), end_(end), next_(next) {}

    bool is_at_end() const { return at_ == end_; }
    Edge take() {
      std::uint64_t word = *at_++;
      if (word > byte_mask) {
        word &= byte_mask;
        for (unsigned bits = byte_bits;; bits += byte_bits) {
          const std::uint64_t byte = *at_++;
          word |= (byte & byte_mask) << bits;
          if (byte <= byte_mask) break;
        }
      }
      const std::uint64_t way = word >> 2;
      const std::uint64_t to = (word & back) != 0 ? next_ - way : next_ + way;
      next_ = std::max(next_, to + 1);
      return {static_cast<std::uint32_t>(to), (word & timeless) != 0};
    }

   private:
    const std::uint8_t *at_, *end_;
    std::uint64_t next_;  // the number that a state would get that is met here for the first time
  };

  /// `from` ascends: states are expanded in the order of their numbers.
  void add(std::uint32_t from, std::uint32_t to, bool is_timeless) {
    VERIFY(from + std::size_t{1} >= begins_.size());
    while (begins_.size() <= from) begin_state();
    if (written_ + bytes_max > latest_.size()) latest_.resize(2 * latest_.size());
    const bool is_back = to < next_;
    std::uint64_t word = (is_back ? next_ - to : to - next_) << 2;
    word |= (is_back ? back : 0) | (is_timeless ? timeless : 0);
    std::uint8_t* at = latest_.data() + written_;
    for (; word > byte_mask; word >>= byte_bits) *at++ = static_cast<std::uint8_t>(word | (byte_mask + 1));
    *at++ = static_cast<std::uint8_t>(word);
    written_ = static_cast<std::size_t>(at - latest_.data());
    next_ = std::max(next_, to + std::uint64_t{1});
    met_ = std::max(met_, next_);
    ++size_;
  }

  OfState of(std::uint32_t state) const {
    if (state >= begins_.size()) return {nullptr, nullptr, 0};
    const Block& its = blocks_[state / block];
    const bool is_latest = state / block + 1 == blocks_.size();
    const std::uint8_t* bytes = is_latest ? latest_.data() : its.bytes.get();
    const bool is_last = (state + 1) % block == 0 || state + 1 == begins_.size();
    const std::size_t end = !is_last ? begin_of(state + 1) : is_latest ? written_ : its.size;
    return {bytes + begin_of(state), bytes + end, its.met + state % block};
  }
  std::size_t size() const { return size_; }
  std::uint64_t bytes() const { return bytes_ + latest_.size() + begins_.bytes() + blocks_.bytes(); }

 private:
  // A move is a word, cut into bytes from the lowest bits on: its two flags, and how far it leads. All bytes
  // but the last have their highest bit set.
  static constexpr std::uint64_t timeless = 1, back = 2, byte_mask = 0x7f;
  static constexpr unsigned byte_bits = 7;
  static constexpr std::size_t bytes_max = 5;
  static constexpr std::size_t block = 64;
  static constexpr std::uint16_t far = 0xffff;

  /// So many states, one after the other: their bytes, and how many states had been met when they began.
  struct Block {
    std::unique_ptr<std::uint8_t[]> bytes;  // of the latest there are none
    std::size_t size = 0;
    std::uint64_t met = 0;
  };

  void begin_state() {
    const std::size_t state = begins_.size();
    if (state % block == 0) begin_block();
    // About as many states are met as are expanded.
    next_ = blocks_.back().met + state % block;
    if (written_ >= far) far_[state] = written_;
    begins_.push_back(written_ < far ? static_cast<std::uint16_t>(written_) : far);
  }

  void begin_block() {
    if (!blocks_.empty()) {
      Block& before = blocks_.back();
      before.bytes = std::make_unique<std::uint8_t[]>(written_);
      before.size = written_;
      std::copy_n(latest_.begin(), written_, before.bytes.get());
      bytes_ += written_;
    }
    written_ = 0;
    blocks_.push_back({nullptr, 0, met_});
  }

  /// In the bytes of its block.
  std::size_t begin_of(std::size_t state) const {
    const std::uint16_t offset = begins_[state];
    return offset == far ? far_.at(state) : offset;
  }

  Pieces<Block> blocks_;
  std::vector<std::uint8_t> latest_ = std::vector<std::uint8_t>(256);  // the bytes of the latest block
  std::size_t written_ = 0;                                            // of them
  Pieces<std::uint16_t> begins_;                                       // by state, in its block
  std::map<std::size_t, std::size_t> far_;  // where states begin that are too far from there
  std::size_t size_ = 0;
  std::uint64_t bytes_ = 0;  // of all blocks but the latest
  std::uint64_t next_ = 0;   // as OfState has it
  std::uint64_t met_ = 0;    // all lead to smaller numbers
};

/// The same where states are expanded in any order; at the end it is put in order.
class LooseEdges {
 public:
  /// All edges of one state are given one after the other.
  void add(std::uint32_t from, std::uint32_t to, bool timeless) {
    if (states_.empty() || states_.back().state != from) states_.push_back({from, to_.size()});
    to_.push_back(to);
    timeless_.push_back(timeless);
  }

  Edges in_order(std::size_t states) const {
    std::vector<std::size_t> place(states, states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i) place[states_[i].state] = i;
    Edges edges;
    for (std::uint32_t from = 0; from < states; ++from) {
      if (place[from] == states_.size()) continue;
      const std::size_t next = place[from] + 1;
      const std::size_t end = next == states_.size() ? to_.size() : states_[next].begin;
      for (std::size_t edge = states_[place[from]].begin; edge < end; ++edge)
        edges.add(from, to_[edge], timeless_[edge]);
    }
    return edges;
  }

  std::uint64_t bytes() const { return to_.bytes() + states_.bytes() + timeless_.capacity() / 8; }

 private:
  struct Begin {
    std::uint32_t state = 0;
    std::size_t begin = 0;
  };
  Pieces<std::uint32_t> to_;
  Pieces<Begin> states_;
  std::vector<bool> timeless_;
};

}  // namespace lockstep::sim
