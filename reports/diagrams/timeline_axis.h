// timeline_axis.h: where an event or an instant stands on the axis of a timeline.
#pragma once

#include <string>
#include <vector>

#include "reports/diagrams/timeline.h"

namespace lockstep::reports {

struct Tick {
  int x = 0;
  std::string label;
};

/// x grows with the position of events, and with time; both ends of every stretched instant are known.
class TimelineAxis {
 public:
  TimelineAxis(const sim::Trace& trace, const Shown& shown, const TimelineOptions& options, int left);

  int x_of(std::size_t position) const;        // clamped to what is shown
  int x_of_time(std::int64_t time_us) const;   // the first event's place where events share the instant
  bool beyond(std::int64_t time_us) const { return time_us > last_us_; }
  int left() const { return left_; }
  int right() const { return right_; }
  const std::vector<Tick>& ticks() const { return ticks_; }
  const std::vector<std::pair<int, int>>& stretched() const { return stretched_; }

 private:
  void place(const sim::Trace& trace);
  void find_stretched();
  void add_tick(std::int64_t time_us, int x);
  void find_ticks();

  Shown shown_;
  Scale scale_;
  int left_ = 0, right_ = 0;
  int flow_width_ = 0;  // points for the time that passes
  std::int64_t first_us_ = 0, last_us_ = 0;
  std::vector<int> x_;               // by position - shown.begin
  std::vector<std::int64_t> times_;  // the same
  std::vector<Tick> ticks_;
  std::vector<std::pair<int, int>> stretched_;
};

}  // namespace lockstep::reports
