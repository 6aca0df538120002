// suite.h: what `lockstep bench` measures, as data: one row for each benchmark.
//
// Every benchmark processes *items* of one kind (an EVAL, a lock operation, a transition) and says how many.
// What is reported is the CPU time of one item and its ratio to the yardstick, the CPU time of one EVAL in
// bare Lua, which is measured in the same run: machines differ, ratios hardly do. Google Benchmark does the
// timing.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "sim/base/result.h"

namespace lockstep::tools::bench {

struct Target {
  enum class Of { ratio, items_per_second, seconds } of = Of::ratio;
  double limit =
      0;  // at most this ratio or so many seconds in one iteration; at least so many items a second
};

struct Benchmark {
  std::string name;  // "script/eval"
  std::string item;  // what is counted, in the singular
  std::string about;
  std::function<void(benchmark::State&)> run;  // ends with SetItemsProcessed
  std::optional<Target> target;
};

inline constexpr const char* yardstick = "script/bare-lua";

// The families, one file each.
std::vector<Benchmark> script_family();
sim::Result<std::vector<Benchmark>> random_family();
sim::Result<std::vector<Benchmark>> search_family();

struct Measurement {
  std::string name, item, about;
  double seconds_per_item = 0;                           // CPU, the median of the repetitions
  double ratio = 0;                                      // to the yardstick
  double seconds_per_iteration = 0;                      // CPU
  std::vector<std::pair<std::string, double>> counters;  // what else the benchmark counted
  std::optional<Target> target;
  bool met = true;  // the target, if there is one
};

/// Runs the yardstick and every benchmark whose name contains `filter`.
std::vector<Measurement> measure(const std::vector<Benchmark>& benchmarks, const std::string& filter);

}  // namespace lockstep::tools::bench
