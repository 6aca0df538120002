// figures.h: what was measured, as a table, CSV, JSON, or a script for gnuplot.
#pragma once

#include <string>
#include <vector>

#include "tools/measure/measured.h"

namespace lockstep::tools {

struct MeasuredPoint {
  std::string value;  // of the key that is swept over; empty: nothing is
  Measured measured;
};

struct Measurement {
  std::string scenario, scripts, key;
  std::uint64_t seed = 1, runs = 0;  // of each point
  bool complete = true;              // false: it was interrupted, and some runs are missing
  std::vector<MeasuredPoint> points;
};

/// What the numbers are of, and are not of.
std::string measured_of(const Measurement& measurement);

std::string measurement_table(const Measurement& measurement);
std::string measurement_csv(const Measurement& measurement);
std::string measurement_json(const Measurement& measurement);
/// Reads nothing and writes SVG to standard output.
std::string measurement_plot(const Measurement& measurement);

}  // namespace lockstep::tools
