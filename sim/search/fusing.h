// fusing.h: which states a reduced search does not store, and where the paths through them end.
//
// What becomes of a state follows from that state alone, so it is remembered: of the paths through a state
// that many lead to, all is worked out once. It is fused if some of its moves are enough (reduction.h) and
// taking these again and again ends in states that are stored. If there are too many of these, or they are
// too far away, it is stored itself, and so is one from which that comes round: a state that is stored has
// all its moves, so nothing is put off for ever.
//
// Only normal forms are looked at. Within an instant there are many times as many states as these: requests
// that are sent in another order are called otherwise.
//
// One look may go through very many states. It asks now and then whether to go on; if not, it forgets
// everything, since it does not know what becomes of those that it was at.
//
// What is kept is forgotten as a whole when it grows too large: results do not depend on it, only time does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/verify.h"
#include "sim/search/dead_end.h"
#include "sim/search/seen_set.h"
#include "sim/search/taking.h"
#include "sim/system.h"

namespace lockstep::sim {

/// `enough_of` fills `places` with the ascending places of moves that are enough among all that `state` has;
/// with nothing if none can be left out. They pass no time, and one of them at least is not the adversary's.
template <class S>
concept ReducibleSystem =
    System<S> && requires(S& system, const typename S::State& state,
                          const std::vector<typename S::Move>& moves, std::vector<std::size_t>& places) {
      { system.enough_of(state, moves, places) } -> std::same_as<void>;
    };

template <ReducibleSystem S>
class Fusing {
 public:
  using State = typename S::State;
  using Move = typename S::Move;

  /// A state that is stored, by its number here, and whether the adversary moved on the way to it.
  struct End {
    std::uint32_t number = 0;
    bool faulty = false;
    /// The same, where that way begins with this move.
    End behind(const Move& move) const { return {number, faulty || move.is_fault()}; }
  };

  /// `system` must outlive it.
  explicit Fusing(S& system) : system_(system) {}

  /// The number of a state that one move leads to, in its normal form, until `forget_some`.
  /// Nothing if it was told to stop.
  std::optional<std::uint32_t> look(const State& state) {
    auto [number, is_new] = meet(state);
    while (depth_ > 0) {
      if (is_new && must_stop()) {
        depth_ = 0;
        forget();
        return std::nullopt;
      }
      Level& level = levels_[depth_ - 1];
      if (!is_new) add_next(level, number);
      if (level.fate == Fate::fused && level.at < level.next.size()) {
        std::tie(number, is_new) = meet(level.next[level.at]);
      } else {
        number = settle(level);
        is_new = false;
        --depth_;
      }
    }
    return number;
  }
  /// Is asked while it looks; nothing: it always goes on.
  void ask_meanwhile(std::function<bool()> stop) { stop_ = std::move(stop); }
  const State& state(std::uint32_t number) const { return all_[number].state; }
  bool is_fused(std::uint32_t number) const { return all_[number].fate == Fate::fused; }
  /// What all paths from there show together.
  WitnessMask shown(std::uint32_t number) const { return all_[number].shown; }

  /// Where paths from there end, each once, in their order; one that is not fused is its own end.
  template <class Visit>
  void for_each_end(std::uint32_t number, Visit visit) const {
    const Known& its = all_[number];
    if (its.fate != Fate::fused) return visit(End{number});
    for (std::uint32_t i = 0; i < its.count; ++i) visit(ends_[its.begin + i]);
  }

  bool is_among(const std::vector<End>& ends, const End& end) const {
    return std::any_of(ends.begin(), ends.end(), [&](const End& one) {
      return one.faulty == end.faulty &&
             (one.number == end.number || all_[one.number].state == all_[end.number].state);
    });
  }

  /// The moves that a fused state takes, and where they lead.
  void next_of(std::uint32_t number, std::vector<Move>& moves, std::vector<std::uint32_t>& numbers) {
    Level level;
    find_next(State(all_[number].state), level);
    moves.clear();
    numbers.clear();
    for (std::size_t i = 0; i < level.places.size(); ++i) {
      moves.push_back(level.moves[level.places[i]]);
      const auto next = look(level.next[i]);
      VERIFY(next.has_value());  // it is known
      numbers.push_back(*next);
    }
  }

  /// If much is kept, it is forgotten.
  void forget_some() {
    if (levels_.size() > levels_kept_max) levels_.resize(levels_kept_max);
    if (all_.size() > kept_max || ends_.size() > 4 * kept_max) forget();
  }
  std::uint64_t bytes() const {
    return keys_.bytes() + latest_.capacity() * sizeof(std::uint32_t) + all_.capacity() * sizeof(Known) +
           ends_.capacity() * sizeof(End);
  }

 private:
  static constexpr std::size_t height_max = 32, ends_max = 128, levels_kept_max = 256;
  static constexpr std::size_t asked_every = 64;  // new states
  static constexpr std::size_t kept_max = std::size_t{1} << 17;
  static constexpr std::uint32_t nothing = ~std::uint32_t{0};

