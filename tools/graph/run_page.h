// run_page.h: what the page of a run shows besides its trace: pictures of states and scripts, and what else
// could have happened.
//
// For that the scenario must be at hand, and the run must be the one that the trace tells. Without it the
// page is the trace alone, and says so.
#pragma once

#include <optional>
#include <string>

#include "reports/page/page.h"
#include "tools/cli/followed.h"

namespace lockstep::tools {

struct RunPage {
  reports::PageOptions options;
  std::vector<std::string> notes;  // what is missing, and why
};

struct RunPageAsked {
  std::string again;                 // the command that shows the run again
  std::string scenario;              // its file or name, for commands; empty: the name that it has
  std::size_t by_hand_states = 1'500;  // that the page knows for going through by hand; 0: none
};

/// `run`: its scenario and trail, or why they cannot be had.
RunPage page_of_run(const sim::Trace& trace, const sim::Result<FollowedTrail>& run,
                    const RunPageAsked& asked);

}  // namespace lockstep::tools
