// failover.h: who was in charge, what each node stored, and who believed to hold a lock, epoch by epoch.
//
// Columns are epochs (failover_grid.h), rows are, from the top: each lock with its holder in truth, each
// thread with what it believes, and each node. In the upper rows x goes by the order of events within an
// epoch; a node's cell tells the role, what befell the node, and its keys at the end of the epoch. Between
// columns, lines say what becomes of a node; beside the cells, arrows say how many writes were copied and how
// many were lost.
#pragma once

#include "reports/diagrams/drawing.h"
#include "reports/text/window.h"
#include "sim/trace.h"

namespace lockstep::reports {

struct FailoverOptions {
  Window window = {{}, {}, 100'000};
  std::size_t epochs_max = 24;
  std::size_t lines_max = 6;  // of what befell a node, and of its keys, in one cell
};

Drawing failover_diagram(const sim::Trace& trace, const FailoverOptions& options = {});

}  // namespace lockstep::reports
