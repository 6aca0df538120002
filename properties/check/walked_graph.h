// walked_graph.h: a checked scenario over which samples walk, and whose steps are taken once each.
//
// It is the same System as the Checked behind it, so a run over it is the run that a walk with the same draws
// makes over the Checked itself; a test holds the two against each other (walked_graph_test.cpp). Its states
// are the nodes of a graph that grows as it is walked: a node knows its moves, an edge that was taken once
// knows where it leads and what it showed, and only what is new is worked out (remembered.h).
//
// When it has grown too large, all is forgotten but where the walk is. A move that is taken in part has no
// edge.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/check/by_numbers.h"
#include "properties/check/checked.h"
#include "properties/check/coverage.h"
#include "properties/check/known_moves.h"
#include "properties/check/remembered.h"
#include "sim/run/run.h"

namespace lockstep::properties {

class WalkedGraph {
 public:
  struct State {
    std::uint32_t node = 0;  // where it stands among the nodes
    friend bool operator==(const State&, const State&) = default;
  };
  using Move = model::Move;
  using Decision = sim::Decision<Move>;

  struct Options {
    const Coverage* coverage = nullptr;  // says in which situation a script runs; outlives the graph
    WaysWatch* ways = nullptr;           // that scripts of the Checked tell; likewise
    std::size_t nodes_max = std::size_t{1} << 20, contents_max = std::size_t{1} << 18;
  };

  /// Whether samples may walk over it.
  static bool fits(const Setup& setup);

  /// `system` must outlive it, and belongs to it alone meanwhile.
  WalkedGraph(Checked& system, Options options);

  State initial() const { return first_; }
  const std::vector<Move>& listed(const State& state) const { return list_of(state).moves; }
  void enabled(const State& state, std::vector<Move>& moves) const { moves = listed(state); }
  sim::WitnessMask apply_decision(State& state, const Decision& decision);
  sim::WitnessMask apply(State& state, const Move& move);
  sim::Digest digest(const State& state) const;
  void encode_state(const State& state, sim::Encoder& out) const;
  sim::PropertyMask violated(const State& state) const { return head_of(state.node).broken(); }
  std::string show(const Move& move) const { return system_.show(move); }
  sim::Result<Move> parse(std::string_view text) const { return system_.parse(text); }

  // Moves in intervals (sim/run/intervals.h).
  bool may_wait(const State& state) const { return head_of(state.node).may_wait != 0; }
  std::optional<sim::Duration> slack(const State& state, const Move& move) const;
  sim::Duration span(const Move& move) const { return system_.span(move); }
  Move shortened(const Move& move, sim::Duration to) const { return system_.shortened(move, to); }

  // Two of the listed moves may not change places, and the places of all in the order of their moves
  // (sim/run/pos.h).
  bool races(const State& state, std::size_t one, std::size_t other) const;
  bool races(const Move& one, const Move& other) const { return system_.races(one, other); }
  const std::vector<std::uint32_t>& in_order(const State& state) const;

  /// What the script met that ran in the move that was taken last.
  const Coverage::Met& last_met() const { return shown_[last_].met; }
  /// The state as the Checked has it, when so much time has passed since the start.
  Checked::State whole(const State& state, Duration passed) const;
  bool finished(const State& state) const { return system_.finished(remembered_->whole(row_of(state))); }
  const Checked& system() const { return system_; }
  /// A step read what time it is, though none ought to: what was walked is not so.
  bool is_misled() const { return !system_.may_read_now() && system_.needs_now(); }

  // How much of what was walked was new: steps, and contents of components.
  std::uint64_t taken_anew() const { return taken_anew_; }
  std::uint64_t contents_met() const { return contents_forgotten_ + remembered_->contents(); }
  std::size_t nodes() const { return count_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct Head {
    std::uint32_t list = 0;
    std::uint32_t may_wait = 0;  // whether one of its moves may
    std::uint32_t broken_low = 0, broken_high = 0;

    sim::PropertyMask broken() const { return sim::PropertyMask{broken_high} << 32 | broken_low; }
  };
  struct Edge {
    std::uint32_t to = none, shown = 0;
  };
  struct Shown {
    sim::WitnessMask witnesses = 0;
    Coverage::Met met;
    auto operator<=>(const Shown&) const = default;
  };
  struct List {
    std::vector<std::uint32_t> numbers;  // of its moves, since so much was forgotten
    std::vector<Move> moves;
    std::vector<std::uint32_t> order;   // absent: not known yet
    std::vector<std::uint8_t> races;    // by two places; 0: not known yet, 1: no, 2: yes
  };

  Head head_of(std::uint32_t node) const;
  Edge edge_of(std::uint32_t node, std::uint32_t index) const;
  void keep_edge(std::uint32_t node, std::uint32_t index, Edge edge);
  List& list_of(const State& state) const { return lists_[head_of(state.node).list]; }
  sim::Row row_of(const State& state) const;
  std::uint64_t hash_of(const sim::Row& row) const;
  std::uint32_t& place_of(const sim::Row& row);
  std::uint32_t node_of(const sim::Row& row);
  std::uint32_t add(const sim::Row& row);
  void grow();
  std::uint32_t& place_of_list(const std::vector<std::uint32_t>& numbers);
  void grow_lists();
  void forget_numbers_of_moves();
  bool may_race(std::uint32_t list, std::size_t one, std::size_t other) const;
  std::uint32_t number_of(const std::vector<KnownMove>& listed);
  std::uint32_t number_of(const Shown& shown);
  sim::WitnessMask take_anew(State& state, const Decision& decision);
  void begin_anew();
  bool is_full() const;
  void forget_but(State& state);

  Checked& system_;
  Options options_;
  std::unique_ptr<Remembered> remembered_;
  sim::Duration begins_at_{};
  std::size_t width_;  // slots of a row
  // Of each node its row, and behind that, where the node stands, its head and its edges: a walk waits for
  // memory mostly, so what a step needs lies side by side.
  std::vector<std::uint32_t> nodes_;
  std::size_t count_ = 0;  // of nodes
  State first_;
  std::vector<std::uint32_t> places_;  // nodes by their rows: a power of two, at most half full
  // By the numbers that moves had since so much was forgotten: a power of two, at most half full.
  std::vector<std::uint32_t> places_of_lists_;
  std::uint64_t times_forgotten_ = 0;
  std::size_t first_list_ = 0;      // since then; moves of those before it have other numbers
  std::vector<std::uint32_t> key_;  // kept for its memory only
  mutable ByNumbers<bool> races_;   // by two such numbers
  mutable std::deque<List> lists_;  // what they know besides moves does not show
  std::map<Shown, std::uint32_t> numbers_of_shown_;
  std::vector<Shown> shown_;
  std::uint32_t last_ = 0;
  std::uint64_t taken_anew_ = 0, contents_forgotten_ = 0;
};

static_assert(sim::System<WalkedGraph>);

}  // namespace lockstep::properties
