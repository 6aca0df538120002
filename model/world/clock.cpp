#include "model/world/clock.h"

namespace lockstep::model {

namespace {

constexpr std::int64_t millionths = 1'000'000;

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

}  // namespace

Duration pass_wall_clock(World& world, NodeId node, Duration passed, const Setup& setup) {
  const std::int64_t ppm = setup.nodes[node.index()].clock_drift_ppm;
  if (ppm == 0 || passed == Duration::zero()) return passed;
  Clocks& clocks = world.clocks.write();
  const std::int64_t gain = passed.count() * ppm + clocks.gained[node.index()];
  const std::int64_t whole = floor_div(gain, millionths);
  clocks.gained[node.index()] = gain - whole * millionths;
  clocks.offset[node.index()] += Duration(whole);
  return passed + Duration(whole);
}

Duration true_time_until(const World& world, NodeId node, Duration wall, const Setup& setup) {
  const std::int64_t ppm = setup.nodes[node.index()].clock_drift_ppm;
  if (ppm == 0 || wall == sim::never) return wall;
  // The least t for which t * (1 + ppm) and what was gained before make the whole of `wall`.
  const std::int64_t missing = wall.count() * millionths - world.clocks->gained[node.index()];
  return Duration(-floor_div(-missing, millionths + ppm));
}

}  // namespace lockstep::model
