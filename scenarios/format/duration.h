// duration.h: lengths of time as scenarios write them: "250ms", "30s", "2m", "1h"; intervals "lo..hi".
//
// A number without a unit is an error, except the lower end of an interval, which takes the unit of the upper
// one
// ("0..50ms"). Model time is whole milliseconds, so there are no fractions. Nothing is longer than ten years.
#pragma once

#include <string>
#include <string_view>

#include "model/setup/setup.h"
#include "sim/base/result.h"

namespace lockstep::scenarios {

/// A duration ≥ 0, or a clause that says what is wrong: "`30` has no unit; write `30s` or `30ms`".
sim::Result<sim::Duration> parse_duration(std::string_view text);

/// A duration with an optional sign: "+400ms", "-5s".
sim::Result<sim::Duration> parse_offset(std::string_view text);

/// How much too fast a clock runs, in millionths: "+200ppm", "-50ppm"; at most half as fast or slow again.
sim::Result<std::int32_t> parse_drift(std::string_view text);

/// A duration, or lo..hi with lo ≤ hi.
sim::Result<model::Interval> parse_interval(std::string_view text);

/// The shortest exact form in seconds or milliseconds: "30s", "1500ms", "0s".
std::string print(sim::Duration duration);
std::string print(const model::Interval& interval);
std::string print_offset(sim::Duration offset);
std::string print_drift(std::int32_t ppm);

}  // namespace lockstep::scenarios
