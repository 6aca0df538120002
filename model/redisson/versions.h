// versions.h: what a version of Redisson means for its client, and the knobs by which a scenario says more.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "model/redisson/settings.h"

namespace lockstep::redisson {

/// The versions with which something changed, oldest first. A release between two of them behaves as the
/// older.
struct Version {
  std::string_view name;
  std::string_view says;         // what changed with it
  void (*change)(Settings&);     // from the version before it
};
std::span<const Version> versions();
/// Whether there may be such a release: 3.0.0 to 3.52.x, 4.0.0 to 4.7.x.
bool is_release(std::string_view version);
constexpr std::string_view releases_told = "3.0.0 to 3.52.0 and 4.0.0 to 4.7.0";
/// What the client of a release does by default; nothing if there is no such release. Its `version` is the
/// row that it behaves as.
std::optional<Settings> settings_of(std::string_view version);

/// One setting of [redisson] in a scenario. `world` and `value` show that it acts: the graph of states of
/// that scenario is another one with the value (scenarios/knobs_test.cpp looks at each).
struct Knob {
  std::string_view name;
  std::string_view says;
  std::variant<sim::Duration Settings::*, bool Settings::*, std::uint16_t Settings::*> member;
  bool zero = false;  // a duration may be zero
  std::uint16_t least = 0, most = 100;  // of a number
  bool told = false;    // normalised texts say it even where it is as the version has it
  bool mutant = false;  // no client behaves so: it is named under `mutant`, and not set
  std::string_view world, value;
};
std::span<const Knob> knobs();

}  // namespace lockstep::redisson
