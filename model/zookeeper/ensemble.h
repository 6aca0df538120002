// ensemble.h: what a leader keeps: sessions, and the children of locks. Followers keep nothing that is read.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/server/server.h"
#include "sim/base/timer.h"

namespace lockstep::zookeeper {

using model::ProcessId;
using SessionId = std::pair<ProcessId, std::uint16_t>;

struct Child {
  std::uint32_t number = 0;
  SessionId session;
  std::string holder;
  bool ephemeral = true;
  std::set<ProcessId> watchers;

  bool operator==(const Child&) const = default;
  static auto fields(auto& c) { return std::tie(c.number, c.session, c.holder, c.ephemeral, c.watchers); }
};

struct Parent {
  std::uint32_t last = 0;       // number that was given
  std::vector<Child> children;  // by their numbers

  bool operator==(const Parent&) const = default;
  static auto fields(auto& p) { return std::tie(p.last, p.children); }
};

struct Ensemble {
  static constexpr std::string_view kind = "zookeeper";

  bool leads = true;
  bool open = true;  // it hears most of the members
  sim::Duration time_out{};
  std::map<SessionId, sim::Timer> sessions;  // what is left of each
  std::map<ProcessId, std::uint16_t> ended;  // the greatest number of a session that is over
  std::map<std::string, Parent> locks;

  bool operator==(const Ensemble&) const = default;
  static auto fields(auto& e) { return std::tie(e.leads, e.open, e.time_out, e.sessions, e.ended, e.locks); }
};
static_assert(sim::State<Ensemble>);

model::Served serve(Ensemble& ensemble, ProcessId from, const model::Command& words);
model::Unasked pass(Ensemble& ensemble, sim::Duration passed);
/// All sessions have their whole time.
void begin_anew(Ensemble& ensemble);
void forget_watches(Ensemble& ensemble, ProcessId process);

}  // namespace lockstep::zookeeper
