// failover_grid.h: a run parted into epochs, and what each node was and stored at the end of each.
//
// A new epoch begins when a node becomes master; promotions with nothing between them begin one together.
// What a node stores is told by the node itself (the changes of its keys), so a cell shows what this node
// would answer, whoever is in charge. Positions are indices into Trace::events, [begin, end) as in
// ownership.h.
#pragma once

#include <string>
#include <vector>

#include "reports/text/window.h"
#include "sim/trace.h"

namespace lockstep::reports {

struct Epoch {
  std::size_t number = 1;  // counted from the start of the run, shown or not
  std::size_t begin = 0, end = 0;
  bool operator==(const Epoch&) const = default;
};

struct StoredKey {
  std::string text;  // "orders {A1: 1} until 30 s"; "orders: nothing" where another node has it
  bool missing = false;
  bool operator==(const StoredKey&) const = default;
};

struct Cell {
  std::string first_role, role;    // "master", "replica", "down": at the start and at the end of the epoch
  std::vector<std::size_t> turns;  // positions of crashes, restarts, promotions and what else befell it
  std::vector<StoredKey> stored;   // at the end of the epoch, or when it went down in it
  bool operator==(const Cell&) const = default;
};

/// What went from one node to another in an epoch.
struct Copying {
  std::string from, to;
  std::vector<std::size_t> applied, lost;  // positions
  bool operator==(const Copying&) const = default;
};

struct FailoverGrid {
  std::vector<std::string> nodes;
  std::vector<Epoch> epochs;
  std::vector<std::vector<Cell>> cells;       // [epoch][node]
  std::vector<std::vector<Copying>> copying;  // [epoch]
  std::size_t earlier = 0, later = 0;         // epochs that are left out
};

/// At most `epochs_max` epochs of those that the window shows: the last ones up to the first violation, or up
/// to the end where nothing was broken.
FailoverGrid failover_grid(const sim::Trace& trace, const Window& window, std::size_t epochs_max);

}  // namespace lockstep::reports
