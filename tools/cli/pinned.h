// pinned.h: a run as a scenario of its own, which begins with the decisions of that run.
//
// It is the scenario that the run was made from, written out in full, with the run's deviations and its last
// decision as [schedule]. What it expects is found out: what the run broke is violated; what the scenario
// expects to be violated and the run did not break is asked of what may follow; all else holds for every
// run, and so for these. Witnesses are not asked for. Files of scripts are named from where the new file is.
#pragma once

#include <string>

#include "sim/base/result.h"
#include "tools/cli/followed.h"

namespace lockstep::tools {

/// The scenario as it is to be written to `file`: files of scripts are named from its folder.
sim::Result<model::Setup> written_from(const model::Setup& setup, const Following& what,
                                       const std::string& file);

/// `file`: where the scenario will lie; only its folder counts.
sim::Result<std::string> pinned_scenario(const Following& what, const std::string& file);

}  // namespace lockstep::tools
