// broken_run.h: what is done with a run that breaks a property: it is played on, made small, written down.
#pragma once

#include <vector>

#include "properties/check/begun.h"
#include "properties/check/check.h"

namespace lockstep::properties {

using Decisions = std::vector<sim::Decision<Checked::Move>>;

/// The run to a dead end, and on by default until everybody waits for good: there one sees for what.
Decisions played_on(Checked& system, Decisions trail);

/// The same run in a scenario that asks for every millisecond, as its trails tell it: where nothing stops
/// time before its next deadline, a part of that passes.
Decisions in_parts(const Setup& setup, const Decisions& decisions);

/// As the options want it. `is_shortest`: there is no shorter one with as many faults.
Decisions shrunk(const Checked& system, const CheckOptions& options, Property property,
                 const Decisions& trail, bool is_shortest = false);

/// The whole run, behind the moves that were made, in both forms.
struct RecordedRun {
  sim::Trail trail, deviations;
};
RecordedRun recorded(const Checked& system, const Setup& setup, const MadeMoves& made, Property property,
                     const Decisions& decisions);

/// How a script that clients sent is called: by its role; one of a scheme by both names, since its roles are
/// called like those of Redisson and no set of scripts has them.
std::string name_of_sent(const model::LockKind& kind, const lua::Script& script);
/// The scripts that were sent in runs of this system.
std::set<std::string> roles_sent(const Checked& system, const Setup& setup);

}  // namespace lockstep::properties
