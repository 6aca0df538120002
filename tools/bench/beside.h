// beside.h: Lockstep and a redis-server at the same work, taking turns in one run.
//
// Measured by the clock on the wall, because the two are different processes. Each comparison is made in
// several rounds, and the median of the rounds' ratios counts: a machine that is busy for a while is busy for
// both.
#pragma once

#include <string>
#include <vector>

namespace lockstep::tools::bench {

struct Comparison {
  std::string name;  // "beside/evalsha-pipelined"
  std::string item;
  std::string about;
  double ours_per_second = 0, theirs_per_second = 0;  // medians
  double times = 0;                                   // how many times as many are ours
  double times_wanted = 0;                            // the target
  std::string skipped;                                // why it could not be made, if it could not

  bool met() const { return skipped.empty() && times >= times_wanted; }
};

/// The names of all comparisons.
std::vector<std::string> comparison_names();

/// Makes those whose name contains `filter`. They need redis-server, and some of them redis-benchmark.
std::vector<Comparison> compare_with_redis_server(const std::string& filter);

}  // namespace lockstep::tools::bench
