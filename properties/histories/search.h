// search.h: the search behind linearizable.h, over the calls of one lock.
//
// A piece is what takes effect at one moment: a call, or the taking of a place in a queue. Those that must
// take effect lie in a list by their beginnings and ends, as nodes; taking one lifts both its nodes out, and
// going back puts them in again. Whatever begins before the first end in the list may be next. Those that
// need not (calls without an end) lie beside it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "properties/histories/linearizable.h"
#include "sim/base/encode.h"
#include "sim/search/seen_set.h"

namespace lockstep::histories {

struct Piece {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  Call call;
  Answer answer;
  std::uint32_t begin = 0, end = none;  // events; without an end it need not take effect
  std::uint32_t spoilt_by = none;       // when this piece took effect, this one cannot any more
  std::size_t operation = 0;
};

/// By their beginnings.
using Pieces = std::vector<Piece>;

template <class Spec>
class Search {
 public:
  Search(const Pieces& pieces, const JudgeOptions& options)
      : pieces_(pieces), options_(options), taken_(pieces.size(), false) {
    for (std::uint32_t p = 0; p < pieces.size(); ++p) {
      (pieces[p].end == Piece::none ? optional_ : needed_).push_back(p);
    }
    lay_nodes();
  }

  /// Whether some order explains them all; then path() is one.
  Explained run() { return explored(); }
  /// In what states orders that explain them all may end, if this piece has not taken effect: the first few.
  const std::vector<Spec>& endings_without(std::uint32_t piece) {
    collects_ = true;
    left_out_ = piece;
    explored();
    return endings_;
  }

  std::vector<std::uint32_t> path() const {
    std::vector<std::uint32_t> pieces;
    for (const Frame& frame : frames_)
      if (frame.piece != Piece::none) pieces.push_back(frame.piece);
    return pieces;
  }
  std::uint64_t states() const { return seen_.size(); }
  const std::string& why() const { return why_; }
  /// Every event before this one was explained somewhere in the search.
  std::uint32_t furthest() const { return furthest_; }

 private:
  static constexpr std::size_t endings_max = 8;

  struct Node {
    std::uint32_t event, piece;
    bool is_end;
  };
  struct Frame {
    Spec state;
    std::uint32_t piece = Piece::none;     // by which it was reached
    std::size_t candidates = 0, next = 0;  // where its candidates begin, and the next one to try
    std::vector<Spec> states{};            // that the candidate before that leads to
  };

  void lay_nodes() {
    for (const std::uint32_t p : needed_) {
      nodes_.push_back({pieces_[p].begin, p, false});
      nodes_.push_back({pieces_[p].end, p, true});
    }
    std::sort(nodes_.begin(), nodes_.end(), [](const Node& one, const Node& other) {
      return std::pair{one.event, one.piece} < std::pair{other.event, other.piece};
    });
    const auto last = static_cast<std::uint32_t>(nodes_.size());  // stands for both ends of the list
    at_.resize(pieces_.size());
    for (std::uint32_t n = 0; n <= last; ++n) {
      after_.push_back(n == last ? 0 : n + 1);
      before_.push_back(n == 0 ? last : n - 1);
      if (n < last) (nodes_[n].is_end ? at_[nodes_[n].piece].second : at_[nodes_[n].piece].first) = n;
    }
  }

  std::uint32_t last() const { return static_cast<std::uint32_t>(nodes_.size()); }
  bool is_needed(std::uint32_t piece) const { return pieces_[piece].end != Piece::none; }

  void take(std::uint32_t piece) {
    taken_[piece] = true;
    if (!is_needed(piece)) return;
    for (const std::uint32_t node : {at_[piece].first, at_[piece].second}) {
      after_[before_[node]] = after_[node];
      before_[after_[node]] = before_[node];
    }
  }
  void give_back(std::uint32_t piece) {
    taken_[piece] = false;
    if (!is_needed(piece)) return;
    for (const std::uint32_t node : {at_[piece].second, at_[piece].first}) {
      after_[before_[node]] = node;
      before_[after_[node]] = node;
    }
  }

  bool is_spoilt(std::uint32_t piece) const {
    const std::uint32_t by = pieces_[piece].spoilt_by;
    return by != Piece::none && taken_[by];
  }

  /// The first piece in the list whose end stands there before any other; none if nothing is left.
  std::uint32_t first_end() const {
    std::uint32_t node = after_[last()];
    while (node != last() && !nodes_[node].is_end) node = after_[node];
    return node == last() ? Piece::none : nodes_[node].piece;
  }

