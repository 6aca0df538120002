// stage.h: the one state on which functions of remembered states are worked out.
//
// Its components lie in slots: each node; each process with its links; what is left of the world; the
// monitors; and `now`, where a scenario may read it. A row of numbers (sim/search/recall.h) says what lies in
// each: equal contents of a slot have one number, and are told apart by their digests, as states are. Every
// component says when it is read.
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "properties/check/checked.h"
#include "sim/search/recall.h"
#include "sim/search/seen_set.h"

namespace lockstep::properties {

/// Digests of what lies in slots are summed up.
inline void add(sim::Digest& sum, const sim::Digest& digest) {
  sum.high += digest.high;
  sum.low += digest.low;
}
inline void take_from(sim::Digest& sum, const sim::Digest& digest) {
  sum.high -= digest.high;
  sum.low -= digest.low;
}

// What lies in one slot; `with` visits each component together with its place in a state.
struct NodePart {
  sim::Cow<model::Server> server;
  static void with(auto& part, auto& state, std::size_t n, auto visit) {
    visit(part.server, state.world.nodes[n]);
  }
  void fit(const model::World&) {}
};

struct ProcessPart {
  sim::Cow<model::Process> process;
  std::vector<sim::Cow<model::Link>> links;
  static void with(auto& part, auto& state, std::size_t p, auto visit) {
    visit(part.process, state.world.processes[p]);
    for (std::size_t n = 0; n < part.links.size(); ++n)
      visit(part.links[n], state.world.links[p * part.links.size() + n]);
  }
  void fit(const model::World& world) { links.resize(world.nodes.size()); }
};

struct OtherPart {
  std::vector<sim::Cow<model::Stream>> streams;
  std::vector<sim::Cow<model::Group>> groups;
  sim::Cow<std::vector<bool>> up, signals;
  sim::Cow<std::vector<sim::Timer>> pauses, isolation;
  sim::Cow<model::Watch> watch;
  sim::Cow<model::Clocks> clocks;
  sim::Cow<model::FaultBudget> budget;
  sim::Cow<std::vector<Duration>> fixed_left;
  static void with(auto& part, auto& state, std::size_t, auto visit) {
    auto& world = state.world;
    for (std::size_t n = 0; n < part.streams.size(); ++n) visit(part.streams[n], world.streams[n]);
    for (std::size_t g = 0; g < part.groups.size(); ++g) visit(part.groups[g], world.groups[g]);
    visit(part.up, world.up);
    visit(part.signals, world.signals);
    visit(part.pauses, world.pauses);
    visit(part.isolation, world.isolation);
    visit(part.watch, world.watch);
    visit(part.clocks, world.clocks);
    visit(part.budget, world.budget);
    visit(part.fixed_left, world.fixed_left);
  }
  void fit(const model::World& world) {
    streams.resize(world.streams.size());
    groups.resize(world.groups.size());
  }
};

struct MonitorsPart {
  sim::Cow<Monitors> monitors;
  static void with(auto& part, auto& state, std::size_t, auto visit) { visit(part.monitors, state.monitors); }
  void fit(const model::World&) {}
};

class Stage {
 public:
  struct Change {
    std::uint32_t slot = 0, number = 0;
  };

  /// `reads_now`: what time it is belongs to a state. Else nobody reads it.
  Stage(const Checked::State& start, bool reads_now);
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  static bool fits(const Setup& setup) { return slots_of(setup) <= sim::Row::slots_max; }

  // The slots; that of a node is its number.
  std::size_t process(std::size_t p) const { return first_process_ + p; }
  std::size_t other() const { return of_nobody_; }
  std::size_t monitors() const { return other() + 1; }
  std::size_t now() const { return other() + 2; }
  std::size_t components() const { return other() + 2; }

  const sim::Row& start() const { return start_; }
  /// Puts the components of a row in their places. Reads count from here on.
  Checked::State& lay(const sim::Row& row);
  /// The row that means here what `row` means on another stage for the same scenario.
  sim::Row adopted(Stage& other, const sim::Row& row);
  /// What was read since.
  sim::Slots heard() const;
  /// Where something was written since, and the numbers of what is there now, which may be those of before.
  /// What was written as it was before may be left out; it counts as read.
  const std::vector<Change>& changes();
  /// The number of what lies in a slot now.
  std::uint32_t number_there(std::size_t slot) { return is_as_laid(slot) ? laid_[slot] : number_of(slot); }
  /// What lies in a slot now, as it would count for the digest of a state if it lay in another.
  sim::Digest digest_as(std::size_t slot, std::size_t other_slot);
  /// What was done to the state since it was laid is not kept.
  void discard();

  /// What time it is in a row, where that belongs to a state. Instants have numbers as contents have: as
  /// milliseconds they would not fit into a slot after seven weeks.
  Duration since_start(const sim::Row& row) const { return instants_[row[now()]]; }
  const Monitors& monitors_of(const sim::Row& row) const {
    return *monitors_.front().values[row[monitors()]].monitors;
  }
  /// The sum of these is the digest of a state, but for `now`.
  const sim::Digest& digest(std::size_t slot, std::uint32_t number) const { return placed_[slot][number]; }
  std::uint64_t bytes() const;
  /// How many contents lie ready for the slots together.
  std::size_t contents() const;

 private:
  template <class Part>
  struct Table {
    sim::DigestSet contents;
    std::vector<Part> values;  // by number
    Part shape;                // one that only says which components there are
  };

  struct Adopted {
    const Stage* from = nullptr;
    std::vector<std::vector<std::uint32_t>> numbers;  // here, by slot and number there
  };
  static constexpr std::uint32_t nothing = ~std::uint32_t{0};

  static std::size_t slots_of(const Setup& setup) { return setup.nodes.size() + setup.processes.size() + 3; }

  /// Calls visit(table, place among its kind) for a slot.
  template <class Visit>
  void in_slot(std::size_t slot, Visit visit);
  sim::Digest content(std::size_t slot);
  std::uint32_t number_of(std::size_t slot);
  std::uint32_t number_of(Duration since_start);
  bool is_shared(std::size_t slot);
  bool is_as_laid(std::size_t slot);
  void put_back(std::size_t slot);
  Adopted& adopted_from(const Stage& other);

  bool reads_now_;
  std::size_t first_process_, of_nobody_;  // slots
  Checked::State state_;
  std::array<bool, sim::Row::slots_max> read_{};
  sim::Row laid_, start_;
  std::vector<Table<NodePart>> nodes_;
  std::vector<Table<ProcessPart>> processes_;
  std::vector<Table<OtherPart>> other_{1};
  std::vector<Table<MonitorsPart>> monitors_{1};
  std::vector<std::vector<sim::Digest>> placed_;  // by slot and number
  std::vector<Duration> instants_;                // by number
  std::map<Duration, std::uint32_t> numbers_of_instants_;
  std::vector<Adopted> adopted_;
  std::vector<Change> changes_;
};

}  // namespace lockstep::properties
