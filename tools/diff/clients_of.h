// clients_of.h: who sends a script, so that a reply is read as they read it.
#pragma once

#include <span>
#include <vector>

#include "model/client/lock_kind.h"
#include "model/redisson/settings.h"

namespace lockstep::tools {

/// A release of Redisson that changed something: how its clients behave, and what they send.
struct Release {
  redisson::Settings client;
  lua::ScriptSet scripts;
};
std::vector<Release> all_releases();

/// The releases that send one of the scripts in this role, and the clients that are named. Where that is
/// nobody, all releases: what any client tells apart is not the same then.
std::vector<redisson::Settings> clients_of(std::span<const lua::Script* const> scripts,
                                           const model::Role& role, const std::vector<Release>& releases,
                                           const std::vector<redisson::Settings>& named);

/// The clients of a scenario that send this script.
std::vector<redisson::Settings> clients_that_send(const lua::Script& script, const model::Setup& setup);

}  // namespace lockstep::tools
