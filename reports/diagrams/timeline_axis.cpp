#include "reports/diagrams/timeline_axis.h"

#include <algorithm>
#include <array>

#include "reports/text/text.h"
#include "reports/text/wording.h"

namespace lockstep::reports {

namespace {

/// Events that begin, end or mark something on a timeline; the others need no room of their own.
bool matters(const sim::TraceEvent& event) {
  static constexpr std::array kinds = {TraceKind::enter,  TraceKind::leave, TraceKind::park, TraceKind::renew,
                                       TraceKind::expire, TraceKind::prop,  TraceKind::repl, TraceKind::drop,
                                       TraceKind::inv,    TraceKind::recv};
  return is_fault(event.kind) || !event.changes.empty() ||
         std::find(kinds.begin(), kinds.end(), event.kind) != kinds.end();
}

/// Times of a trace file may be anything; differences of what this returns always fit.
std::int64_t time_of(const sim::TraceEvent& event) {
  constexpr std::int64_t limit = std::int64_t{1} << 60;
  return std::clamp(event.time_us, -limit, limit);
}

}  // namespace

TimelineAxis::TimelineAxis(const sim::Trace& trace, const Shown& shown, const TimelineOptions& options,
                           int left)
    : shown_(shown), scale_(options.scale), left_(left), right_(left) {
  if (shown.begin < shown.end) {
    first_us_ = time_of(trace.events[shown.begin]);
    last_us_ = std::max(first_us_, time_of(trace.events[shown.end - 1]));
  }
  if (scale_ == Scale::automatic) scale_ = last_us_ > first_us_ ? Scale::time : Scale::order;
  flow_width_ = scale_ == Scale::time ? options.width : 0;
  place(trace);
  find_stretched();
  find_ticks();
}

void TimelineAxis::place(const sim::Trace& trace) {
  int steps = 0;
  for (auto at = shown_.begin; at < shown_.end; ++at) steps += matters(trace.events[at]) ? 1 : 0;
  const int room = scale_ == Scale::time ? 520 : 900;
  const int step = std::clamp(room / std::max(1, steps), 4, scale_ == Scale::time ? 20 : 54);
  const std::int64_t duration = std::max<std::int64_t>(1, last_us_ - first_us_);
  int moved = 0;  // by steps
  for (auto at = shown_.begin; at < shown_.end; ++at) {
    const auto& event = trace.events[at];
    const bool same_instant = at > shown_.begin && trace.events[at - 1].time_us == event.time_us;
    if (matters(event) && at > shown_.begin && (same_instant || scale_ == Scale::order)) moved += step;
    const auto time = std::clamp(time_of(event), times_.empty() ? first_us_ : times_.back(), last_us_);
    const auto passed = static_cast<double>(time - first_us_) / static_cast<double>(duration);
    const int x = left_ + static_cast<int>(passed * flow_width_) + moved;
    x_.push_back(std::max(x, x_.empty() ? left_ : x_.back()));
    times_.push_back(time);  // never backwards, whatever the file says
  }
  right_ = (x_.empty() ? left_ : x_.back()) + 84;  // what holds at the end must be visible
}

int TimelineAxis::x_of(std::size_t position) const {
  if (position < shown_.begin || x_.empty()) return left_;
  if (position >= shown_.end) return right_;
  return x_[position - shown_.begin];
}

int TimelineAxis::x_of_time(std::int64_t time_us) const {
  if (times_.empty() || time_us <= first_us_) return left_;
  if (time_us > last_us_) return right_;
  const auto first = std::lower_bound(times_.begin(), times_.end(), time_us) - times_.begin();
  if (times_[first] == time_us) return x_[first];
  const auto before = first - 1;
  const auto share =
      static_cast<double>(time_us - times_[before]) / static_cast<double>(times_[first] - times_[before]);
  return x_[before] + static_cast<int>(share * (x_[first] - x_[before]));
}

void TimelineAxis::find_stretched() {
  for (std::size_t from = 0; from < times_.size();) {
    std::size_t to = from;
    while (to + 1 < times_.size() && times_[to + 1] == times_[from]) ++to;
    if (x_[to] > x_[from]) stretched_.emplace_back(x_[from], x_[to]);
    from = to + 1;
  }
}

void TimelineAxis::add_tick(std::int64_t time_us, int x) {
  const auto label = time_text(time_us);
  const int width = text_width(label, 9);
  if (!ticks_.empty()) {
    const int before = ticks_.back().x + text_width(ticks_.back().label, 9) / 2;
    if (x - width / 2 < before + 10) return;
  }
  ticks_.push_back({x, label});
}

void TimelineAxis::find_ticks() {
  if (times_.empty()) return;
  if (scale_ == Scale::order) {
    for (std::size_t at = 0; at < times_.size(); ++at) {
      if (at == 0 || times_[at] != times_[at - 1]) add_tick(times_[at], x_[at]);
    }
    return;
  }
  const std::int64_t wanted = std::max<std::int64_t>(1, (last_us_ - first_us_) / 8);
  std::int64_t step = 1;
  for (int i = 0; step < wanted; ++i) step = i % 3 == 1 ? step / 2 * 5 : step * 2;  // 1 2 5 10 20 50 …
  for (std::int64_t time = (first_us_ + step - 1) / step * step; time <= last_us_; time += step) {
    add_tick(time, x_of_time(time));
  }
}

}  // namespace lockstep::reports
