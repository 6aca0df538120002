// followed.h: from a trail to the scenario and the scripts that it was made from.
//
// Scripts that a command line had put in place of the scenario's are read again from the files that the trail
// names, so that a trail replays without saying them again; what --scripts names now comes on top. Whatever
// in a trail names what does not exist (its property, its verdict, a move) is one sentence with its line.
#pragma once

#include <string>
#include <vector>

#include "model/setup/setup.h"
#include "sim/base/result.h"
#include "sim/trail/trail.h"

namespace lockstep::tools {

struct FollowedTrail {
  sim::Trail trail;
  model::Setup setup;
  std::string differs;  // from what the trail was made of, in words; empty: nothing
  std::vector<std::string> scripts{};  // what was put in place of the scenario's, as --scripts names it
};

struct Following {
  std::string file;                  // a trail, or a trace, which carries its trail
  std::string scenario;              // the scenario's file; empty: the one of the name in the trail
  std::vector<std::string> scripts;  // SET, DIR or ROLE=FILE, in the order given
  bool lenient = false;              // another scenario or script is followed as far as it goes
  bool with_its_scripts = true;      // read again what was put in place when the trail was made
};

sim::Result<FollowedTrail> load_followed(const Following& what);

/// The same, of a trail that was read already.
sim::Result<FollowedTrail> load_followed(sim::Trail trail, const Following& what);

}  // namespace lockstep::tools
