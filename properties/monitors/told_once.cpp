// told_once.cpp: a request of a lock's call tells nobody the same thing twice.
//
// A message wakes one waiter of a process, and that one asks for the lock. A second message of the same
// request on the same channel says nothing that the first does not: its listener asks once more than needed,
// in vain, or it is kept for a waiter to come. Judged is what one request sends to one listener on one
// channel, whatever it says; who does not listen is told nothing. Several requests may tell of one release
// (a copy, the members of a lock), and several channels may be told (places in a queue). What an operator
// publishes, and what a server tells of its keys, is no message of a lock.
#include <fmt/format.h>

#include "model/client/lock_kind.h"
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

void see_told_once(const model::Observation& observation, const Setup& setup, Findings& findings) {
  const auto* seen = std::get_if<model::Evaluated>(&observation);
  if (seen == nullptr || seen->told <= 1) return;
  findings.breaks(Property::told_once, [&] {
    return fmt::format("the {} of {} on {} sends a listener {} messages",
                       model::role_of(seen->purpose, setup).name, setup.thread_name(seen->purpose.thread),
                       seen->lock, seen->told);
  });
}

}  // namespace lockstep::properties