  /// Enters a state; true if everything that must have happened has.
  bool enter(Spec state, std::uint32_t piece) {
    frames_.push_back({std::move(state), piece, candidates_.size(), candidates_.size()});
    const std::uint32_t blocked = first_end();
    if (blocked == Piece::none && !collects_) return true;
    if (blocked == Piece::none) note_ending();
    const std::uint32_t end = blocked == Piece::none ? Piece::none : pieces_[blocked].end;
    if (blocked != Piece::none) furthest_ = std::max(furthest_, end);
    for (std::uint32_t n = after_[last()]; n != last() && nodes_[n].event < end; n = after_[n])
      if (!is_spoilt(nodes_[n].piece)) candidates_.push_back(nodes_[n].piece);
    for (const std::uint32_t p : optional_) {
      if (pieces_[p].begin >= end) break;
      if (!taken_[p] && p != left_out_ && !is_spoilt(p)) candidates_.push_back(p);
    }
    return endings_.size() == endings_max;
  }

  void leave() {
    candidates_.resize(frames_.back().candidates);
    if (frames_.back().piece != Piece::none) give_back(frames_.back().piece);
    frames_.pop_back();
  }

  void note_ending() {
    const Spec& state = frames_.back().state;
    if (std::find(endings_.begin(), endings_.end(), state) == endings_.end()) endings_.push_back(state);
  }

  /// What was taken, and the state it led to. Of those that must be taken: how many from the first on, and
  /// which beyond.
  bool is_fresh(const Spec& state) {
    key_.clear();
    const std::uint32_t head = after_[last()];
    const std::uint32_t first = head == last() ? Piece::none : nodes_[head].piece;
    key_.number(first);
    const auto from = std::lower_bound(needed_.begin(), needed_.end(), first);
    const auto beyond = needed_taken_ - static_cast<std::size_t>(from - needed_.begin());
    key_.number(beyond);
    std::size_t found = 0;
    for (auto at = from; found < beyond; ++at)
      if (taken_[*at]) {
        key_.number(*at);
        ++found;
      }
    for (const std::uint32_t p : optional_)
      if (taken_[p] && !is_spoilt(p)) key_.number(p);
    key_.number(Piece::none);
    encode(key_, state);
    return seen_.insert(key_.bytes()).fresh;
  }

  /// Takes the next candidate of the last frame that leads to something new; false if there is none.
  bool advance(bool& done) {
    for (;;) {
      Frame& frame = frames_.back();
      if (frame.states.empty()) {
        if (frame.next == candidates_.size()) return false;
        const Piece& piece = pieces_[candidates_[frame.next++]];
        frame.states = frame.state.step(piece.call, piece.answer);
        continue;
      }
      const std::uint32_t piece = candidates_[frame.next - 1];
      Spec state = std::move(frame.states.back());
      frame.states.pop_back();
      take(piece);
      needed_taken_ += is_needed(piece);
      if (is_fresh(state)) {
        done = enter(std::move(state), piece);
        return true;
      }
      needed_taken_ -= is_needed(piece);
      give_back(piece);
    }
  }

  Explained explored() {
    if (enter(Spec{}, Piece::none)) return Explained::yes;
    bool done = false;
    for (std::uint64_t turn = 0; !frames_.empty(); ++turn) {
      if (seen_.size() > options_.states_max) {
        why_ = "there are more than " + std::to_string(options_.states_max) + " states to look at";
        return Explained::unknown;
      }
      if (turn % 1024 == 1023 && options_.stop && options_.stop()) {
        why_ = "the time was up";
        return Explained::unknown;
      }
      if (advance(done)) {
        if (done) return Explained::yes;
        continue;
      }
      const std::uint32_t piece = frames_.back().piece;
      needed_taken_ -= piece != Piece::none && is_needed(piece);
      leave();
    }
    return Explained::no;
  }

  const Pieces& pieces_;
  const JudgeOptions& options_;
  std::vector<std::uint32_t> needed_, optional_;  // by their beginnings
  std::vector<bool> taken_;
  std::size_t needed_taken_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> after_, before_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> at_;  // the nodes of a piece
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> candidates_;  // of all frames
  sim::Encoder key_;
  sim::EncodingSet seen_;
  std::string why_;
  bool collects_ = false;
  std::uint32_t left_out_ = Piece::none;
  std::uint32_t furthest_ = 0;
  std::vector<Spec> endings_;
};

}  // namespace lockstep::histories
