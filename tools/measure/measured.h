// measured.h: what runs of a scenario cost, read off their traces.
//
// Waits are from the beginning of a call that wants a lock to its return with the lock, for the first hold
// of a thread; holds are from there until the thread gives the last of it back. Commands are those that
// servers ran for clients (a script counts once), messages the requests and notices that were sent. A wake-
// up in vain is one after which the lock was refused. Fairness is Jain's index over the threads that asked
// in a run: of how often each was granted the lock, and of how long each waited (1: all alike; 1/n: one has
// everything). All times are virtual.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/trace.h"

namespace lockstep::tools {

/// Samples of one quantity.
struct Distribution {
  std::vector<double> samples;

  void add(double sample) { samples.push_back(sample); }
  double mean() const;
  /// The smallest sample that at least this share of all do not exceed.
  double quantile(double share) const;
};

struct Measured {
  std::uint64_t runs = 0, acquires = 0, refusals = 0;
  std::uint64_t wake_ups = 0, wake_ups_in_vain = 0;
  Distribution wait_ms, hold_ms, commands, messages;  // the last two for each acquire, one sample a run
  Distribution fair_grants, fair_waits;               // one sample a run
  std::map<std::string, std::uint64_t> violated;      // in how many runs, by property

  void add(const sim::Trace& trace);
};

/// (Σx)² / (n Σx²); 1 if there is nothing to share.
double jain(const std::vector<double>& shares);

}  // namespace lockstep::tools
