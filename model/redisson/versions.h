// versions.h: what a version of Redisson means for its client, and the knobs by which a scenario says more.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "model/redisson/settings.h"

namespace lockstep::redisson {

/// The versions whose clients are modelled, oldest first. A version between two of them behaves as the older.
struct Version {
  std::string_view name;
  std::string_view says;         // what changed with it
  void (*change)(Settings&);     // from the version before it
};
std::span<const Version> versions();
/// What the client of a version does by default; nothing if that version's client is not modelled.
std::optional<Settings> settings_of(std::string_view version);

/// One setting of [redisson] in a scenario. `world` and `value` show that it acts: the graph of states of
/// that scenario is another one with the value (scenarios/knobs_test.cpp looks at each).
struct Knob {
  std::string_view name;
  std::string_view says;
  std::variant<sim::Duration Settings::*, bool Settings::*, std::uint16_t Settings::*> member;
  bool zero = false;    // a duration may be zero
  bool mutant = false;  // no client behaves so: it is named under `mutant`, and not set
  std::string_view world, value;
};
std::span<const Knob> knobs();

}  // namespace lockstep::redisson