  /// What becomes of a state: it is being looked at; it is stored; it is fused; or it would be, if that did
  /// not come round.
  enum class Fate : std::uint8_t { open, stored, fused, comes_round };

  struct Known {
    State state;
    Fate fate = Fate::open;
    std::uint16_t height = 0;            // of a fused one: of the longest path from it
    std::uint32_t begin = 0, count = 0;  // likewise: its ends, among all
    WitnessMask shown = 0;
  };

  /// A state that is being looked at, behind those that lead there; and what is known of it so far.
  struct Level {
    std::uint32_t number = 0;
    Fate fate = Fate::open;
    std::vector<Move> moves;
    std::vector<std::size_t> places;
    std::vector<State> next;
    std::size_t at = 0;  // the next of these
    std::vector<End> ends;
    std::size_t height = 0;
    WitnessMask shown = 0;
  };

  void forget() {
    keys_ = {};
    latest_.clear();
    all_.clear();
    ends_.clear();
  }

  bool must_stop() { return stop_ && ++met_ % asked_every == 0 && stop_(); }

  /// The number of a state, and whether it is new: then it is looked at from now on.
  std::pair<std::uint32_t, bool> meet(const State& state) {
    const Seen seen = keys_.insert(system_.digest(state));
    if (seen.fresh) latest_.push_back(nothing);
    // States that differ in what is no part of their identity have one digest.
    if (const std::uint32_t known = latest_[seen.id]; known != nothing && all_[known].state == state)
      return {known, false};
    const auto number = static_cast<std::uint32_t>(all_.size());
    latest_[seen.id] = number;
    all_.push_back({.state = state});
    if (levels_.size() == depth_) levels_.emplace_back();
    Level& level = levels_[depth_++];
    find_next(state, level);
    level.number = number;
    level.fate = level.places.empty() ? Fate::stored : Fate::fused;
    level.at = level.height = 0;
    level.ends.clear();
    return {number, true};
  }

  /// The moves that are enough, and what they lead to; none if nothing can be left out.
  void find_next(const State& state, Level& level) {
    level.places.clear();
    level.next.clear();
    level.shown = 0;
    system_.enabled(state, level.moves);
    find_enough(state, level.moves, level.places);
    if (level.places.empty()) return;
    const EndingMask ended = endings_of(system_, state);
    for (const std::size_t place : level.places) {
      State& next = level.next.emplace_back(state);
      level.shown |= system_.apply(next, level.moves[place]);
      normalise(system_, next);
      if (ended == 0 || (ended & ~endings_of(system_, next)) == 0) continue;
      level.places.clear();
      return;
    }
  }

  /// One move is enough where there is no other.
  void find_enough(const State& state, const std::vector<Move>& moves, std::vector<std::size_t>& places) {
    if (moves.size() == 1) {
      if (!moves.front().is_fault() && !moves.front().passes_time()) places.assign(1, 0);
      return;
    }
    system_.enough_of(state, moves, places);
    for (const std::size_t place : places) VERIFY(!moves[place].passes_time());
  }

  /// What follows for a state from the next that it leads to. One that is open comes round.
  void add_next(Level& level, std::uint32_t next) {
    const Known& its = all_[next];
    if (its.fate == Fate::open || its.fate == Fate::comes_round) {
      level.fate = Fate::comes_round;
      return;
    }
    level.height = std::max<std::size_t>(level.height, its.height + std::size_t{1});
    level.shown |= its.shown;
    const Move& move = level.moves[level.places[level.at++]];
    for_each_end(next, [&](const End& its_end) {
      const End end = its_end.behind(move);
      if (!is_among(level.ends, end)) level.ends.push_back(end);
    });
    if (level.height > height_max || level.ends.size() > ends_max) level.fate = Fate::stored;
  }

  /// All is known of it.
  std::uint32_t settle(const Level& level) {
    Known& its = all_[level.number];
    its.fate = level.fate;
    if (level.fate != Fate::fused) return level.number;
    its.shown = level.shown;
    its.height = static_cast<std::uint16_t>(level.height);
    its.begin = static_cast<std::uint32_t>(ends_.size());
    its.count = static_cast<std::uint32_t>(level.ends.size());
    ends_.insert(ends_.end(), level.ends.begin(), level.ends.end());
    return level.number;
  }

  S& system_;
  std::function<bool()> stop_;
  std::size_t met_ = 0;  // while that may be asked
  DigestSet keys_;
  std::vector<std::uint32_t> latest_;  // by key: the number of the state that had it last
  std::vector<Known> all_;             // by number
  std::vector<End> ends_;              // of all that are fused
  std::deque<Level> levels_;           // by depth; what is not in use is kept for its memory
  std::size_t depth_ = 0;              // of the state that is being looked at
};

}  // namespace lockstep::sim
