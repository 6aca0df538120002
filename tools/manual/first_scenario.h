// first_scenario.h: the text of a scenario to begin with, from a few wishes.
//
// Locks that are shared or made of others get the programs that show it: half of the clients of a read/write
// lock write, a multi lock has two members. Faults are budgets of one; a failover brings a replica along.
#pragma once

#include <string>
#include <vector>

namespace lockstep::tools {

struct ScenarioWishes {
  std::string name;            // in the file
  std::string kind = "plain";  // `lockstep list kinds`
  std::string clients = "2";
  std::string work = "1s";  // inside the lock
  std::string lease;        // empty: the watchdog renews
  std::string wait;         // of tryLock; empty: lock()
  std::string scripts;      // a set; empty: the usual one
  std::vector<std::string> faults;
  bool scheme = false;  // a kind of lock of its own, which `kind` names
  bool operator==(const ScenarioWishes&) const = default;
};

std::string first_scenario(const ScenarioWishes& wishes);

}  // namespace lockstep::tools
