// truth_log.h: writes who holds what into the trace of a run.
//
// After each decision every lock is asked through its kind, which alone knows what truth looks like; where
// the answer is another than before, the event that made it so carries it. While nobody is in charge of a
// lock, the last answer stands.
#pragma once

#include <map>
#include <string>

#include "model/world/facts.h"
#include "model/world/tracer.h"

namespace lockstep::properties {

class TruthLog {
 public:
  /// The decision whose first event has this number is done.
  void look(const model::World& world, const model::Setup& setup, std::size_t first_event,
            model::Tracer& tracer);

 private:
  struct Known {
    sim::LockTruth truth;
    std::string key;
    model::GroupId group;
    std::int64_t at_ms = 0;
  };
  const std::string& who(const std::string& holder, const model::Facts& facts);

  std::map<std::string, Known> known_;        // by lock
  std::map<std::string, std::string> names_;  // of the threads that hold, by what is stored
};

}  // namespace lockstep::properties
