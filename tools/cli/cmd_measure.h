// cmd_measure.h: `lockstep measure SCENARIO` plays many random schedules and says what they cost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/cli/verb.h"

namespace lockstep::tools {

enum class MeasureFormat { table, csv, json, gnuplot, svg };

struct MeasureOptions {
  std::string scenario;
  std::uint64_t runs = 100;
  std::uint64_t seed = 1;            // of the first run; the next has the next
  std::string sweep;                 // KEY=a,b,c; empty: nothing is swept over
  std::vector<std::string> scripts;  // SET, DIR or ROLE=FILE, in the order given
  MeasureFormat format = MeasureFormat::table;
};

Verb measure_verb();

}  // namespace lockstep::tools
